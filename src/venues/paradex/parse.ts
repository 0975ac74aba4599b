import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import { type AssetClass, type Batch, type Contract, type Depth, emptyBatch } from '../observations.ts';
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
import { addQuote, addTop, addVolume, firstReason, readContracts, readNotices } from '../row-readers.ts';
import { leverageOf, readBook, readTop } from '../units.ts';
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

/** A market has no status: it opens at `open_at`, and a delisted one is no longer in the list. */
export function parseMarkets(payload: unknown, receivedAtMs: number): Batch {
  const rows = listOf(rowOf(payload, 'markets').results, 'results');
  return readContracts(rows, 'symbol', 'linear', (row, venueSymbol) => {
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
    return {
      venueSymbol,
      base,
      quote,
      settle,
      isInverse: settle === base,
      contractSize: 1,
      // A market that only takes requests for quotes has no order book.
      status: !isOpen ? 'preopen' : mode === 'RFQ_ONLY' ? 'halted' : 'trading',
      venueStatus: mode,
      assetClass: assetClassOf(row, base),
      listedAtMs,
      delistsAtMs: epochMsOf(row.expiry_at),
      maxLeverage: isRow(row.delta1_cross_margin_params)
        ? leverageOf(row.delta1_cross_margin_params.imf_base)
        : null,
      intervalHours: positiveOf(row.funding_period_hours) ?? DEFAULT_PERIOD_HOURS,
    };
  });
}

/** `funding_rate` is for the period given in the market list and accrues continuously: there is no next settlement. */
export function parseSummaries(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(listOf(rowOf(payload, 'summary').results, 'results'), batch, 'symbol', (row, venueSymbol) => {
    if (!venueSymbol.endsWith('-PERP')) return ignore('not a perpetual');
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    if (contract.status === 'preopen') return ignore('not open yet');
    const venueTimeMs = epochMsOf(row.created_at);
    const volumeFault = addVolume(batch, contract, amountOf(row.volume_24h), positiveOf(row.mark_price));
    const rateFault = addQuote(batch, contract, {
      ratePct: percentFromFraction(row.funding_rate),
      nextFundingAtMs: null,
      intervalHours: contract.intervalHours,
      venueTimeMs,
    });
    const fields = { bidPrice: row.bid, bidSize: row.bid_size, askPrice: row.ask, askSize: row.ask_size };
    const topFault = addTop(batch, readTop(contract, fields, 'base', venueTimeMs));
    return firstReason(rateFault, volumeFault, topFault);
  });
  return batch;
}

export function parseOrderbook(payload: unknown, contract: Contract): Depth {
  const row = rowOf(payload, 'orderbook');
  const sides = { bids: listOf(row.bids, 'bids'), asks: listOf(row.asks, 'asks') };
  return readBook(contract, sides, 'base', epochMsOf(row.last_updated_at));
}

/** Notices have neither id nor address, so time and title make the id. */
export function parseNotices(payload: unknown): Batch {
  return readNotices(listOf(rowOf(payload, 'announcements').results, 'results'), (row) => {
    const publishedAtMs = epochMsOf(row.visible_at);
    const title = textOf(row.title);
    return {
      id: `${publishedAtMs} ${title}`,
      title,
      body: textOf(row.content),
      category: textOf(row.kind) ?? '',
      url: null,
      publishedAtMs,
    };
  });
}
