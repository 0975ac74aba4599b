import { roundPercent } from '../../base/numbers.ts';
import { depthOf } from '../../engines/depth/pair-costs.ts';
import {
  COIN_RATES_TABLE,
  coinRatesTable,
  SIZED_COIN_RATES_TABLE,
  withSize,
} from '../../engines/forecast/coin-rates.ts';
import { modelsOf } from '../../engines/forecast/models.ts';
import { SESSIONS } from '../../market/session.ts';
import type { Table } from '../../market/tables/table.ts';
import { choice, coinPath, exchanges, number } from '../../query/kinds.ts';
import { chosenColumns, fieldsParameter } from '../../query/paging.ts';
import { unknownCoin } from '../access/refusals.ts';
import type { ObjectAnswer, Row } from '../answer/answer.ts';
import { flatObjects } from '../answer/flat-rows.ts';
import { metaOf } from '../answer/meta.ts';
import { perInterval, plural, signed } from '../answer/words.ts';
import { coinsNamed } from '../coins-named.ts';
import { neededParameters } from '../list/needed-parameters.ts';
import { defineOperation, type OperationContext } from '../operation.ts';
import { checkExchanges } from '../served-exchanges.ts';
import { sizeParameter } from '../size.ts';
import { currentSnapshot, untilNextSnapshot } from '../snapshots.ts';
import { COIN_PROPERTIES, type CoinFigures } from './coin-properties.ts';
import { type CoinRanking, type RankedVenue, rankContracts } from './coin-ranking.ts';

const checkNeeded = neededParameters({ table: SIZED_COIN_RATES_TABLE, filters: {}, sorts: {} });

export const coinFunding = defineOperation({
  id: 'coin-funding',
  operationId: 'getCoinFunding',
  path: '/funding/{coin}',
  scope: 'funding:read',
  summary: 'Funding rates of one coin, compared over the venues',
  description:
    'Who pays most and least for one coin now. highest, lowest and spread_pct compare rate_pct, percent per settlement; best_short_exchange and best_long_exchange compare rates per hour, because a 1 h rate of 0.02 % pays more than an 8 h rate of 0.05 %. Longs pay positive rates to shorts. Contracts whose price shows another coin under the same ticker (price_outlier) are left out. When the filters leave nothing, venue_count is 0, rates is empty and venues are null. median_hours_above_fee says how long the best pair stayed above its fees before. expected_*_pct forecast what a short receives on this contract alone: expectations with a stated error (/developers/forecast), not advice. For rates that were paid use /funding/history.',
  tool: {
    name: 'svc_get_coin_funding',
    title: 'Funding of one coin',
    place: 3,
    conclusion: ({ fields }: ObjectAnswer<CoinFigures>) => {
      const { coin, highest, lowest, venue_count: venues } = fields;
      if (!highest || !lowest) return `No linear perpetual on ${coin} matches.`;
      const quoted = ({ exchange, rate_pct, interval_hours }: RankedVenue) =>
        `${signed(rate_pct)} % ${perInterval(interval_hours)} on ${exchange}`;
      return `${coin} on ${venues} ${plural(venues, 'venue')}: highest ${quoted(highest)}, lowest ${quoted(lowest)}, ${fields.spread_pct} percentage points apart per settlement; ${bestVenues(fields)}.`;
    },
  },
  parameters: {
    coin: coinPath('coin', 'Ticker without multiplier, in any case'),
    exchange: exchanges('exchange', 'Rank only these venues, as /exchanges spells them; at most 20'),
    exclude_exchange: exchanges('exclude_exchange', 'Leave these venues out; at most 20'),
    min_volume_usdt: {
      ...number(
        'min_volume_usdt',
        'Rank only venues whose 24 h volume over all their contracts on the coin is at least this, in USDT',
      ),
      columns: ['volume_24h_usdt'],
    },
    session: {
      ...choice('session', SESSIONS, 'State of the market of the underlying; drops crypto'),
      columns: ['session'],
    },
    size_usd: sizeParameter(
      'It adds entry_cost_pct, exit_cost_pct, exit_cost_worst_pct, fills and book_age_seconds to rates, of the position that receives the rate; apr_pct is then net of them.',
    ),
    fields: {
      ...fieldsParameter(SIZED_COIN_RATES_TABLE),
      description: 'Keep only these fields on every row of rates; the rest of data and meta are untouched',
    },
  },
  freshness: untilNextSnapshot((data) => data.funding),
  data: {
    type: 'object',
    title: 'CoinFundingResponse',
    properties: COIN_PROPERTIES,
    required: Object.keys(COIN_PROPERTIES),
    additionalProperties: false,
  },
  formats: {
    names: ['csv'],
    flat: (data) => flatObjects(COIN_RATES_TABLE.columns, (data as { rates: readonly Row[] }).rates),
  },
  shortRows: {
    leading: ['exchange', 'symbol', 'rate_pct', 'apr_pct', 'next_funding_at', 'volume_24h_usdt'],
    intervals: { rate_pct: 'interval_hours' },
  },
  example: {
    coin: 'SOL',
    venue_count: 3,
    spread_pct: 0.06,
    highest: { exchange: 'Bybit', symbol: 'SOL-USDT', rate_pct: 0.05, interval_hours: 8 },
    lowest: { exchange: 'OKX', symbol: 'SOL-USDT', rate_pct: -0.01, interval_hours: 8 },
    best_short_exchange: 'Hyperliquid',
    best_long_exchange: 'OKX',
    best_short_would_pay: false,
    best_long_would_pay: false,
    median_hours_above_fee: 14,
    times_above_fee: 9,
    hours_above_fee_now: 5,
    total_volume_24h_usdt: 2203448221.5,
    inverse_venues: [],
    rates: [
      {
        exchange: 'Bybit',
        symbol: 'SOL-USDT',
        venue_symbol: 'SOLUSDT',
        coin: 'SOL',
        is_inverse: false,
        asset_class: 'crypto',
        price_outlier: false,
        rate_pct: 0.05,
        apr_pct: 54.64,
        interval_hours: 8,
        next_funding_at: '2026-11-15T16:00:00Z',
        volume_24h_usdt: 903448221.5,
        mark_price: 181.42,
        index_price: 181.4,
        open_interest_usdt: 402118330.12,
        last_rate_pct: 0.031,
        last_funding_at: '2026-11-15T08:00:00Z',
        taker_fee_pct: 0.055,
        gross_apr_pct: 54.75,
        session: null,
        expected_1d_pct: 0.041,
        expected_7d_pct: 0.252,
        expected_30d_pct: 0.93,
        expected_30d_low_pct: 0.31,
        expected_30d_high_pct: 1.66,
      },
    ],
  },
  run: (
    { coin = '', exchange, exclude_exchange, min_volume_usdt, session, size_usd, fields: wanted },
    context,
  ) => {
    checkNeeded({ size_usd, fields: wanted });
    checkExchanges(context, exchange, exclude_exchange);
    const { asOfMs, table } = currentSnapshot(context.data.funding, context);
    const rows = rowsOfCoin(table, coin);
    if (!rows) {
      const tickers = tickersNow(context);
      throw unknownCoin(coin, tickers, coinsNamed(coin, table, tickers));
    }
    const ranking = rankContracts(table, rows, {
      only: exchange,
      without: exclude_exchange,
      minVolumeUsdt: min_volume_usdt,
      session,
    });
    const { highest, lowest } = ranking;
    const fields: CoinFigures = {
      coin,
      venue_count: ranking.venueCount,
      spread_pct: highest && lowest ? roundPercent(highest.rate_pct - lowest.rate_pct) : null,
      highest,
      lowest,
      best_short_exchange: ranking.bestShort?.exchange ?? null,
      best_long_exchange: ranking.bestLong?.exchange ?? null,
      best_short_would_pay: ranking.bestShort?.wouldPay ?? null,
      best_long_would_pay: ranking.bestLong?.wouldPay ?? null,
      ...timesAboveFee(table, ranking, asOfMs, context),
      total_volume_24h_usdt: ranking.totalVolumeUsdt,
      inverse_venues: ranking.inverseVenues,
    };
    const meta = metaOf(asOfMs, `/funding/${encodeURIComponent(coin)}`, context);
    meta.count = meta.total = ranking.order.length;
    const columns = chosenColumns(SIZED_COIN_RATES_TABLE, wanted);
    // Those of before the snapshot, so that all processes use the same.
    const models = modelsOf(context.data.forecastModels.at(1, asOfMs)?.table);
    const usual = coinRatesTable(table, models);
    const rates =
      size_usd === undefined
        ? usual
        : withSize(usual, size_usd, depthOf({ asOfMs, table }, context.data.depth), asOfMs);
    return { fields, rows: { table: rates, numbers: ranking.order, columns, field: 'rates' }, meta };
  },
});

/** How long the pair of the best venues stayed above the fee before. Of their contracts /arbitrage pairs two at most. */
function timesAboveFee(
  table: Table,
  { order, bestLong, bestShort }: CoinRanking,
  asOfMs: number,
  { data }: OperationContext,
): Pick<CoinFigures, 'median_hours_above_fee' | 'times_above_fee' | 'hours_above_fee_now'> {
  const contractsAt = (exchange: string | undefined) =>
    order
      .filter((row) => table.text('exchange', row) === exchange)
      .map((row) => `${exchange}/${table.text('venue_symbol', row)}`);
  const shorts = contractsAt(bestShort?.exchange);
  const found = contractsAt(bestLong?.exchange)
    .flatMap((long) => shorts.map((short) => data.arbitrage.timesAboveFee(long, short, asOfMs)))
    .find((times) => times !== null);
  const orNull = (value = Number.NaN) => (Number.isNaN(value) ? null : value);
  return {
    median_hours_above_fee: orNull(found?.medianHours),
    times_above_fee: orNull(found?.times),
    hours_above_fee_now: orNull(found?.nowHours),
  };
}

/** Without a known interval there is no rate per hour to compare. */
function bestVenues(figures: CoinFigures): string {
  const { best_short_exchange: short, best_long_exchange: long } = figures;
  if (short === null || long === null) return 'no interval is known, so rates per hour cannot be compared';
  if (figures.best_short_would_pay)
    return `no venue pays shorts now: per hour, ${short} charges them least, and ${long} is best for a long`;
  if (figures.best_long_would_pay)
    return `no venue pays longs now: per hour, ${short} is best for a short, and ${long} charges longs least`;
  return `per hour, ${short} is best for a short and ${long} for a long`;
}

/** The coin's contracts without price outliers, which are another coin. Null when no venue quotes the ticker. */
function rowsOfCoin(table: Table, coin: string): number[] | null {
  const { codes, values } = table.texts('coin');
  const code = values.indexOf(coin, 1);
  if (code < 0) return null;
  const isOutlier = table.numbers('price_outlier');
  const rows: number[] = [];
  for (let row = 0; row < table.rowCount; row++) {
    if (codes[row] === code && isOutlier[row] !== 1) rows.push(row);
  }
  return rows;
}

function tickersNow(context: OperationContext): readonly string[] {
  return currentSnapshot(context.data.coins, context).table.texts('coin').values.slice(1);
}
