import { Problem } from '../../../../base/problems.ts';
import { isoTime } from '../../../../base/times.ts';
import type { PairMinute, PairView } from '../../../../engines/backtest/pair-view.ts';
import { usualRule } from '../../../../engines/backtest/rule.ts';
import { minuteOf, msOfMinute, SIZES_USD, type SizeUsd } from '../../../../history/samples/model.ts';
import { LEG_CLOSED } from '../../../../market/session.ts';
import { rowObject } from '../../../../operations/answer/answer.ts';
import type { Meta } from '../../../../operations/answer/meta.ts';
import { spreadBacktest } from '../../../../operations/spread-backtest.ts';
import { spreads } from '../../../../operations/spreads.ts';
import { answerForPage, listForPage, type Row } from '../../layout/visitor.ts';
import { loadPairDepth, type PairDepth } from '../depth/pair-depth.ts';
import type { PageContext } from '../page-context.ts';
import { DEFAULT_SIZE_USD } from './backtest.ts';

export type PairCycle = Readonly<{
  opened_at: string;
  closed_at: string;
  direction: 'long_a_short_b' | 'short_a_long_b';
  profit_pct: number;
  /** The spread of mid prices when it opened and closed; null if a price is missing. */
  spread_in_pct: number | null;
  spread_out_pct: number | null;
}>;

/** The size of the orders whose costs the page shows; `size_usd` is that of the backtest. */
export const ORDER_PARAMETER = 'order_usd';

export interface LoadedPair {
  coin: string;
  exchangeA: string;
  exchangeB: string;
  sizeUsd: SizeUsd;
  /** The row of the backtest; null if the pair has none, or if it is withheld. */
  row: Row | null;
  /** The row of the spread table with the fees of its legs; null if one of the quotes is too old. */
  live: { row: Row; feeAPct: number; feeBPct: number } | null;
  /** Of the spread table, or of the backtest where there is none. */
  meta: Meta;
  /** Of the results, the chart and the cycles. */
  testedMeta: Meta;
  /** Start of the chart, which ends at the time of the backtest. */
  from: string | null;
  spreadsPct: Float32Array;
  /** Where they come from; the same object until the next backtest. */
  view: PairView | null;
  cycles: PairCycle[];
  depth: PairDepth;
  now: PairMinute | null;
  /** Spreads of mid prices beyond which a cycle opens: long the first venue, and long the second. */
  marks: { long_a_short_b: number; short_a_long_b: number } | null;
}

/** As the spread table says; false while the pair has no row there. */
export function isLegClosed({ live }: Pick<LoadedPair, 'live'>): boolean {
  return live?.row[LEG_CLOSED.name] === true;
}

const LEAST_PROFIT_PCT = usualRule().leastProfitPct;

export async function loadPair(context: PageContext): Promise<LoadedPair> {
  const { entrance, caller, sent, pairChart } = context;
  const given = (name: string) => {
    const value = sent.get(name)?.[0];
    if (value !== undefined) return value;
    throw new Problem(
      'invalid-parameter',
      `"${name}" is missing; open this page from a row of the backtest.`,
    );
  };
  const [coin, exchangeA, exchangeB] = [
    given('coin').toUpperCase(),
    given('exchange_a'),
    given('exchange_b'),
  ];
  const sizes = sent.get('size_usd') ?? [String(DEFAULT_SIZE_USD)];
  const sizeInQuery = SIZES_USD.find((size) => String(size) === sizes[0]);
  // Started here, so that the other thread loads the chart while this one checks whether the row may be seen.
  const chart =
    sizeInQuery === undefined ? null : pairChart({ coin, exchangeA, exchangeB, sizeUsd: sizeInQuery });
  chart?.catch(() => undefined);
  const query = new Map([
    ['coin', [coin]],
    ['exchange', [exchangeA, exchangeB]],
    ['exchange_match', ['all']],
  ]);
  const [answer, live] = await Promise.all([
    answerForPage<{ size_usd: number; spreads: Row[] }>(
      entrance,
      spreadBacktest,
      caller,
      new Map(query).set('size_usd', sizes),
    ),
    livePair(context, query, exchangeA, exchangeB),
  ]);
  const isPair = (one: Row) => one.exchange_a === exchangeA && one.exchange_b === exchangeB;
  const row = answer.data.spreads.find(isPair) ?? null;
  if (!row && !live) throw noRow();
  // Without a row a reader of delayed data may be looking at a withheld one.
  const isVisible = row !== null || caller.plan.delaySeconds === 0;
  const view = isVisible ? await chart : null;
  return {
    coin,
    exchangeA,
    exchangeB,
    sizeUsd: answer.data.size_usd as SizeUsd,
    row,
    live: live && { row: live.row, feeAPct: live.feeAPct, feeBPct: live.feeBPct },
    meta: live?.meta ?? answer.meta,
    testedMeta: answer.meta,
    view: view ?? null,
    depth: await pairDepth(context, coin, exchangeA, exchangeB),
    ...visiblePart(view ?? null, minuteOf(Date.parse(answer.meta.as_of))),
    ...nowPart(
      view ?? null,
      minuteOf(Date.parse(answer.meta.as_of)),
      row ? Number(row.fee_pct_cycle) : live ? 2 * (live.feeAPct + live.feeBPct) : null,
    ),
  };
}

function pairDepth(context: PageContext, coin: string, a: string, b: string): Promise<PairDepth> {
  return loadPairDepth(
    context,
    {
      bought: { coin, exchange: a, symbol: null },
      sold: { coin, exchange: b, symbol: null },
      ways: [`Buy ${a}`, `Buy ${b}`],
      verbs: 'to trade both legs',
    },
    ORDER_PARAMETER,
  );
}

async function livePair(
  { entrance, caller }: PageContext,
  query: ReadonlyMap<string, readonly string[]>,
  exchangeA: string,
  exchangeB: string,
): Promise<(NonNullable<LoadedPair['live']> & { meta: Meta }) | null> {
  try {
    const { rows, meta } = await listForPage(entrance, spreads, caller, query);
    const { table } = rows;
    const number = rows.numbers.find(
      (one) => table.text('exchange_a', one) === exchangeA && table.text('exchange_b', one) === exchangeB,
    );
    if (number === undefined) return null;
    return {
      row: rowObject(rows, number),
      feeAPct: table.cell('taker_fee_a_pct')(number),
      feeBPct: table.cell('taker_fee_b_pct')(number),
      meta,
    };
  } catch (error) {
    if (error instanceof Problem && error.code === 'snapshot-unavailable') return null;
    throw error;
  }
}

function noRow(): Problem {
  return new Problem(
    'not-found',
    'This pair has no test result. It has not opened and closed yet, or it is among the best pairs, which a plan shows.',
  );
}

/** The chart and the cycles of a pair are for readers who may see its row. */
export function refuseWithoutRow(loaded: LoadedPair): LoadedPair & { row: Row } {
  const { row } = loaded;
  if (!row) throw noRow();
  return { ...loaded, row };
}

/** The part up to the minute of the answer: a delayed plan must not see newer data. */
function visiblePart(
  view: PairView | null,
  lastMinute: number,
): Pick<LoadedPair, 'from' | 'spreadsPct' | 'cycles'> {
  if (!view || view.spreadsPct.length === 0)
    return { from: null, spreadsPct: new Float32Array(), cycles: [] };
  const count = Math.max(0, lastMinute - view.fromMinute + 1);
  const minuteTime = (minute: number) => isoTime(msOfMinute(minute));
  const spreadAt = (minute: number) => {
    const spread = view.spreadsPct[minute - view.fromMinute] ?? Number.NaN;
    return Number.isNaN(spread) ? null : Number(spread.toFixed(4));
  };
  return {
    from: minuteTime(view.fromMinute),
    spreadsPct: view.spreadsPct.subarray(0, count),
    cycles: view.cycles
      .filter(({ closeMinute }) => closeMinute <= lastMinute)
      .map(({ openMinute, closeMinute, direction, profitPct }) => ({
        opened_at: minuteTime(openMinute),
        closed_at: minuteTime(closeMinute),
        direction: direction === 0 ? 'long_a_short_b' : 'short_a_long_b',
        profit_pct: Number(profitPct.toFixed(6)),
        spread_in_pct: spreadAt(openMinute),
        spread_out_pct: spreadAt(closeMinute),
      })),
  };
}

/** The prices of the last visible minute, and where cycles open: entry + usual exit - fees leaves the least profit. */
export function nowPart(
  view: PairView | null,
  lastMinute: number,
  feePct: number | null,
): Pick<LoadedPair, 'now' | 'marks'> {
  const visible = (view?.recent ?? []).filter(({ minute }) => minute <= lastMinute);
  const [now = null] = visible;
  const exits = visible.find(
    ({ usualExitAPct, usualExitBPct }) => usualExitAPct !== null && usualExitBPct !== null,
  );
  if (!now || !exits || feePct === null) return { now, marks: null };
  const { buyA, sellA, buyB, sellB } = now;
  if (buyA === null || sellA === null || buyB === null || sellB === null) return { now, marks: null };
  const [midA, midB] = [(buyA + sellA) / 2, (buyB + sellB) / 2];
  const midSpread = ((midB - midA) / midA) * 100;
  // An order pays half of both books' widths, so a cycle opens a little beyond the spread of mid prices.
  const costA = midSpread - ((sellB - buyA) / buyA) * 100;
  const costB = -midSpread - ((sellA - buyB) / buyB) * 100;
  const needed = LEAST_PROFIT_PCT + feePct;
  return {
    now,
    marks: {
      long_a_short_b: Number((needed - (exits.usualExitAPct ?? 0) + costA).toFixed(4)),
      short_a_long_b: Number((-(needed - (exits.usualExitBPct ?? 0) + costB)).toFixed(4)),
    },
  };
}
