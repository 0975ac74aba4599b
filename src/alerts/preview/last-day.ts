import type { Caller } from '../../accounts/keys/directory.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import type { PairName, PairView } from '../../engines/backtest/pair-view.ts';
import { DEFAULT_SIZE_USD } from '../../engines/depth/table.ts';
import { costPctAt, sizePlace } from '../../history/depth/cost-codec.ts';
import { minuteOf } from '../../history/samples/model.ts';
import type { DataSources, MatchedRows } from '../../operations/operation.ts';
import { type Question, type QuestionContext, questionOf } from '../question.ts';
import type { Condition, CrossingCondition } from '../rule.ts';

/** How often a rule would have reported something. Only what is stored is counted. */
export type LastDay =
  | { kind: 'minutes'; times: number; hours: number }
  | { kind: 'payments'; times: number; of: number }
  | { kind: 'books'; times: number }
  | { kind: 'listings'; times: number }
  | { kind: 'unknown'; reason: string };

/** The spread of a pair by minute; null if it has none. */
export type PairHistory = (name: PairName) => Promise<PairView | null>;

interface LastDayOptions {
  question: Question;
  condition: Condition;
  matched: MatchedRows;
  asOfMs: number;
  nowMs: number;
  caller: Caller;
  context: QuestionContext;
  pairHistory: PairHistory;
}

const MOST_CONTRACTS = 40;
/** Reading a day of books takes longer than one of payments. */
const MOST_BOOKS = 5;
const SAMPLE_SIZE_USD = 25;
const unknown = (reason: string): LastDay => ({ kind: 'unknown', reason });

export async function lastDayOf(options: LastDayOptions): Promise<LastDay> {
  const { question, condition } = options;
  const { id } = question.operation;
  if (id === 'listings' && condition.kind === 'enters') return listingsFound(options);
  if (condition.kind !== 'crosses') return unknown('which rows fitted is not stored');
  if (id === 'funding' && condition.figure === 'rate_pct')
    return await paymentsBeyond(options, condition, options.context.data.history);
  if (id === 'spreads' && ['spread_pct', 'net_spread_pct'].includes(condition.figure))
    return await minutesBeyond(options, condition);
  if (id === 'depth' && ['buy_cost_pct', 'sell_cost_pct'].includes(condition.figure))
    return await booksBeyond(options, condition, options.context.data.depthCosts);
  return unknown('past values of this number are not stored');
}

function listingsFound({ matched: { table, rows }, asOfMs }: LastDayOptions): LastDay {
  const detectedAt = table.numbers('detected_at');
  return {
    kind: 'listings',
    times: rows.filter((row) => (detectedAt[row] ?? 0) > asOfMs - DAY_MS).length,
  };
}

/** Settled payments beyond the bound, of the contracts that fit now. */
async function paymentsBeyond(
  { matched: { table, rows }, asOfMs }: LastDayOptions,
  { direction, bound }: CrossingCondition,
  { directory, reader }: DataSources['history'],
): Promise<LastDay> {
  if (rows.length > MOST_CONTRACTS) return unknown('choose a coin or a venue');
  const contracts = rows.flatMap(
    (row) => directory.find(table.text('exchange', row), table.text('venue_symbol', row)) ?? [],
  );
  const toMinute = minuteOf(asOfMs);
  const read = contracts.map(({ id }) => reader.prints(id, toMinute - DAY_MS / MINUTE_MS, toMinute));
  const rates = (await Promise.all(read)).flatMap(({ ratesPct }) => [...ratesPct]);
  if (rates.length === 0) return unknown('no payment of these contracts is stored yet');
  const times = rates.filter((rate) => (direction === 'above' ? rate > bound : rate < bound)).length;
  return { kind: 'payments', times, of: rates.length };
}

/** How often the costs of the contracts that fit now crossed the bound. A time at which they are unknown is left out. */
async function booksBeyond(
  { question, matched: { table, rows }, asOfMs }: LastDayOptions,
  condition: CrossingCondition,
  costs: DataSources['depthCosts'],
): Promise<LastDay> {
  if (rows.length > MOST_BOOKS) return unknown('choose a coin and a venue');
  const sizeUsd = Number(new URLSearchParams(question.query).get('size_usd') ?? DEFAULT_SIZE_USD);
  const place = sizePlace(sizeUsd);
  const isBuy = condition.figure === 'buy_cost_pct';
  const toMinute = minuteOf(asOfMs);
  let [times, known] = [0, 0];
  for (const row of rows) {
    const contract = { exchange: table.text('exchange', row), venueSymbol: table.text('venue_symbol', row) };
    const points = await costs.series(contract, toMinute - DAY_MS / MINUTE_MS, toMinute);
    const values = points
      .map(({ costsPct }) => costPctAt(costsPct, place, isBuy))
      .filter((pct) => !Number.isNaN(pct));
    times += crossings(values, condition);
    known += values.length;
  }
  return known === 0 ? unknown('no cost of this size is stored yet') : { kind: 'books', times };
}

/** How often the spread of one pair crossed the bound: mid prices of each minute, less the present width of both books. */
async function minutesBeyond(options: LastDayOptions, condition: CrossingCondition): Promise<LastDay> {
  const { question, caller, context, pairHistory, asOfMs, nowMs } = options;
  const sent = new URLSearchParams(question.query);
  const listed = (name: string) => (sent.get(name) ?? '').split(',').filter((text) => text !== '');
  const [coins, venues] = [listed('coin'), listed('exchange')];
  const isPair = coins.length === 1 && venues.length === 2 && sent.get('exchange_match') === 'all';
  if (!isPair) return unknown('choose one coin and two venues');
  // A visitor of delayed data may not see the history of every pair.
  if (question.delaySeconds > 0) return unknown('only with live data');
  const names = ['coin', 'exchange', 'exchange_match', 'fees'].filter((name) => sent.has(name));
  const query = new URLSearchParams(names.map((name) => [name, sent.get(name) ?? ''])).toString();
  const live = questionOf('spreads', query, caller, context).matchesAt(asOfMs, nowMs);
  const [row] = live?.rows ?? [];
  if (!live || row === undefined) return unknown('a quote of the pair is too old');
  const { table } = live;
  const cell = (name: string) => table.cell(name)(row);
  const view = await pairHistory({
    coin: table.text('coin', row),
    exchangeA: table.text('exchange_a', row),
    exchangeB: table.text('exchange_b', row),
    sizeUsd: SAMPLE_SIZE_USD,
  }).catch(() => null);
  if (!view) return unknown('no prices of the pair are stored yet');
  const [midA, midB] = [(cell('bid_a') + cell('ask_a')) / 2, (cell('bid_b') + cell('ask_b')) / 2];
  const widthPct = (Math.abs(midB - midA) / midA) * 100 - cell('spread_pct');
  const feesPct = condition.figure === 'net_spread_pct' ? cell('spread_pct') - cell('net_spread_pct') : 0;
  const first = Math.max(0, minuteOf(asOfMs) - view.fromMinute - DAY_MS / MINUTE_MS);
  const spreads = [...view.spreadsPct.subarray(first, minuteOf(asOfMs) - view.fromMinute + 1)];
  const known = spreads.filter((spread) => !Number.isNaN(spread));
  if (known.length === 0) return unknown('no prices of the pair are stored yet');
  const times = crossings(
    known.map((spread) => Math.abs(spread) - widthPct - feesPct),
    condition,
  );
  return { kind: 'minutes', times, hours: Math.min(24, Math.ceil(spreads.length / (HOUR_MS / MINUTE_MS))) };
}

/** How often the values crossed the bound, counting again only after they have come back by the hysteresis. */
export function crossings(
  values: readonly number[],
  { direction, bound, hysteresis }: Pick<CrossingCondition, 'direction' | 'bound' | 'hysteresis'>,
): number {
  const sign = direction === 'above' ? 1 : -1;
  let isBeyond = values[0] !== undefined && sign * (values[0] - bound) > 0;
  let count = 0;
  for (const value of values) {
    const past = sign * (value - bound);
    if (!isBeyond && past > 0) {
      isBeyond = true;
      count++;
    } else if (isBeyond && past <= -hysteresis) isBeyond = false;
  }
  return count;
}
