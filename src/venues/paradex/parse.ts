import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import type { AssetClass, Batch, Contract, Depth } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import {
  amountOf,
  epochMsOf,
  ignore,
  isRow,
  listOf,
  NOT_LISTED,
  positiveOf,
  type Row,
  readRows,
  rowOf,
  textOf,
} from '../reading.ts';
import { bookOf, readLevels, readTop } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import {
  COMMODITIES,
  CURRENCIES,
  DEFAULT_PERIOD_HOURS,
  INDICES,
  OTHER_KIND,
  TRADFI_FUNDING_MULTIPLIER,
} from './wire.ts';

function assetClassOf(row: Row, base: string): AssetClass {
  if (decimalOrNull(row.funding_multiplier) !== TRADFI_FUNDING_MULTIPLIER) return 'crypto';
  if (COMMODITIES.has(base)) return 'commodity';
  if (INDICES.has(base)) return 'index';
  return CURRENCIES.has(base) ? 'forex' : 'stock';
}

/** A market has no status; it opens at `open_at`, and one that is gone is gone from the list. */
export function parseMarkets(payload: unknown, receivedAtMs: number): Batch {
  const batch = emptyBatch();
  const contracts: Contract[] = [];
  readRows(listOf(rowOf(payload, 'markets').results, 'results'), batch, 'symbol', (row, venueSymbol) => {
    const kind = textOf(row.asset_kind) ?? '';
    if (kind !== 'PERP') {
      const other = OTHER_KIND[kind];
      return other ? ignore(other) : `unknown kind ${kind}`;
    }
    const base = textOf(row.base_currency);
    const quote = textOf(row.quote_currency);
    const settle = textOf(row.settlement_currency);
    if (base === null || quote === null || settle === null) return 'no base, quote or settlement currency';
    const mode = textOf(row.trading_mode) ?? '';
    const listedAtMs = epochMsOf(row.open_at);
    const isOpen = listedAtMs === null || listedAtMs <= receivedAtMs;
    const margin = isRow(row.delta1_cross_margin_params)
      ? positiveOf(row.delta1_cross_margin_params.imf_base)
      : null;
    contracts.push({
      venueSymbol,
      base,
      quote,
      settle,
      isInverse: settle === base,
      contractSize: 1,
      // Markets for requested quotes only have no order book.
      status: !isOpen ? 'preopen' : mode === 'RFQ_ONLY' ? 'halted' : 'trading',
      venueStatus: mode,
      assetClass: assetClassOf(row, base),
      listedAtMs,
      delistsAtMs: epochMsOf(row.expiry_at),
      maxLeverage: margin === null ? null : Math.round(100 / margin) / 100,
      intervalHours: positiveOf(row.funding_period_hours) ?? DEFAULT_PERIOD_HOURS,
    });
    return null;
  });
  batch.contractList = { part: 'linear', contracts };
  return batch;
}

/** `funding_rate` is for the market's own period, which the list tells, and is paid bit by bit: there is no next time. */
export function parseSummaries(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(listOf(rowOf(payload, 'summary').results, 'results'), batch, 'symbol', (row, venueSymbol) => {
    if (!venueSymbol.endsWith('-PERP')) return ignore('not a perpetual');
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    if (contract.status === 'preopen') return ignore('not open yet');
    const venueTimeMs = epochMsOf(row.created_at);
    const volume24hUsdt = amountOf(row.volume_24h);
    const referencePrice = positiveOf(row.mark_price);
    if (volume24hUsdt !== null) batch.dayVolumes.push({ venueSymbol, volume24hUsdt, referencePrice });
    const ratePct = percentFromFraction(row.funding_rate);
    if (ratePct !== null) {
      const { intervalHours } = contract;
      batch.fundingQuotes.push({ venueSymbol, ratePct, nextFundingAtMs: null, intervalHours, venueTimeMs });
    }
    const fields = { bidPrice: row.bid, bidSize: row.bid_size, askPrice: row.ask, askSize: row.ask_size };
    const top = readTop(contract, fields, 'base', venueTimeMs);
    if (typeof top !== 'string') batch.bookTops.push(top);
    if (ratePct === null) return 'no rate';
    if (volume24hUsdt === null) return 'no volume';
    return typeof top === 'string' ? top : null;
  });
  return batch;
}

export function parseOrderbook(payload: unknown, contract: Contract): Depth {
  const row = rowOf(payload, 'orderbook');
  return bookOf(
    contract,
    readLevels(contract, listOf(row.bids, 'bids'), 'base'),
    readLevels(contract, listOf(row.asks, 'asks'), 'base'),
    epochMsOf(row.last_updated_at),
  );
}

export function parseNotices(payload: unknown): Batch {
  const batch = emptyBatch();
  for (const row of listOf(rowOf(payload, 'announcements').results, 'results')) {
    const title = isRow(row) ? textOf(row.title) : null;
    const publishedAtMs = isRow(row) ? epochMsOf(row.visible_at) : null;
    if (!isRow(row) || title === null || publishedAtMs === null) {
      batch.rejected.push({ venueSymbol: null, reason: 'notice without title or time' });
      continue;
    }
    batch.announcements.push({
      // Notices have neither id nor address.
      id: `${publishedAtMs} ${title}`,
      title,
      body: textOf(row.content),
      category: textOf(row.kind) ?? '',
      url: null,
      publishedAtMs,
    });
  }
  return batch;
}
