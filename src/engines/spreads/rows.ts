import { numberColumn } from '../../base/numbers.ts';
import { LEG_CLOSED } from '../../market/session.ts';
import { type NumberCell, Table, type TextCell, type TextData } from '../../market/tables/table.ts';
import {
  CHECKS,
  checksOf,
  computePair,
  netSpreadPct,
  newPairFigures,
  type PairFigures,
  STRENGTHS,
} from './figures.ts';
import { closedCell, codesAt, indexesAt, legNumbersOf, numbersAt } from './legs.ts';
import { buildPairLayout } from './pairs.ts';
import { CONTRACTS, MID_GAP, SPREADS_TABLE } from './table.ts';

/** The pairs that have a row, in order, and the rows of the legs table that each is made from. */
export interface RowPlan {
  legs: Table;
  pairs: Int32Array;
  legA: Int32Array;
  legB: Int32Array;
}

const DIRECTIONS = ['', 'long_a_short_b', 'short_a_long_b'];
const UNLIKE_QUOTES = 'USD';

/** Columns that are copied from a leg on first use. */
const OF_LEG: Readonly<Record<string, readonly [column: string, leg: 'legA' | 'legB']>> = {
  bid_a: ['bid', 'legA'],
  ask_a: ['ask', 'legA'],
  bid_b: ['bid', 'legB'],
  ask_b: ['ask', 'legB'],
  volume_a_usdt: ['volume_24h_usdt', 'legA'],
  volume_b_usdt: ['volume_24h_usdt', 'legB'],
  funding_rate_a_pct: ['rate_pct', 'legA'],
  funding_rate_b_pct: ['rate_pct', 'legB'],
  funding_interval_hours_a: ['interval_hours', 'legA'],
  funding_interval_hours_b: ['interval_hours', 'legB'],
  next_funding_at_a: ['next_funding_at', 'legA'],
  next_funding_at_b: ['next_funding_at', 'legB'],
  taker_fee_a_pct: ['taker_fee_pct', 'legA'],
  taker_fee_b_pct: ['taker_fee_pct', 'legB'],
};

/** By column: the bit of the check that it shows. */
const BIT_OF_CHECK: ReadonlyMap<string, number> = new Map(CHECKS.map((name, place) => [name, 1 << place]));

const TEXT_OF_LEG: Readonly<Record<string, readonly [column: string, leg: 'legA' | 'legB']>> = {
  coin: ['coin', 'legA'],
  exchange_a: ['exchange', 'legA'],
  exchange_b: ['exchange', 'legB'],
  [CONTRACTS.a]: ['contract', 'legA'],
  [CONTRACTS.b]: ['contract', 'legB'],
};

/** The rows of a spread table. The figures are copied, so the live book may change afterwards. */
export function rowsTable(plan: RowPlan, figures: PairFigures): Table {
  const { pairs } = plan;
  const count = pairs.length;
  const longPct = new Float64Array(count);
  const shortPct = new Float64Array(count);
  const spreadPct = new Float64Array(count);
  const updatedAtMs = new Float64Array(count);
  const strength = new Float64Array(count);
  const checks = new Uint8Array(count);
  const direction = new Uint32Array(count);
  for (let row = 0; row < count; row++) {
    const pair = pairs[row] as number;
    const isLongA = figures.isLongA[pair] === 1;
    const long = figures.longAShortBPct[pair] as number;
    const short = figures.shortALongBPct[pair] as number;
    longPct[row] = long;
    shortPct[row] = short;
    spreadPct[row] = isLongA ? long : short;
    direction[row] = isLongA ? 1 : 2;
    updatedAtMs[row] = figures.updatedAtMs[pair] as number;
    checks[row] = checksOf(figures, pair);
    strength[row] = STRENGTHS[checks[row] as number] as number;
  }
  const numbers = new Map([
    ['long_a_short_b_pct', longPct],
    ['short_a_long_b_pct', shortPct],
    ['spread_pct', spreadPct],
    ['updated_at', updatedAtMs],
    ['strength', strength],
  ]);
  const texts = new Map<string, TextData>([['direction', { codes: direction, values: DIRECTIONS }]]);
  const columnOf = (name: string): Float64Array | undefined => {
    if (name === 'net_spread_pct') return netSpreads(spreadPct, columnOf);
    if (name === MID_GAP) return midGaps(plan, direction);
    const flag =
      name === LEG_CLOSED.name ? closedCell(plan.legs, plan.legA, plan.legB) : checkCell(checks, name);
    return flag ? numberColumn(count, flag) : legNumbers(plan, name);
  };
  return new Table(
    SPREADS_TABLE,
    count,
    { get: (name) => numbers.get(name) ?? cached(numbers, name, columnOf(name)) },
    { get: (name) => texts.get(name) ?? cached(texts, name, legTexts(plan, name)) },
    {
      numbers: { get: (name) => checkCell(checks, name) ?? numberCell(plan, name, spreadPct) },
      texts: { get: (name) => textCell(plan, name) },
    },
  );
}

/** 1 where the check of the column holds, else 0; undefined for other columns. */
function checkCell(checks: Uint8Array, name: string): NumberCell | undefined {
  const bit = BIT_OF_CHECK.get(name);
  return bit === undefined ? undefined : (row) => ((checks[row] as number) & bit ? 1 : 0);
}

/** Reads single figures from the legs: a page of 100 rows needs no column of all pairs. */
function numberCell(plan: RowPlan, name: string, spreadPct: Float64Array): NumberCell | undefined {
  if (name === 'net_spread_pct') {
    const [feeA, feeB] = [
      numberCell(plan, 'taker_fee_a_pct', spreadPct),
      numberCell(plan, 'taker_fee_b_pct', spreadPct),
    ];
    return (row) =>
      netSpreadPct(spreadPct[row] as number, feeA?.(row) ?? Number.NaN, feeB?.(row) ?? Number.NaN);
  }
  if (name === LEG_CLOSED.name) return closedCell(plan.legs, plan.legA, plan.legB);
  const [column, leg] = OF_LEG[name] ?? [];
  if (column === undefined || leg === undefined) return undefined;
  const values = plan.legs.numbers(column);
  const places = plan[leg];
  return (row) => values[places[row] as number] as number;
}

function textCell(plan: RowPlan, name: string): TextCell | undefined {
  const [column, leg] = TEXT_OF_LEG[name] ?? [];
  if (column === undefined || leg === undefined) return name === 'symbol' ? symbolCell(plan) : undefined;
  const { codes, values } = plan.legs.texts(column);
  const places = plan[leg];
  return { codeOf: (row) => codes[places[row] as number] as number, textOf: (code) => values[code] ?? '' };
}

/** The codes are those of the coin and of the common quote in one number, so there are gaps between them. */
function symbolCell({ legs, legA, legB }: RowPlan): TextCell {
  const coins = legs.texts('coin');
  const quotes = legs.texts('quote');
  return {
    codeOf: (row) => {
      const a = legA[row] as number;
      return (
        (coins.codes[a] as number) * quotes.values.length + commonQuote(quotes.codes, a, legB[row] as number)
      );
    },
    textOf: (code) =>
      symbolOf(
        coins.values[Math.floor(code / quotes.values.length)] ?? '',
        quotes.values[code % quotes.values.length] ?? '',
      ),
  };
}

/** No quote has code 0; it means that the legs' quotes differ. */
function commonQuote(codes: Uint32Array, a: number, b: number): number {
  return codes[a] === codes[b] ? (codes[a] as number) : 0;
}

function symbolOf(coin: string, commonQuote: string): string {
  return `${coin}-${commonQuote === '' ? UNLIKE_QUOTES : commonQuote}`;
}

/** Computes the rows of a stored spread table from its legs. */
export function rowsFromLegs(legs: Table, asOfMs: number): Table {
  const layout = buildPairLayout({
    coin: legs.texts('coin').codes,
    exchange: legs.texts('exchange').codes,
    quote: legs.texts('quote').codes,
  });
  const numbers = legNumbersOf(legs);
  const figures = newPairFigures(layout.count);
  const pairs = new Int32Array(layout.count);
  let count = 0;
  for (let coin = 0; coin + 1 < layout.firstPair.length; coin++) {
    const streaks = legs.text('streaks', layout.firstLeg[coin] ?? 0);
    let place = 0;
    for (let pair = layout.firstPair[coin] ?? 0; pair < (layout.firstPair[coin + 1] ?? 0); pair++) {
      const a = layout.legA[pair] ?? 0;
      const b = layout.legB[pair] ?? 0;
      if (!computePair(numbers, a, b, asOfMs, figures, pair)) continue;
      figures.streak[pair] = Number(streaks[place++]);
      pairs[count++] = pair;
    }
  }
  const kept = pairs.subarray(0, count);
  const plan: RowPlan = {
    legs,
    pairs: kept,
    legA: indexesAt(layout.legA, kept),
    legB: indexesAt(layout.legB, kept),
  };
  return rowsTable(plan, figures);
}

function cached<T>(cache: Map<string, T>, name: string, value: T | undefined): T | undefined {
  if (value !== undefined) cache.set(name, value);
  return value;
}

function legNumbers(plan: RowPlan, name: string): Float64Array | undefined {
  const [column, leg] = OF_LEG[name] ?? [];
  if (column === undefined || leg === undefined) return undefined;
  return numbersAt(plan.legs.numbers(column), plan[leg]);
}

function legTexts(plan: RowPlan, name: string): TextData | undefined {
  const [column, leg] = TEXT_OF_LEG[name] ?? [];
  if (column === undefined || leg === undefined) return name === 'symbol' ? symbols(plan) : undefined;
  return gatheredTexts(plan.legs.texts(column), plan[leg]);
}

function gatheredTexts({ codes, values }: TextData, rows: Int32Array): TextData {
  return { codes: codesAt(codes, rows), values };
}

function symbols({ legs, legA, legB }: RowPlan): TextData {
  const coins = legs.texts('coin');
  const quotes = legs.texts('quote');
  const known = new Uint32Array(coins.values.length * quotes.values.length);
  const values = [''];
  const codes = new Uint32Array(legA.length);
  for (let row = 0; row < codes.length; row++) {
    const coin = coins.codes[legA[row] as number] as number;
    const common = commonQuote(quotes.codes, legA[row] as number, legB[row] as number);
    const place = coin * quotes.values.length + common;
    if (known[place] === 0) {
      known[place] = values.push(symbolOf(coins.values[coin] ?? '', quotes.values[common] ?? '')) - 1;
    }
    codes[row] = known[place] as number;
  }
  return { codes, values };
}

function netSpreads(
  spreadPct: Float64Array,
  column: (name: string) => Float64Array | undefined,
): Float64Array {
  const [feesA, feesB] = [column('taker_fee_a_pct'), column('taker_fee_b_pct')];
  return spreadPct.map((spread, row) =>
    netSpreadPct(spread, feesA?.[row] ?? Number.NaN, feesB?.[row] ?? Number.NaN),
  );
}

function midGaps({ legs, legA, legB }: RowPlan, direction: Uint32Array): Float64Array {
  const [bids, asks] = [legs.numbers('bid'), legs.numbers('ask')];
  const gaps = new Float64Array(direction.length);
  for (let row = 0; row < gaps.length; row++) {
    const isLongA = direction[row] === 1;
    const [bought, sold] = (isLongA ? [legA[row], legB[row]] : [legB[row], legA[row]]) as [number, number];
    const mid = ((bids[bought] as number) + (asks[bought] as number)) / 2;
    gaps[row] = (((bids[sold] as number) + (asks[sold] as number)) / 2 / mid - 1) * 100;
  }
  return gaps;
}
