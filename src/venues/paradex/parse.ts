import { decimalOrNull, percentFromFraction, roundPercent } from '../../base/numbers.ts';
import { ownValue } from '../../base/own-value.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import { readContracts } from '../contract-list.ts';
import { amountOf, epochMsOf, positiveOf, textOf } from '../fields.ts';
import { type AssetClass, type Batch, type Contract, type Depth, emptyBatch } from '../observations.ts';
import { ignore, isRow, listOf, NOT_LISTED, type Row, readRows, rowOf } from '../reading.ts';
import { addFigures, addQuote, addTop, addVolume, firstReason, readNotices } from '../row-readers.ts';
import { leverageOf, readBook, readTop } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import {
  COMMODITIES,
  CURRENCIES,
  DEFAULT_PERIOD_HOURS,
  INDICES,
  OTHER_KIND,
  RATE_HOURS,
  TRADFI_FUNDING_MULTIPLIER,
} from './wire.ts';

function labelledClassOf(row: Row, base: string): AssetClass {
  if (decimalOrNull(row.funding_multiplier) !== TRADFI_FUNDING_MULTIPLIER) return 'crypto';
  if (COMMODITIES.has(base)) return 'commodity';
  if (INDICES.has(base)) return 'index';
  return CURRENCIES.has(base) ? 'forex' : traditionalClassOf(base);
}

/** A contract with the period that the venue's other replies state its rate for. */
interface ParadexContract extends Contract {
  fundingPeriodHours: number;
}

function fundingPeriodHoursOf(contract: Contract): number {
  const { fundingPeriodHours = DEFAULT_PERIOD_HOURS } = contract as Partial<ParadexContract>;
  return fundingPeriodHours;
}

/** A market has no status: it opens at `open_at`, and a delisted one is no longer in the list. */
export function parseMarkets(payload: unknown, receivedAtMs: number): Batch {
  const rows = listOf(rowOf(payload, 'markets').results, 'results');
  return readContracts(rows, 'symbol', 'linear', (row, venueSymbol) => {
    const kind = textOf(row.asset_kind) ?? '';
    if (kind !== 'PERP') {
      const other = ownValue(OTHER_KIND, kind);
      return other ? ignore(other) : `unknown kind ${kind}`;
    }
    const base = textOf(row.base_currency);
    const quote = textOf(row.quote_currency);
    const settle = textOf(row.settlement_currency);
    if (base === null || quote === null || settle === null) return 'no base, quote or settlement currency';
    const mode = textOf(row.trading_mode) ?? '';
    const listedAtMs = epochMsOf(row.open_at);
    const isOpen = listedAtMs === null || listedAtMs <= receivedAtMs;
    const contract: ParadexContract = {
      venueSymbol,
      base,
      quote,
      settle,
      isInverse: settle === base,
      contractSize: 1,
      // A market that only takes requests for quotes has no order book.
      status: !isOpen ? 'preopen' : mode === 'RFQ_ONLY' ? 'halted' : 'trading',
      venueStatus: mode,
      assetClass: assetClassOf(base, labelledClassOf(row, base)),
      listedAtMs,
      delistsAtMs: epochMsOf(row.expiry_at),
      maxLeverage: isRow(row.delta1_cross_margin_params)
        ? leverageOf(row.delta1_cross_margin_params.imf_base)
        : null,
      intervalHours: RATE_HOURS,
      fundingPeriodHours: positiveOf(row.funding_period_hours) ?? DEFAULT_PERIOD_HOURS,
    };
    return contract;
  });
}

/** `funding_rate` accrues continuously: there is no next settlement. It already includes the market's multiplier. */
export function parseSummaries(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(listOf(rowOf(payload, 'summary').results, 'results'), batch, 'symbol', (row, venueSymbol) => {
    if (!venueSymbol.endsWith('-PERP')) return ignore('not a perpetual');
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    // A market that has opened since the list was read makes the list be read again.
    if (contract.status === 'preopen')
      return (contract.listedAtMs ?? Number.POSITIVE_INFINITY) <= context.receivedAtMs
        ? NOT_LISTED
        : ignore('not open yet');
    const venueTimeMs = epochMsOf(row.created_at);
    const markPrice = positiveOf(row.mark_price);
    addFigures(batch, contract, {
      markPrice,
      indexPrice: positiveOf(row.underlying_price),
      openInterest: { amount: row.open_interest, unit: 'base' },
    });
    const volumeFault = addVolume(batch, contract, amountOf(row.volume_24h), markPrice);
    const rateFault = addQuote(batch, contract, {
      ratePct: eightHourPct(row.funding_rate, fundingPeriodHoursOf(contract)),
      nextFundingAtMs: null,
      intervalHours: RATE_HOURS,
      venueTimeMs,
    });
    const fields = { bidPrice: row.bid, bidSize: row.bid_size, askPrice: row.ask, askSize: row.ask_size };
    const topFault = addTop(batch, readTop(contract, fields, 'base', venueTimeMs));
    return firstReason(rateFault, volumeFault, topFault);
  });
  return batch;
}

/** The rate is for the market's own period, which the market list has: 8 hours in every market of 2026-09-11. */
function eightHourPct(fraction: unknown, periodHours: number): number | null {
  const percent = percentFromFraction(fraction);
  if (percent === null || periodHours === RATE_HOURS) return percent;
  return roundPercent((percent * RATE_HOURS) / periodHours);
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
