import { Problem } from '../../base/problems.ts';
import { isoTime, MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { roundedCost } from '../../engines/depth/day-columns.ts';
import { DEFAULT_SIZE_USD } from '../../engines/depth/table.ts';
import { costPctAt, type SizePlace, sizePlace } from '../../history/depth/cost-codec.ts';
import type { CostPoint } from '../../history/depth/store.ts';
import { coinText, exchangeText, integer, text, time } from '../../query/kinds.ts';
import type { JsonSchema } from '../../query/parameter.ts';
import type { ObjectAnswer } from '../answer/answer.ts';
import { type FlatColumn, type FlatRows, flatObjects } from '../answer/flat-rows.ts';
import { metaOf } from '../answer/meta.ts';
import { seriesContracts } from '../funding-history/series.ts';
import { answeredWindow, newestMinute, windowWithin } from '../funding-history/window.ts';
import { defineOperation } from '../operation.ts';
import { checkExchanges } from '../served-exchanges.ts';

const MAX_SYMBOL_LENGTH = 60;
const MAX_DAYS = 92;
const DEFAULT_DAYS = 7;
const RULE = { mostDays: MAX_DAYS, defaultDays: DEFAULT_DAYS };
/** Answers are cached for this long. */
const FRESH_MS = 30 * SECOND_MS;

const parameters = {
  coin: coinText('coin', 'Ticker without multiplier, in any case'),
  exchange: exchangeText('exchange', 'Venue, spelled as /exchanges returns it', 'OKX'),
  symbol: {
    ...text(
      'symbol',
      MAX_SYMBOL_LENGTH,
      "Another contract than the venue's most traded linear one on the coin: its symbol or the venue's own spelling of it",
    ),
    allowsEmpty: false,
    example: 'BTC-USDT',
  },
  from: time(
    'from',
    `Start of the window, included; default ${DEFAULT_DAYS} days before to, narrowed to the depth of the plan`,
  ),
  to: time('to', 'End of the window, included; default the newest sample, and never later'),
  days: {
    ...integer(
      'days',
      { min: 1, max: MAX_DAYS },
      'Days before to at which the window starts; ignored when from is given, whatever its value',
    ),
    ignoredWith: ['from'],
  },
  size_usd: integer(
    'size_usd',
    { min: 100, max: 250_000 },
    `Size of the order in USD; default ${DEFAULT_SIZE_USD}`,
  ),
};

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const named = (description: string): JsonSchema => ({ type: 'string', description });
const timeField = (description: string): JsonSchema => ({
  type: 'string',
  format: 'date-time',
  description,
});
const cost = (what: string): JsonSchema => ({
  anyOf: [{ type: 'number', format: 'double' }, { type: 'null' }],
  description: `Average price of ${what} against the mid price, in percent, before fees; null where the levels that the venue sent do not fill the size`,
});

interface CostOfTime {
  at: string;
  buy_cost_pct: number | null;
  sell_cost_pct: number | null;
}

interface DepthCosts {
  coin: string;
  exchange: string;
  symbol: string;
  size_usd: number;
  from: string;
  to: string;
  points: readonly CostOfTime[];
}

const COLUMNS: readonly FlatColumn[] = [
  { name: 'coin', type: 'text' },
  { name: 'exchange', type: 'text' },
  { name: 'symbol', type: 'text' },
  { name: 'size_usd', type: 'number' },
  { name: 'at', type: 'time' },
  { name: 'buy_cost_pct', type: 'number' },
  { name: 'sell_cost_pct', type: 'number' },
];

function flatPoints({ points, ...contract }: DepthCosts): FlatRows {
  return flatObjects(
    COLUMNS,
    points.map((point) => ({ ...contract, ...point })),
  );
}

export const depthHistory = defineOperation({
  id: 'depth-history',
  operationId: 'getDepthHistory',
  path: '/depth/history',
  scope: 'history:read',
  summary: 'What an order of your size cost against the book of a contract, every five minutes',
  description:
    'For one contract: by how much the average price of an order of size_usd was worse than the mid price, to buy and to sell, every five minutes. Before fees. Costs are stored for six sizes from 100 to 250,000 USD in steps of 2 % and interpolated between them. A time without a new book has no entry; null means that the book was known and its levels did not fill the size, or did not reach the next larger stored size. For the depth now use /depth.',
  parameters,
  freshness: (_data, _delaySeconds, nowMs) => Math.floor(nowMs / FRESH_MS),
  data: {
    ...object({
      coin: named('Ticker without multiplier'),
      exchange: named('Venue'),
      symbol: named('Contract symbol BASE-QUOTE'),
      size_usd: { type: 'integer', format: 'int32', description: 'Size of the order in USD' },
      from: timeField('Start of the window that was answered'),
      to: timeField('End of the window that was answered'),
      points: {
        type: 'array',
        items: object({
          at: timeField('Minute of the books, UTC'),
          buy_cost_pct: cost('a buyer'),
          sell_cost_pct: cost('a seller'),
        }),
        description: 'Oldest first',
      },
    }),
    title: 'DepthHistory',
  },
  shortRows: { leading: ['at', 'buy_cost_pct', 'sell_cost_pct'] },
  formats: { names: ['csv', 'parquet'], flat: (data) => flatPoints(data as DepthCosts) },
  example: {
    coin: 'SOL',
    exchange: 'OKX',
    symbol: 'SOL-USDT',
    size_usd: 20_000,
    from: '2026-11-08T12:00:00Z',
    to: '2026-11-15T12:00:00Z',
    points: [{ at: '2026-11-15T11:55:00Z', buy_cost_pct: 0.0112, sell_cost_pct: 0.0121 }],
  },
  run: async (values, context): Promise<ObjectAnswer<DepthCosts>> => {
    const { coin = '', exchange = '', symbol, from, to, days, size_usd = DEFAULT_SIZE_USD } = values;
    checkExchanges(context, [exchange]);
    const window = windowWithin(RULE, { from, to, days }, context.plan, context.nowMs);
    const [contract] = seriesContracts({ coin, only: [exchange], without: undefined, symbol }, context);
    if (!contract)
      throw new Problem('invalid-parameter', `${exchange} has no contract on ${coin}; choose another venue.`);
    const samplesIn = (fromMinute: number, toMinute: number) =>
      context.data.depthCosts.series(contract, fromMinute, toMinute);
    const newest = await newestMinute(
      Math.ceil(window.fromMs / MINUTE_MS),
      Math.floor(window.toMs / MINUTE_MS),
      async (fromMinute, toMinute) => (await samplesIn(fromMinute, toMinute)).at(-1)?.minute ?? null,
    );
    const answered = answeredWindow(window, newest === null ? null : newest * MINUTE_MS, MINUTE_MS);
    const { toMs, asOfMs, isNarrowed } = answered;
    const stored = await samplesIn(Math.ceil(answered.fromMs / MINUTE_MS), Math.floor(toMs / MINUTE_MS));
    const firstMs = (stored[0]?.minute ?? Number.NaN) * MINUTE_MS;
    const fromMs = isNarrowed ? firstMs || toMs : answered.fromMs;
    const place = sizePlace(size_usd);
    const fields: DepthCosts = {
      ...{ coin, exchange, symbol: contract.symbol, size_usd },
      ...{ from: isoTime(fromMs), to: isoTime(toMs) },
      points: stored.map((point) => costOfTime(point, place)),
    };
    const meta = metaOf(asOfMs, `/depth/${encodeURIComponent(coin)}/${encodeURIComponent(exchange)}`, {
      ...context,
      sent: new Map([...context.sent].filter(([name]) => name === 'symbol' || name === 'size_usd')),
    });
    return { fields, rows: null, flat: () => flatPoints(fields), meta };
  },
});

function costOfTime({ minute, costsPct }: CostPoint, place: SizePlace | null): CostOfTime {
  const rounded = (isBuy: boolean) => {
    const pct = costPctAt(costsPct, place, isBuy);
    return Number.isNaN(pct) ? null : roundedCost(pct);
  };
  return { at: isoTime(minute * MINUTE_MS), buy_cost_pct: rounded(true), sell_cost_pct: rounded(false) };
}
