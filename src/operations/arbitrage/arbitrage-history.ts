import { Problem } from '../../base/problems.ts';
import { DAY_MS, isoTime, SECOND_MS } from '../../base/times.ts';
import { coinText, exchangeText, integer, text, time } from '../../query/kinds.ts';
import type { JsonSchema } from '../../query/parameter.ts';
import type { ObjectAnswer } from '../answer/answer.ts';
import { type FlatColumn, type FlatRows, flatObjects } from '../answer/flat-rows.ts';
import { metaOf } from '../answer/meta.ts';
import { daysOf, newestPrintMs } from '../funding-history/points.ts';
import { type SeriesContract, seriesContracts } from '../funding-history/series.ts';
import { answeredWindow, historyWindow } from '../funding-history/window.ts';
import { defineOperation, type OperationContext } from '../operation.ts';
import { checkExchanges } from '../served-exchanges.ts';
import { daysOfLegs, type PairDay, pairDays } from './pair-days.ts';

const MAX_DAYS = 180;
const MAX_SYMBOL_LENGTH = 60;
/** Answers are cached for this long, or until a new print is stored. */
const FRESH_MS = 10 * SECOND_MS;

const symbolOf = (leg: string) => ({
  ...text(
    `${leg}_symbol`,
    MAX_SYMBOL_LENGTH,
    `Another contract of the ${leg} leg than the one that /arbitrage pairs: its symbol or the venue's own spelling of it`,
  ),
  allowsEmpty: false,
  example: 'BTC-USDT',
});

const parameters = {
  coin: coinText('coin', 'Ticker without multiplier, in any case'),
  long_exchange: exchangeText(
    'long_exchange',
    'Venue of the long leg, spelled as /exchanges returns it',
    'OKX',
  ),
  short_exchange: exchangeText(
    'short_exchange',
    'Venue of the short leg, spelled as /exchanges returns it',
    'Binance',
  ),
  long_symbol: symbolOf('long'),
  short_symbol: symbolOf('short'),
  from: time(
    'from',
    'Start of the window, included; default 30 days before to, narrowed to the depth of the plan',
  ),
  to: time(
    'to',
    'End of the window; default now, and never later. Days that start before it are there: at midnight the last one is the day that ends at it',
  ),
  days: {
    ...integer(
      'days',
      { min: 1, max: MAX_DAYS },
      'Days before to at which the window starts; ignored when from is given, whatever its value',
    ),
    ignoredWith: ['from'],
  },
};

const double = { type: 'number', format: 'double' };
const dateTime = { type: 'string', format: 'date-time' };
const named = (description: string): JsonSchema => ({ type: 'string', description });
const orNull = (description: string): JsonSchema => ({ anyOf: [double, { type: 'null' }], description });
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const dayPoint = object({
  day: { type: 'string', format: 'date', description: 'UTC calendar day' },
  long_pct: orNull(
    'What the long leg earned (positive) or paid, in percent of its size; null without a print',
  ),
  short_pct: orNull(
    'What the short leg earned (positive) or paid, in percent of its size; null without a print',
  ),
  net_pct: orNull('long_pct plus short_pct; null if one of them is'),
  cumulative_pct: {
    ...double,
    description: 'Sum of net_pct from the first day on; days without it add nothing',
  },
  is_complete: {
    type: 'boolean',
    description:
      'true = settled prints of both legs cover at least 95 % of the day; false for the current day',
  },
});

export interface PairCarry {
  coin: string;
  long_exchange: string;
  long_symbol: string;
  short_exchange: string;
  short_symbol: string;
  from: string;
  to: string;
  days: readonly PairDay[];
}

const PAIR_COLUMNS: readonly FlatColumn[] = [
  { name: 'coin', type: 'text' },
  { name: 'long_exchange', type: 'text' },
  { name: 'long_symbol', type: 'text' },
  { name: 'short_exchange', type: 'text' },
  { name: 'short_symbol', type: 'text' },
  { name: 'day', type: 'day' },
  { name: 'long_pct', type: 'number' },
  { name: 'short_pct', type: 'number' },
  { name: 'net_pct', type: 'number' },
  { name: 'cumulative_pct', type: 'number' },
  { name: 'is_complete', type: 'flag' },
];

function flatDays({ days, ...pair }: PairCarry): FlatRows {
  return flatObjects(
    PAIR_COLUMNS,
    days.map((day) => ({ ...pair, ...day })),
  );
}

export const arbitrageHistory = defineOperation({
  id: 'arbitrage-history',
  operationId: 'getArbitrageHistory',
  path: '/arbitrage/history',
  scope: 'history:read',
  summary: 'What a long on one venue and a short on another earned, day by day',
  description:
    'Settled funding of a pair by UTC day: the short leg receives a positive rate, the long leg pays it. Figures are percent of the size of one leg, before fees, and include the prints that had settled by the end of the window. Up to 180 days a call; each leg is the contract that /arbitrage pairs, or the venue’s largest linear one on the coin, unless a symbol names another. For what pairs earn now use /arbitrage.',
  parameters,
  freshness: ({ history }, _delaySeconds, nowMs) =>
    Math.floor(nowMs / FRESH_MS) * FRESH_MS + (history.changes % FRESH_MS),
  data: {
    ...object({
      coin: named('Ticker without multiplier'),
      long_exchange: named('Venue of the long leg'),
      long_symbol: named('Contract of the long leg'),
      short_exchange: named('Venue of the short leg'),
      short_symbol: named('Contract of the short leg'),
      from: { ...dateTime, description: 'Start of the window that was answered' },
      to: { ...dateTime, description: 'End of the window that was answered' },
      days: { type: 'array', items: dayPoint, description: 'One entry per UTC day, oldest first' },
    }),
    title: 'ArbitrageHistory',
  },
  shortRows: { leading: ['day', 'net_pct', 'cumulative_pct', 'long_pct', 'short_pct', 'is_complete'] },
  formats: { names: ['csv', 'parquet'], flat: (data) => flatDays(data as PairCarry) },
  example: {
    coin: 'BTC',
    long_exchange: 'OKX',
    long_symbol: 'BTC-USDT',
    short_exchange: 'Binance',
    short_symbol: 'BTC-USDT',
    from: '2026-11-13T12:00:00Z',
    to: '2026-11-15T12:00:00Z',
    days: [
      {
        day: '2026-11-14',
        long_pct: -0.012,
        short_pct: 0.0231,
        net_pct: 0.0111,
        cumulative_pct: 0.0111,
        is_complete: true,
      },
    ],
  },
  run: async (values, context): Promise<ObjectAnswer<PairCarry>> => {
    const { coin = '', long_exchange = '', short_exchange = '', from, to, days } = values;
    checkExchanges(context, [long_exchange, short_exchange]);
    if (long_exchange === short_exchange)
      throw new Problem(
        'invalid-parameter',
        `"short_exchange" must be another venue than "long_exchange"; got "${short_exchange}" twice.`,
      );
    const window = historyWindow({ resolution: '1d', from, to, days }, context.plan, context.nowMs);
    const usual = symbolsOf(coin, long_exchange, short_exchange, context);
    const long = legOf(coin, long_exchange, values.long_symbol ?? usual?.long, context);
    const short = legOf(coin, short_exchange, values.short_symbol ?? usual?.short, context);
    const newestMs = await newestPrintMs([long, short], window, context);
    const answered = answeredWindow(window, newestMs, DAY_MS);
    const { fromDay, toDay } = daysOf(answered);
    const legs = await daysOfLegs([long, short], fromDay, toDay, window.visibleMs, context);
    const [paid = [], received = []] = legs;
    const fields: PairCarry = {
      coin,
      long_exchange,
      long_symbol: long.symbol,
      short_exchange,
      short_symbol: short.symbol,
      from: isoTime(answered.fromMs),
      to: isoTime(answered.toMs),
      days: pairDays(paid, received, fromDay, toDay),
    };
    const meta = metaOf(answered.asOfMs, '/arbitrage/pair', context);
    return { fields, rows: null, flat: () => flatDays(fields), meta };
  },
});

/** The contracts that /arbitrage pairs now, which prefers equal quotes; null if it has no such row. */
function symbolsOf(
  coin: string,
  long: string,
  short: string,
  { data, plan, nowMs }: OperationContext,
): { long: string; short: string } | null {
  const table = data.arbitrage.at(plan.delaySeconds, nowMs)?.table;
  if (!table) return null;
  const is = (name: string, row: number, wanted: string) => table.text(name, row) === wanted;
  for (let row = 0; row < table.rowCount; row++) {
    if (!is('coin', row, coin)) continue;
    if (is('long_exchange', row, long) && is('short_exchange', row, short))
      return { long: table.text('long_symbol', row), short: table.text('short_symbol', row) };
    if (is('long_exchange', row, short) && is('short_exchange', row, long))
      return { long: table.text('short_symbol', row), short: table.text('long_symbol', row) };
  }
  return null;
}

/** The contract of a venue. Throws if the venue never had one on the coin. */
function legOf(
  coin: string,
  exchange: string,
  symbol: string | undefined,
  context: OperationContext,
): SeriesContract {
  const [contract] = seriesContracts({ coin, only: [exchange], without: undefined, symbol }, context);
  if (contract?.isOutlier && symbol === undefined)
    throw new Problem(
      'invalid-parameter',
      `What ${exchange} quotes as ${coin} is most likely another coin (price_outlier); choose another venue.`,
    );
  if (contract) return contract;
  throw new Problem('invalid-parameter', `${exchange} has no contract on ${coin}; choose another venue.`);
}
