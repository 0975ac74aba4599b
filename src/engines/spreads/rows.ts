import { numberColumn } from '../../base/numbers.ts';
import { LEG_CLOSED } from '../../market/session.ts';
import { type NumberCell, Table, type TextCell, type TextData } from '../../market/tables/table.ts';
import {
  CHECKS,
  checksOf,
  isLongA,
  isOneCoin,
  netSpreadPct,
  STRENGTHS,
  spreadPctOf,
  steadyCheck,
} from './figures.ts';
import { closedCell, codesAt, type LegNumbers, legNumbersOf, numbersAt } from './legs.ts';
import { buildPairLayout, type PairLayout } from './pairs.ts';
import { CODE_OF_0 } from './streaks.ts';
import { CONTRACTS, MID_GAP, SPREADS_TABLE } from './table.ts';

/** The rows of the legs table that each row is made from. */
interface RowPlan {
  legs: Table;
  numbers: LegNumbers;
  legA: Int32Array;
  legB: Int32Array;
}

/** What is computed for every row at once; the other columns are made of the legs when they are needed. */
interface RowFigures {
  spreadPct: Float64Array;
  /** 1: long A and short B; 2: long B and short A. */
  direction: Uint32Array;
  /** A bit for each of CHECKS that holds. */
  checks: Uint8Array;
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

/** Computes the rows of a spread table from its legs. */
export function rowsFromLegs(legs: Table, asOfMs: number): Table {
  const layout = buildPairLayout({
    coin: legs.texts('coin').codes,
    exchange: legs.texts('exchange').codes,
    quote: legs.texts('quote').codes,
  });
  const plan = planOf(legs, layout);
  return rowsTable(plan, figuresOf(plan, streaksOf(legs, layout, plan.legA.length), asOfMs));
}

/** Pairs without a row are taken out of the lists of the layout, which nothing else reads. */
function planOf(legs: Table, { legA, legB }: PairLayout): RowPlan {
  const numbers = legNumbersOf(legs);
  let count = 0;
  for (let pair = 0; pair < legA.length; pair++) {
    const a = legA[pair] as number;
    const b = legB[pair] as number;
    if (!isOneCoin(numbers, a, b)) continue;
    legA[count] = a;
    legB[count++] = b;
  }
  return { legs, numbers, legA: legA.subarray(0, count), legB: legB.subarray(0, count) };
}

/** The streak of each row. The first leg of a coin has those of all its rows. */
function streaksOf(legs: Table, layout: PairLayout, count: number): Uint8Array {
  const streaks = new Uint8Array(count);
  let row = 0;
  for (let coin = 0; coin + 1 < layout.firstLeg.length; coin++) {
    const digits = legs.text('streaks', layout.firstLeg[coin] as number);
    for (let place = 0; place < digits.length; place++) streaks[row++] = digits.charCodeAt(place) - CODE_OF_0;
  }
  return streaks;
}

function figuresOf({ numbers, legA, legB }: RowPlan, streaks: Uint8Array, asOfMs: number): RowFigures {
  const count = legA.length;
  const spreadPct = new Float64Array(count);
  const direction = new Uint32Array(count);
  const checks = new Uint8Array(count);
  for (let row = 0; row < count; row++) {
    const a = legA[row] as number;
    const b = legB[row] as number;
    const isLong = isLongA(numbers, a, b);
    const bought = isLong ? a : b;
    const sold = isLong ? b : a;
    const spread = spreadPctOf(numbers, bought, sold);
    spreadPct[row] = spread;
    direction[row] = isLong ? 1 : 2;
    checks[row] = checksOf(numbers, bought, sold, spread, asOfMs) | steadyCheck(streaks[row] as number);
  }
  return { spreadPct, direction, checks };
}

function rowsTable(plan: RowPlan, figures: RowFigures): Table {
  const { spreadPct, direction, checks } = figures;
  const count = spreadPct.length;
  const numbers = new Map([['spread_pct', spreadPct]]);
  const texts = new Map<string, TextData>([['direction', { codes: direction, values: DIRECTIONS }]]);
  const columnOf = (name: string): Float64Array | undefined => {
    if (name === 'net_spread_pct') return netSpreads(spreadPct, columnOf);
    if (name === MID_GAP) return midGaps(plan, direction);
    const cell = ownCell(plan, checks, name);
    return cell ? numberColumn(count, cell) : legNumbers(plan, name);
  };
  return new Table(
    SPREADS_TABLE,
    count,
    { get: (name) => numbers.get(name) ?? cached(numbers, name, columnOf(name)) },
    { get: (name) => texts.get(name) ?? cached(texts, name, legTexts(plan, name)) },
    {
      numbers: { get: (name) => ownCell(plan, checks, name) ?? numberCell(plan, name, spreadPct) },
      texts: { get: (name) => textCell(plan, name) },
    },
  );
}

/** Columns that are computed from the checks or from both legs; undefined for others. */
function ownCell(plan: RowPlan, checks: Uint8Array, name: string): NumberCell | undefined {
  const { legs, numbers, legA, legB } = plan;
  if (name === 'long_a_short_b_pct')
    return (row) => spreadPctOf(numbers, legA[row] as number, legB[row] as number);
  if (name === 'short_a_long_b_pct')
    return (row) => spreadPctOf(numbers, legB[row] as number, legA[row] as number);
  if (name === LEG_CLOSED.name) return closedCell(legs, legA, legB);
  if (name === 'strength') return (row) => STRENGTHS[checks[row] as number] as number;
  if (name === 'updated_at') {
    const { receivedAtMs } = numbers;
    return (row) =>
      Math.min(receivedAtMs[legA[row] as number] as number, receivedAtMs[legB[row] as number] as number);
  }
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
