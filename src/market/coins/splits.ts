import { median } from '../../base/numbers.ts';
import { HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import type { AssetClass } from '../../venues/observations.ts';
import { type GroupMember, majorityClass, type PriceGroup, priceGroups } from './groups.ts';
import { AGREEING_TOLERANCE, areWithin } from './priced-contract.ts';
import type { SplitTicker, StoredSplits } from './stored-splits.ts';

/** A contract under a ticker at one time. */
interface TickerMember {
  key: string;
  exchange: string;
  stated: AssetClass | null;
  /** Price of one unit of the coin in USDT, or null. */
  price: number | null;
}

/** A contract that became another coin. */
export interface CoinChange {
  key: string;
  ticker: string;
  from: string;
  to: string;
}

/** How long prices must say the same before a contract becomes another coin. */
const SPLIT_AFTER_MS = HOUR_MS;
/** Without checks for this long nobody knows what prices did in between, so the hour begins again. */
const MAX_PAUSE_MS = 10 * MINUTE_MS;
const SAMPLES_PER_HOUR = SPLIT_AFTER_MS / MINUTE_MS;
/** So many minutes at one price are a stale price, which says nothing. */
const STALE_SAMPLES = 10;

interface Watched {
  lastApartMs: number;
  /** Prices by contract key, one a minute, the newest last. */
  prices: Map<string, number[]>;
}

/**
 * Which contracts under a ticker are another coin than the usual one. Once a minute the prices of each ticker are compared,
 * by the medians of the last hour and as they are now. A contract becomes another coin when every check of an hour puts it
 * into that group.
 */
export class CoinSplits {
  /** Contracts that are not the usual coin of their ticker. */
  readonly #coins = new Map<string, { ticker: string; coin: string; sinceMs: number }>();
  readonly #pending = new Map<string, { coin: string; sinceMs: number }>();
  readonly #watched = new Map<string, Watched>();
  readonly #seen = new Set<string>();
  #tickers: readonly SplitTicker[] = [];
  #found: SplitTicker[] = [];
  #checkedAtMs = 0;
  #changes: CoinChange[] = [];

  constructor(stored: StoredSplits | null = null) {
    if (!stored) return;
    for (const { key, ...coin } of stored.coins) this.#coins.set(key, coin);
    for (const { key, ...move } of stored.pending) this.#pending.set(key, move);
    this.#tickers = stored.tickers;
    this.#checkedAtMs = stored.checkedAtMs;
  }

  stored(): StoredSplits {
    return {
      checkedAtMs: this.#checkedAtMs,
      coins: [...this.#coins].map(([key, coin]) => ({ key, ...coin })),
      pending: [...this.#pending].map(([key, move]) => ({ key, ...move })),
      tickers: [...this.#tickers],
    };
  }

  /** The tickers that are more than one coin, as of the last check. */
  get tickers(): readonly SplitTicker[] {
    return this.#tickers;
  }

  /** The coin of a contract under a ticker. */
  coinOf(key: string, ticker: string): string {
    const found = this.#coins.get(key);
    return found?.ticker === ticker ? found.coin : ticker;
  }

  /** Whether a minute has passed since the last check; then `check` is called for every ticker, and `finish`. */
  begin(nowMs: number): boolean {
    const passedMs = nowMs - this.#checkedAtMs;
    if (passedMs >= 0 && passedMs < MINUTE_MS) return false;
    if (passedMs < 0 || passedMs > MAX_PAUSE_MS) {
      this.#pending.clear();
      this.#watched.clear();
    }
    this.#checkedAtMs = nowMs;
    this.#found = [];
    this.#changes = [];
    return true;
  }

  /** Returns the contracts that became another coin. */
  finish(): readonly CoinChange[] {
    this.#tickers = this.#found.sort((a, b) => (a.ticker < b.ticker ? -1 : 1));
    return this.#changes;
  }

  check(ticker: string, members: readonly TickerMember[], isTicker: (name: string) => boolean): void {
    const now = members.flatMap(({ price, ...member }): GroupMember[] =>
      price === null ? [] : [{ ...member, price, coin: this.coinOf(member.key, ticker) }],
    );
    const isSplit = members.some(({ key }) => this.coinOf(key, ticker) !== ticker);
    if (isSplit) this.#placeNew(ticker, now);
    for (const { key } of now) this.#seen.add(key);
    const isApart = isSplit || (spreadOut(now) && priceGroups(now).length > 1);
    const watched = this.#watch(ticker, isApart);
    if (!watched) return;
    for (const { key, price } of now) {
      const prices = watched.prices.get(key) ?? [];
      watched.prices.set(key, [...prices, price].slice(-SAMPLES_PER_HOUR));
    }
    const judged = now.flatMap((member) => {
      const prices = watched.prices.get(member.key) ?? [];
      return standsStill(prices) ? [] : [{ ...member, price: median(prices) }];
    });
    const wanted = this.#wantedCoins(ticker, priceGroups(judged), isTicker);
    const wantedNow = this.#wantedCoins(ticker, priceGroups(now), isTicker);
    for (const { key, coin } of now) {
      const isWantedNow = wantedNow.get(key) !== coin;
      const count = watched.prices.get(key)?.length ?? 0;
      this.#decide(ticker, key, (isWantedNow && wanted.get(key)) || coin, count >= SAMPLES_PER_HOUR / 2);
    }
    this.#report(ticker, now);
  }

  /** A contract that is new under a split ticker is at once the coin with which its price agrees, if only one does. */
  #placeNew(ticker: string, members: GroupMember[]): void {
    // After a start every contract is new.
    if (!members.some(({ key }) => this.#seen.has(key))) return;
    const byCoin = Map.groupBy(
      members.filter(({ key, coin }) => this.#seen.has(key) || coin !== ticker),
      ({ coin }) => coin,
    );
    for (const member of members) {
      if (this.#seen.has(member.key) || member.coin !== ticker) continue;
      const agreeing = [...byCoin].filter(([, of]) =>
        areWithin(median(of.map(({ price }) => price)), member.price, AGREEING_TOLERANCE),
      );
      const coin = agreeing.length === 1 ? agreeing[0]?.[0] : undefined;
      if (coin !== undefined && coin !== ticker) this.#move(ticker, member.key, coin);
      member.coin = this.coinOf(member.key, ticker);
    }
  }

  #watch(ticker: string, isApart: boolean): Watched | null {
    const nowMs = this.#checkedAtMs;
    let watched = this.#watched.get(ticker);
    if (isApart) {
      watched ??= { lastApartMs: nowMs, prices: new Map() };
      watched.lastApartMs = nowMs;
      this.#watched.set(ticker, watched);
    } else if (watched && nowMs - watched.lastApartMs > SPLIT_AFTER_MS) {
      this.#watched.delete(ticker);
      return null;
    }
    return watched ?? null;
  }

  /** The coin of each contract by today's groups. A group keeps the name that most of its contracts have. */
  #wantedCoins(
    ticker: string,
    groups: readonly PriceGroup[],
    isTicker: (name: string) => boolean,
  ): Map<string, string> {
    const wanted = new Map<string, string>();
    const isSplit = groups.some(({ members }) => members.some(({ coin }) => coin !== ticker));
    const count = ({ members }: PriceGroup, name: string) =>
      members.filter(({ coin }) => coin === name).length;
    const usual = isSplit ? groups.toSorted((a, b) => count(b, ticker) - count(a, ticker))[0] : groups[0];
    const taken = new Set<string>();
    for (const group of groups.toSorted((a, b) => Number(b === usual) - Number(a === usual))) {
      const held = [...new Set(group.members.map(({ coin }) => coin))]
        .filter((coin) => coin !== ticker && !taken.has(coin))
        .sort((a, b) => count(group, b) - count(group, a))[0];
      const isUsual = group === usual && (!isSplit || count(group, ticker) > 0);
      const coin = isUsual
        ? ticker
        : (held ?? newName(ticker, group, usual, (name) => taken.has(name) || isTicker(name)));
      taken.add(coin);
      for (const { key } of group.members) wanted.set(key, coin);
    }
    return wanted;
  }

  #decide(ticker: string, key: string, wanted: string, isKnownLongEnough: boolean): void {
    if (wanted === this.coinOf(key, ticker)) {
      this.#pending.delete(key);
      return;
    }
    const nowMs = this.#checkedAtMs;
    const pending = this.#pending.get(key);
    if (pending?.coin !== wanted) this.#pending.set(key, { coin: wanted, sinceMs: nowMs });
    else if (isKnownLongEnough && nowMs - pending.sinceMs >= SPLIT_AFTER_MS) this.#move(ticker, key, wanted);
  }

  #move(ticker: string, key: string, coin: string): void {
    this.#changes.push({ key, ticker, from: this.coinOf(key, ticker), to: coin });
    if (coin === ticker) this.#coins.delete(key);
    else this.#coins.set(key, { ticker, coin, sinceMs: this.#checkedAtMs });
    this.#pending.delete(key);
  }

  #report(ticker: string, members: readonly GroupMember[]): void {
    const byCoin = Map.groupBy(members, ({ key }) => this.coinOf(key, ticker));
    if ([...byCoin.keys()].every((coin) => coin === ticker)) return;
    const coins = [...byCoin].map(([coin, of]) => ({
      coin,
      assetClass: majorityClass(of),
      priceUsd: median(of.map(({ price }) => price)),
      exchanges: [...new Set(of.map(({ exchange }) => exchange))].sort(),
    }));
    this.#found.push({
      ticker,
      sinceMs: Math.min(...members.map(({ key }) => this.#coins.get(key)?.sinceMs ?? this.#checkedAtMs)),
      coins: coins.sort((a, b) => (a.coin < b.coin ? -1 : 1)),
    });
  }
}

/** QNT.STOCK where the group has another class than the usual coin, otherwise NEIRO.2, NEIRO.3 and so on. */
function newName(
  ticker: string,
  { assetClass }: PriceGroup,
  usual: PriceGroup | undefined,
  isTaken: (name: string) => boolean,
): string {
  const byClass = `${ticker}.${assetClass?.toUpperCase()}`;
  if (assetClass !== null && assetClass !== usual?.assetClass && !isTaken(byClass)) return byClass;
  for (let number = 2; ; number++) if (!isTaken(`${ticker}.${number}`)) return `${ticker}.${number}`;
}

function standsStill(prices: readonly number[]): boolean {
  return prices.length >= STALE_SAMPLES && prices.every((price) => price === prices[0]);
}

function spreadOut(members: readonly GroupMember[]): boolean {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, 0];
  for (const { price } of members) {
    lowest = Math.min(lowest, price);
    highest = Math.max(highest, price);
  }
  return members.length > 1 && !areWithin(lowest, highest, AGREEING_TOLERANCE);
}
