import { Problem } from '../../base/problems.ts';
import { DAY_MS } from '../../base/times.ts';
import type { HeldContract } from '../../history/settlements/directory.ts';
import { keyOf } from '../../history/settlements/directory.ts';
import { DOLLAR_QUOTES } from '../../market/freeze.ts';
import type { Table } from '../../market/tables/table.ts';
import { snapshotUnavailable, unknownCoin } from '../access/refusals.ts';
import { coinsNamed } from '../coins-named.ts';
import type { OperationContext } from '../operation.ts';

/** One venue's contract on the coin. */
export interface SeriesContract {
  exchange: string;
  symbol: string;
  venueSymbol: string;
  isInverse: boolean;
  /** The current snapshot has it: the venue quotes it. */
  isLive: boolean;
  /** Its price shows another coin under the same ticker; it is used only if the caller names it or its venue. */
  isOutlier: boolean;
  /** The current snapshot's, or the last one that was stored; null if neither is known. */
  volume24hUsdt: number | null;
  /** Of the contract; the venue's usual one if the venue no longer quotes it. */
  takerFeePct: number;
  /** Null while no print of it is stored. */
  held: HeldContract | null;
}

interface SeriesFilter {
  coin: string;
  only: readonly string[] | undefined;
  without: readonly string[] | undefined;
  symbol: string | undefined;
}

/** A contract that settled this recently still trades, even if the current snapshot lacks it. */
const SETTLES_WITHIN_MS = DAY_MS;
/** The usual quote first: decides between contracts of which no volume is known. */
const QUOTES = [...DOLLAR_QUOTES];

/**
 * One contract per venue: the linear one with the largest volume, an inverse one where there is no linear one, or the one
 * that `symbol` names. A venue that no longer quotes the coin is included with its last contract. The choice is the same
 * before the first snapshot, when only stored volumes are known.
 */
export function seriesContracts(filter: SeriesFilter, context: OperationContext): SeriesContract[] {
  const { coin, only, without, symbol } = filter;
  const all = contractsOf(coin, context);
  if (all.length === 0) {
    const coins = allCoins(context);
    throw unknownCoin(coin, coins, coinsNamed(coin, currentTable(context), coins));
  }
  const named = all.filter((contract) =>
    symbol === undefined
      ? !contract.isOutlier || only?.includes(contract.exchange)
      : isNamed(contract, symbol),
  );
  if (symbol !== undefined && named.length === 0) {
    const symbols = [...new Set(all.map((contract) => contract.symbol))].sort();
    throw new Problem(
      'invalid-parameter',
      `"symbol" names no contract on ${coin}; its symbols are ${symbols.slice(0, 20).join(', ')}.`,
      { suggestions: symbols.slice(0, 8) },
    );
  }
  const best = new Map<string, SeriesContract>();
  for (const contract of named) {
    if (only && !only.includes(contract.exchange)) continue;
    if (without?.includes(contract.exchange)) continue;
    const rival = best.get(contract.exchange);
    if (!rival || isBetter(contract, rival, context.nowMs)) best.set(contract.exchange, contract);
  }
  return [...best.values()].sort((a, b) => (a.exchange < b.exchange ? -1 : 1));
}

/** The venue's own spelling matches too, because two contracts of a venue may share a normalised symbol. */
function isNamed(contract: SeriesContract, symbol: string): boolean {
  return contract.symbol.toUpperCase() === symbol.toUpperCase() || contract.venueSymbol === symbol;
}

function isBetter(a: SeriesContract, b: SeriesContract, nowMs: number): boolean {
  if (a.isOutlier !== b.isOutlier) return b.isOutlier;
  const trades = ({ isLive, held }: SeriesContract) =>
    isLive || nowMs - (held?.lastPrintMs ?? 0) <= SETTLES_WITHIN_MS;
  if (trades(a) !== trades(b)) return trades(a);
  if (a.isInverse !== b.isInverse) return !a.isInverse;
  const [aVolume, bVolume] = [a.volume24hUsdt ?? -1, b.volume24hUsdt ?? -1];
  if (aVolume !== bVolume) return aVolume > bVolume;
  if (quoteRank(a) !== quoteRank(b)) return quoteRank(a) < quoteRank(b);
  const [aLastMs, bLastMs] = [a.held?.lastPrintMs ?? 0, b.held?.lastPrintMs ?? 0];
  return aLastMs === bLastMs ? a.venueSymbol < b.venueSymbol : aLastMs > bLastMs;
}

function quoteRank({ symbol }: SeriesContract): number {
  const rank = QUOTES.indexOf(symbol.slice(symbol.lastIndexOf('-') + 1));
  return rank < 0 ? QUOTES.length : rank;
}

/** All contracts on a coin: those that are quoted now, and those that only have history. */
function contractsOf(coin: string, context: OperationContext): SeriesContract[] {
  const { directory } = context.data.history;
  const table = currentTable(context);
  const contracts = new Map<string, SeriesContract>();
  for (const row of table ? rowsOfCoin(table, coin) : []) {
    if (!table) continue;
    const exchange = table.text('exchange', row);
    const venueSymbol = table.text('venue_symbol', row);
    contracts.set(keyOf(exchange, venueSymbol), {
      exchange,
      symbol: table.text('symbol', row),
      venueSymbol,
      isInverse: table.numbers('is_inverse')[row] === 1,
      isLive: true,
      isOutlier: table.numbers('price_outlier')[row] === 1,
      volume24hUsdt: table.numbers('volume_24h_usdt')[row] ?? null,
      takerFeePct: table.numbers('taker_fee_pct')[row] ?? 0,
      held: directory.find(exchange, venueSymbol) ?? null,
    });
  }
  const usualFees = new Map(
    context.data.venues.map(({ facts }) => [facts.exchange, facts.takerFeePct.value]),
  );
  for (const held of directory.ofCoin(coin)) {
    const key = keyOf(held.exchange, held.venueSymbol);
    const takerFeePct = usualFees.get(held.exchange);
    // Only served venues have one.
    if (contracts.has(key) || takerFeePct === undefined) continue;
    contracts.set(key, {
      exchange: held.exchange,
      symbol: held.symbol,
      venueSymbol: held.venueSymbol,
      isInverse: held.isInverse,
      isLive: false,
      isOutlier: false,
      volume24hUsdt: held.volume24hUsdt ?? null,
      takerFeePct,
      held,
    });
  }
  return [...contracts.values()];
}

function currentTable(context: OperationContext): Table | null {
  const { data, plan, nowMs } = context;
  const table = data.funding.at(plan.delaySeconds, nowMs)?.table ?? null;
  if (!table && data.history.directory.size === 0) throw snapshotUnavailable();
  return table;
}

function* rowsOfCoin(table: Table, coin: string): Generator<number> {
  const { codes, values } = table.texts('coin');
  const code = values.indexOf(coin, 1);
  if (code < 0) return;
  for (let row = 0; row < table.rowCount; row++) if (codes[row] === code) yield row;
}

function allCoins(context: OperationContext): string[] {
  const coins = new Set(context.data.history.directory.coins());
  for (const coin of currentTable(context)?.texts('coin').values.slice(1) ?? []) coins.add(coin);
  return [...coins];
}
