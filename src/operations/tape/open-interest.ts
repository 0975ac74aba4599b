import type { FlatColumn } from '../answer/flat-rows.ts';
import { defineOperation } from '../operation.ts';
import { CONTRACT_COLUMNS, flatPoints, readPoints, tapeAnswer, tapeFreshness } from './answer.ts';
import { interestPoints, interestTotal, type OpenInterest } from './interest-points.ts';
import { TAPE_PARAMETERS, tapeRequest } from './request.ts';
import { AT, CONTRACT_FIELDS, double, listOf, object, orNull, WINDOW_FIELDS } from './schema.ts';

const PATH = '/open-interest/history';

const FIGURES = {
  open_interest_usdt: 'Value of the open positions in USDT, one side counted, to five digits',
  mark_price:
    "The venue's mark price in the quote currency, for one unit of the contract's own base, to seven digits",
  premium_pct: 'The mark price above the index price, in percent (0.01 = one basis point), to a thousandth',
} as const;

const lowest = (name: string) => `The lowest ${name} in the step; null with step=1m`;
const highest = (name: string) => `The highest ${name} in the step; null with step=1m`;

const POINT = {
  title: 'OpenInterestPoint',
  ...object({
    at: AT,
    ...Object.fromEntries(
      Object.entries(FIGURES).flatMap(([name, description]) => [
        [name, orNull(double, `${description}; null when it was unknown`)],
        [`low_${name}`, orNull(double, lowest(name))],
        [`high_${name}`, orNull(double, highest(name))],
      ]),
    ),
    volume_24h_usdt: orNull(double, 'Turnover of the 24 hours before, in USDT, to five digits'),
  }),
};

const SUM = {
  title: 'OpenInterestSum',
  ...object({
    at: AT,
    open_interest_usdt: orNull(
      double,
      'Sum over the venues whose open interest was known in the step; null if none was',
    ),
    open_interest_venues: {
      type: 'integer',
      format: 'int32',
      description: 'How many venues make the sum of open interest',
    },
    volume_24h_usdt: orNull(
      double,
      'Sum over the venues whose volume was known in the step; null if none was',
    ),
    volume_venues: {
      type: 'integer',
      format: 'int32',
      description: 'How many venues make the sum of volume',
    },
  }),
};

const COLUMNS: readonly FlatColumn[] = [
  ...CONTRACT_COLUMNS,
  ...Object.keys(FIGURES).flatMap((name): FlatColumn[] => [
    { name, type: 'number' },
    { name: `low_${name}`, type: 'number' },
    { name: `high_${name}`, type: 'number' },
  ]),
  { name: 'volume_24h_usdt', type: 'number' },
];

export const openInterestHistory = defineOperation({
  id: 'open-interest-history',
  operationId: 'getOpenInterestHistory',
  path: PATH,
  scope: 'history:read',
  summary: 'Open interest, mark price, premium and volume of a coin through time, per venue and summed',
  description:
    'The last value of each step, and the lowest and highest in it, per venue; and the sums of open interest and volume over the venues, with the number of venues that make each sum. The premium is recorded every minute, the rest every five: with step=1m it is in the entry of the last of five minutes, and null in the others. The last step may not be over. A time without an entry is a gap. Each venue is there with its largest linear contract on the coin; symbol picks another. CSV and Parquet have the rows of the venues. For the figures now use /funding. Every rule is on the page /developers/tape.',
  parameters: TAPE_PARAMETERS,
  freshness: tapeFreshness,
  data: {
    ...object({
      ...WINDOW_FIELDS,
      total: listOf(SUM, 'Over the venues of series, oldest first'),
      series: listOf(
        object({ ...CONTRACT_FIELDS, points: listOf(POINT, 'Oldest first') }),
        'One entry per venue, by name',
      ),
    }),
    title: 'OpenInterestHistoryResponse',
  },
  tableRows: ['series', 'points'],
  shortRows: { leading: ['exchange', 'at', 'open_interest_usdt', 'premium_pct'] },
  formats: { names: ['csv', 'parquet'], flat: (data) => flatPoints(COLUMNS, data as OpenInterest) },
  example: {
    coin: 'BTC',
    step: '1h',
    from: '2026-11-15T10:00:00Z',
    to: '2026-11-15T11:30:00Z',
    total: [
      {
        at: '2026-11-15T10:00:00Z',
        open_interest_usdt: 8_123_400_000,
        open_interest_venues: 1,
        volume_24h_usdt: 14_560_000_000,
        volume_venues: 1,
      },
    ],
    series: [
      {
        exchange: 'Binance',
        symbol: 'BTC-USDT',
        venue_symbol: 'BTCUSDT',
        is_inverse: false,
        points: [
          {
            at: '2026-11-15T10:00:00Z',
            open_interest_usdt: 8_123_400_000,
            low_open_interest_usdt: 8_101_200_000,
            high_open_interest_usdt: 8_130_000_000,
            mark_price: 96_412.5,
            low_mark_price: 96_250.1,
            high_mark_price: 96_502,
            premium_pct: -0.021,
            low_premium_pct: -0.034,
            high_premium_pct: -0.008,
            volume_24h_usdt: 14_560_000_000,
          },
        ],
      },
    ],
  },
  run: async (values, context) => {
    const request = await tapeRequest(values, PATH, context);
    const columns = ['ratePct', 'premiumPct', 'markPrice', 'openInterestUsdt', 'volume24hUsdt'] as const;
    const series = await readPoints(request, columns, context, interestPoints);
    const page = { path: `/funding/${encodeURIComponent(request.coin)}/open-interest`, parameters: ['days'] };
    return await tapeAnswer(request, { total: await interestTotal(series), series }, COLUMNS, page, context);
  },
});
