import { SECOND_MS } from '../../base/times.ts';
import type { Table, TableSpec } from '../../market/tables/table.ts';
import { TableBuilder } from '../../market/tables/table-builder.ts';
import type { Venue } from '../../venues/venue.ts';

export const COINS_TABLE: TableSpec = {
  name: 'coins',
  rowTitle: 'CoinRow',
  columns: [
    { name: 'coin', type: 'text', nullable: false, description: 'Ticker without multiplier' },
    {
      name: 'venue_count',
      type: 'integer',
      nullable: false,
      description: 'Venues quoting a linear perpetual on it',
    },
    {
      name: 'exchanges',
      type: 'texts',
      nullable: false,
      description: 'Venues quoting a linear perpetual on it',
    },
    {
      name: 'volume_24h_usdt',
      type: 'number',
      nullable: false,
      description: '24 h perpetual turnover over all venues in USDT',
    },
    {
      name: 'change_24h_pct',
      type: 'number',
      nullable: true,
      description:
        'Mark price of the contract that was the most traded linear one 24 hours ago, against its mark price then (within ten minutes), in percent; null when it is not known',
    },
    {
      name: 'funding_url',
      type: 'text',
      nullable: false,
      description: 'Page with the funding rates of the coin',
    },
  ],
};

export const EXCHANGES_TABLE: TableSpec = {
  name: 'exchanges',
  rowTitle: 'ExchangeRow',
  columns: [
    {
      name: 'exchange',
      type: 'text',
      nullable: false,
      description: 'Venue name, the spelling of every filter (case-sensitive)',
    },
    { name: 'name', type: 'text', nullable: false, description: 'Full name' },
    { name: 'icon_url', type: 'text', nullable: false, description: 'Icon of the venue' },
    {
      name: 'tracked_instruments',
      type: 'integer',
      nullable: false,
      description: 'Perpetual contracts in the snapshot',
    },
    {
      name: 'max_leverage',
      type: 'integer',
      isUnsigned: true,
      nullable: false,
      description: 'Highest leverage on any contract',
    },
    { name: 'taker_fee_pct', type: 'number', nullable: false, description: 'Default taker fee in percent' },
    {
      name: 'trading_enabled',
      type: 'flag',
      nullable: false,
      description: 'true = the host product can trade there',
    },
    { name: 'has_spot', type: 'flag', nullable: false, description: 'true = the venue has a spot market' },
    { name: 'fee_url', type: 'text', nullable: true, description: "The venue's fee page" },
    { name: 'specs_url', type: 'text', nullable: false, description: "The venue's contract specifications" },
    { name: 'funding_url', type: 'text', nullable: false, description: "The venue's funding page" },
    {
      name: 'page_url',
      type: 'text',
      nullable: false,
      description: 'Our page of the venue: its contracts, fees, intervals, health and accuracy',
    },
    {
      name: 'depth_period_seconds',
      type: 'integer',
      nullable: true,
      description:
        'How often the order books of its most traded third are fetched, in seconds: 60, or longer where its request limits do not allow it; others every 5 times this, and every 30 times without trades. null before the first book',
    },
    {
      name: 'no_history_reason',
      type: 'text',
      nullable: true,
      description:
        'Why it has no settled history, so that sums and realised figures are null; null where it has one',
    },
    {
      name: 'no_book_reason',
      type: 'text',
      nullable: true,
      description: 'Why it has no bid and ask, so neither spreads nor depth; null where it has them',
    },
    {
      name: 'quote_age_seconds',
      type: 'integer',
      nullable: true,
      description: 'Median age of the quotes that it publishes instead, in seconds; null where it has a book',
    },
    {
      name: 'mirrors',
      type: 'text',
      nullable: true,
      description:
        'The venue whose settled rates it repeats to the digit on most contracts of the last day; /arbitrage leaves out pairs of the two. null: its rates are its own',
    },
  ],
};

interface CoinSum {
  exchanges: Set<string>;
  volume24hUsdt: number;
  change24hPct: number | null;
}

/** Coins and the venues that quote a linear perpetual on them. Price outliers are other coins and are left out. */
export function coinsTable(funding: Table, baseUrl: string): Table {
  const coins = new Map<string, CoinSum>();
  const isInverse = funding.numbers('is_inverse');
  const isOutlier = funding.numbers('price_outlier');
  const volume = funding.numbers('volume_24h_usdt');
  const dayAgo = funding.numbers('price_24h_ago');
  for (let row = 0; row < funding.rowCount; row++) {
    if (isOutlier[row] === 1) continue;
    const coin = funding.text('coin', row);
    const sum = coins.get(coin) ?? { exchanges: new Set(), volume24hUsdt: 0, change24hPct: null };
    if (isInverse[row] === 0) sum.exchanges.add(funding.text('exchange', row));
    sum.volume24hUsdt += volume[row] ?? 0;
    if ((dayAgo[row] ?? 0) > 0) sum.change24hPct = change24hPct(funding, row);
    coins.set(coin, sum);
  }
  const builder = new TableBuilder(COINS_TABLE);
  for (const [coin, sum] of coins) {
    builder.add({
      coin,
      venue_count: sum.exchanges.size,
      exchanges: [...sum.exchanges].sort(),
      volume_24h_usdt: Math.round(sum.volume24hUsdt * 100) / 100,
      change_24h_pct: sum.change24hPct,
      funding_url: `${baseUrl}/funding/${encodeURIComponent(coin)}`,
    });
  }
  return builder.build();
}

function change24hPct(funding: Table, row: number): number | null {
  const price = coinPriceAt(funding, row);
  const dayAgo = funding.numbers('price_24h_ago')[row] as number;
  return price === null ? null : Math.round((price / dayAgo - 1) * 10_000) / 100;
}

/** The mark price of a contract for one unit of the coin; null if it is not known. */
export function coinPriceAt(funding: Table, row: number): number | null {
  const mark = funding.numbers('mark_price')[row] ?? Number.NaN;
  const multiplier = funding.numbers('multiplier')[row] ?? Number.NaN;
  const price = mark / (multiplier > 0 ? multiplier : 1);
  return Number.isNaN(price) ? null : price;
}

export function exchangesTable(funding: Table, venues: readonly Venue[], baseUrl: string): Table {
  const tracked = new Map<string, number>();
  const leverage = new Map<string, number>();
  const shortest = new Map<string, number>();
  const mirrors = new Map<string, string>();
  const maxLeverage = funding.numbers('max_leverage');
  const depthPeriods = funding.numbers('depth_period_ms');
  const quoteAges = funding.numbers('quote_age_ms');
  const quoteAgesMs = new Map<string, number[]>();
  for (let row = 0; row < funding.rowCount; row++) {
    const exchange = funding.text('exchange', row);
    tracked.set(exchange, (tracked.get(exchange) ?? 0) + 1);
    if (funding.texts('mirrors').codes[row] !== 0) mirrors.set(exchange, funding.text('mirrors', row));
    const allowed = maxLeverage[row] ?? Number.NaN;
    if (allowed > (leverage.get(exchange) ?? 0)) leverage.set(exchange, allowed);
    const quoteAgeMs = quoteAges[row] ?? Number.NaN;
    if (quoteAgeMs >= 0) quoteAgesMs.set(exchange, [...(quoteAgesMs.get(exchange) ?? []), quoteAgeMs]);
    const periodMs = depthPeriods[row] ?? Number.NaN;
    if (periodMs < (shortest.get(exchange) ?? Number.POSITIVE_INFINITY)) shortest.set(exchange, periodMs);
  }
  const builder = new TableBuilder(EXCHANGES_TABLE);
  for (const { slug, facts } of venues) {
    builder.add({
      exchange: facts.exchange,
      name: facts.name,
      icon_url: `${baseUrl}/icons/${slug}.svg`,
      tracked_instruments: tracked.get(facts.exchange) ?? 0,
      // The largest over the venue's contracts; the fact is for venues whose lists have none.
      max_leverage: Math.floor(leverage.get(facts.exchange) ?? facts.maxLeverage.value),
      taker_fee_pct: facts.takerFeePct.value,
      trading_enabled: facts.tradingEnabled,
      has_spot: facts.hasSpot,
      fee_url: facts.feeUrl,
      specs_url: facts.specsUrl,
      funding_url: facts.fundingUrl,
      page_url: `${baseUrl}/exchanges/${encodeURIComponent(facts.exchange)}`,
      depth_period_seconds: secondsOf(shortest.get(facts.exchange)),
      no_history_reason: facts.noHistory ?? null,
      no_book_reason: facts.noBook ?? null,
      quote_age_seconds: secondsOf(medianOf(quoteAgesMs.get(facts.exchange) ?? [])),
      mirrors: mirrors.get(facts.exchange) ?? null,
    });
  }
  return builder.build();
}

function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function secondsOf(timeMs: number | undefined): number | null {
  return timeMs === undefined ? null : Math.round(timeMs / SECOND_MS);
}
