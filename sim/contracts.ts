import { DAY_MS, HOUR_MS } from '../src/base/times.ts';
import { splitMultiplier } from '../src/market/identity.ts';
import { coinsOf, generatedCoin, NAMESAKE, type SimCoin } from './coins.ts';
import type { Namesake } from './namesakes.ts';
import { hash, unit } from './noise.ts';
import { dateAt, livesFrom, type SimLife } from './schedule.ts';
import { changesInterval } from './settlement-times.ts';
import { TRADITIONAL } from './traditional.ts';
import type { VenueProfile } from './venue-profile.ts';

export interface SimContract {
  venue: string;
  venueSymbol: string;
  coin: SimCoin;
  base: string;
  multiplier: number;
  quote: string;
  /** Whether it is linear in the venue's first quote: what most of the coin's trading is in. */
  isMain: boolean;
  /** The coin that it is quoted in; null for dollar quotes. */
  quoteCoin: SimCoin | null;
  settle: string;
  isInverse: boolean;
  /** Base units (linear) or USD (inverse) in one contract. */
  contractSize: number;
  sizeDecimals: number;
  priceDecimals: number;
  maxLeverage: number;
  /** When the list first shows it, when it opens, when the list shows its end, when it ends: as known now. */
  announcedAtMs: number;
  listedAtMs: number;
  delistingAnnouncedAtMs: number | null;
  delistsAtMs: number | null;
  /** The actual dates of a scheduled contract; null for permanent ones. */
  life: SimLife | null;
  /** Seed of all its random values. */
  seed: number;
  rateCap: number;
  intervals: readonly number[];
  /** Hours by which its settlements are off the grid from midnight, by interval. */
  offGridHours: Readonly<Record<number, number>>;
  isQuiet: boolean;
  /** The end of its venue. */
  venueEndsAtMs: number;
}

export type SimStatus = 'unknown' | 'preopen' | 'trading' | 'delisting' | 'delisted';

export function statusAt(contract: SimContract, atMs: number): SimStatus {
  if (atMs < contract.announcedAtMs) return 'unknown';
  if (contract.delistsAtMs !== null && atMs >= contract.delistsAtMs) return 'delisted';
  if (atMs < contract.listedAtMs) return 'preopen';
  if (contract.delistingAnnouncedAtMs !== null && atMs >= contract.delistingAnnouncedAtMs) return 'delisting';
  return 'trading';
}

const FIRST_LISTING_MS = Date.UTC(2021, 0, 1);
const WEEK_MS = 7 * DAY_MS;
/** From the first listing of a scheduled contract to the end of its last life. */
const LONGEST_WEEKS = 26;
const INVERSE_TICKERS = new Set(['BTC', 'ETH', 'SOL', 'XRP', 'DOGE', 'LTC', 'LINK', 'ADA', 'DOT', 'BCH']);
const SECOND_QUOTE_TICKERS = new Set('BTC ETH SOL XRP DOGE BNB PEPE SUI ENA HYPE'.split(' '));

function multiplierOf(coin: SimCoin): number {
  if (coin.anchorPriceUsd < 0.00001) return 1_000_000;
  return coin.anchorPriceUsd < 0.001 ? 1000 : 1;
}

/** All contracts of a venue: the permanent ones, built once, and those of the weekly listing schedule. */
export class Universe {
  readonly #seed: number;
  readonly #coins: readonly SimCoin[];
  readonly #namesakes: readonly Namesake[];
  readonly #lasting = new Map<string, SimContract[]>();
  readonly #weekly = new Map<string, SimContract[]>();
  readonly #earlier = new WeakMap<SimContract, Map<string, SimContract>>();

  constructor(seed: number, coinCount: number, namesakes: readonly Namesake[] = []) {
    this.#seed = seed;
    this.#namesakes = namesakes;
    const tickers = new Set(namesakes.map(({ coin }) => coin.ticker));
    this.#coins = coinsOf(seed, coinCount).filter(({ ticker }) => !tickers.has(ticker));
  }

  /** Every contract that the venue lists at that time, including announced ones that are not open yet. */
  at(profile: VenueProfile, atMs: number): SimContract[] {
    let lasting = this.#lasting.get(profile.slug);
    if (!lasting) {
      lasting = [
        ...this.#coins.flatMap((coin) => this.#lastingContracts(profile, coin, profile.coverage)),
        ...TRADITIONAL.flatMap((asset) =>
          this.#lastingContracts(profile, asset, profile.traditionalCoverage ?? 0),
        ),
        ...this.#namesakes.flatMap((namesake) => this.#namesakeContracts(profile, namesake)),
      ];
      this.#lasting.set(profile.slug, lasting);
    }
    const week = Math.floor(atMs / WEEK_MS);
    const scheduled: SimContract[] = [];
    for (let w = week - LONGEST_WEEKS; w <= week + 1; w++) {
      for (const contract of this.#scheduledContracts(profile, w)) {
        const known = this.#asKnownAt(contract, atMs);
        const status = statusAt(known, atMs);
        if (status !== 'unknown' && status !== 'delisted') scheduled.push(known);
      }
    }
    return [...lasting, ...scheduled];
  }

  /** The contracts first listed in these weeks, every life with its final dates: the reference for calendar tests. */
  scheduled(profile: VenueProfile, fromMs: number, toMs: number): SimContract[] {
    const found: SimContract[] = [];
    for (let w = Math.floor(fromMs / WEEK_MS); w <= Math.floor(toMs / WEEK_MS); w++) {
      found.push(...this.#scheduledContracts(profile, w));
    }
    return found;
  }

  #lastingContracts(profile: VenueProfile, coin: SimCoin, coverage: number): SimContract[] {
    const isMajor = coverage > 0 && coin.tier === 0;
    if (unit(`listed ${profile.slug} ${coin.id}`, this.#seed) >= (isMajor ? 1 : coverage)) return [];
    // One venue in five lists the other coin under this ticker.
    const isNamesake = coin.ticker === NAMESAKE.ticker && hash(`twin ${profile.slug}`) % 5 === 0;
    const traded = isNamesake ? NAMESAKE : coin;
    const listedAtMs =
      FIRST_LISTING_MS +
      Math.floor(unit(`since ${profile.slug} ${coin.id}`, this.#seed) * 900) * DAY_MS +
      8 * HOUR_MS;
    const dates = {
      announcedAtMs: listedAtMs - 2 * DAY_MS,
      listedAtMs,
      delistingAnnouncedAtMs: null,
      delistsAtMs: null,
      life: null,
    };
    const quotes = profile.quotes.filter((_, i) => i === 0 || SECOND_QUOTE_TICKERS.has(coin.ticker));
    const contracts = quotes.map((quote) => this.#contract(profile, traded, quote, false, dates));
    const isInverseTicker =
      INVERSE_TICKERS.has(coin.ticker) && (profile.inverseTickers?.includes(coin.ticker) ?? true);
    if (profile.inverseQuote !== null && isInverseTicker) {
      contracts.push(this.#contract(profile, traded, profile.inverseQuote, true, dates));
    }
    for (const [base, quote] of profile.crossPairs ?? [])
      if (base === coin.ticker) contracts.push(this.#contract(profile, traded, quote, false, dates));
    return contracts;
  }

  #namesakeContracts(profile: VenueProfile, { coin, bases }: Namesake): SimContract[] {
    const base = bases[profile.slug];
    if (base === undefined) return [];
    const dates = {
      announcedAtMs: FIRST_LISTING_MS,
      listedAtMs: FIRST_LISTING_MS + DAY_MS,
      delistingAnnouncedAtMs: null,
      delistsAtMs: null,
      life: null,
    };
    const named = { base, multiplier: splitMultiplier(base)?.multiplier ?? 1 };
    return [this.#contract(profile, coin, profile.quotes[0] ?? 'USDT', false, dates, named)];
  }

  /** One new coin a week, listed by about half of the venues within a few days; two in three end weeks later. */
  #scheduledContracts(profile: VenueProfile, week: number): SimContract[] {
    const key = `${profile.slug} ${week}`;
    const cached = this.#weekly.get(key);
    if (cached) return cached;
    const ticker = `NEW${week.toString(36).toUpperCase()}`;
    const draw = (what: string) => unit(`${what} ${key}`, this.#seed);
    const coin = generatedCoin(ticker, this.#seed);
    const listedAtMs = week * WEEK_MS + Math.floor(draw('day') * 6 * 24) * HOUR_MS;
    const lives = draw('joins') < 0.55 ? livesFrom(listedAtMs, draw) : [];
    const contracts = lives.map((life) =>
      this.#contract(profile, coin, profile.quotes[0] ?? 'USDT', false, {
        announcedAtMs: life.listing.shownAtMs ?? life.listing.finalAtMs,
        listedAtMs: life.listing.finalAtMs,
        delistingAnnouncedAtMs: life.delisting.shownAtMs,
        delistsAtMs: life.delisting.finalAtMs,
        life,
      }),
    );
    this.#weekly.set(key, contracts);
    return contracts;
  }

  /** The contract with the dates that the venue gives at the time; the same object for the same dates. */
  #asKnownAt(contract: SimContract, atMs: number): SimContract {
    const { life } = contract;
    if (!life) return contract;
    const listedAtMs = dateAt(life.listing, atMs);
    const delistsAtMs = dateAt(life.delisting, atMs);
    if (listedAtMs === contract.listedAtMs && delistsAtMs === contract.delistsAtMs) return contract;
    const known = this.#earlier.get(contract) ?? new Map<string, SimContract>();
    this.#earlier.set(contract, known);
    const dates = `${listedAtMs} ${delistsAtMs}`;
    const made = known.get(dates) ?? { ...contract, listedAtMs, delistsAtMs };
    known.set(dates, made);
    return made;
  }

  #contract(
    profile: VenueProfile,
    coin: SimCoin,
    quote: string,
    isInverse: boolean,
    dates: Pick<
      SimContract,
      'announcedAtMs' | 'listedAtMs' | 'delistingAnnouncedAtMs' | 'delistsAtMs' | 'life'
    >,
    named = namedBy(profile, coin, isInverse),
  ): SimContract {
    const { base, multiplier } = named;
    const settle = isInverse ? base : (profile.settleOf?.(quote) ?? quote);
    const venueSymbol = profile.venueSymbol({ base, coin, quote, settle, isInverse });
    const quoteCoin = this.#coins.find(({ ticker }) => ticker === quote) ?? null;
    const price = (coin.anchorPriceUsd * multiplier) / (quoteCoin?.anchorPriceUsd ?? 1);
    const seed = hash(`${profile.slug} ${venueSymbol}`, this.#seed);
    return {
      venue: profile.slug,
      venueSymbol,
      coin,
      base,
      multiplier,
      quote,
      isMain: !isInverse && quote === profile.quotes[0],
      quoteCoin,
      settle,
      isInverse,
      contractSize: isInverse ? profile.inverseFaceUsd(coin.ticker) : profile.contractSize(coin, multiplier),
      sizeDecimals: isInverse ? 0 : profile.sizeDecimals(coin, multiplier),
      priceDecimals: Math.max(0, 5 - Math.floor(Math.log10(price))),
      maxLeverage: [125, 75, 50, 20][coin.tier] ?? 20,
      ...dates,
      seed,
      rateCap: profile.rateCaps?.[coin.ticker] ?? profile.rateCap,
      intervals: profile.intervals,
      offGridHours:
        !changesInterval(seed) && isOneIn(profile.offGridOneIn ?? 9, seed)
          ? (profile.offGridHours ?? {})
          : {},
      venueEndsAtMs: profile.endedAtMs ?? Number.POSITIVE_INFINITY,
      isQuiet: profile.hasQuietBooks === true && coin.tier === 3 && seed % 2 === 0,
    };
  }
}

/** The base of a contract as the venue names it, and the units of the coin in it. */
function namedBy({ multipliedBase }: VenueProfile, coin: SimCoin, isInverse: boolean) {
  const multiplier = multipliedBase && !isInverse ? multiplierOf(coin) : 1;
  const base = multiplier > 1 && multipliedBase ? multipliedBase(coin.ticker, multiplier) : coin.ticker;
  return { base, multiplier };
}

function isOneIn(count: number, seed: number): boolean {
  return seed % count === 1 % count;
}
