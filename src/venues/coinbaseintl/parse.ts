import { percentFromFraction } from '../../base/numbers.ts';
import { nextFullHourMs } from '../../base/times.ts';
import { assetClassOf } from '../asset-class.ts';
import { type Batch, type Contract, type Depth, linearContract } from '../observations.ts';
import { pageByNumber, readPrints } from '../prints.ts';
import { amountOf, ignore, isoMsOf, isRow, listOf, positiveOf, type Row, rowOf, textOf } from '../reading.ts';
import { addMarket, addTop, firstReason, readContracts } from '../row-readers.ts';
import { leverageOf, openInterestUsdt, readBook, readTop } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import {
  CLASS_OF_BASE,
  CONTRACT_STATUS,
  HISTORY_PAGE_ROWS,
  NANOSECONDS_PER_HOUR,
  PERPETUAL_SUFFIX,
} from './wire.ts';

/** One list has the contracts with all of their figures, and spot markets. */
export function parseInstruments(payload: unknown, { receivedAtMs }: ParseContext): Batch {
  const rows = listOf(payload, 'instruments');
  return readContracts(rows, 'symbol', 'perpetuals', readContract, (row, contract, batch) =>
    contract.status === 'trading' ? readFigures(row, contract, batch, receivedAtMs) : null,
  );
}

function readContract(row: Row, venueSymbol: string): Contract | string {
  if (row.type === 'SPOT') return ignore('spot');
  if (row.type !== 'PERP' || !venueSymbol.endsWith(PERPETUAL_SUFFIX)) return ignore('not a perpetual');
  // The name has the multiplier of the price: 1000SHIB-PERP.
  const base = venueSymbol.slice(0, -PERPETUAL_SUFFIX.length);
  const quote = textOf(row.quote_asset_name);
  if (quote === null) return 'no quote';
  const venueStatus = textOf(row.trading_state) ?? '';
  const status = CONTRACT_STATUS[venueStatus];
  if (status === undefined) return `unknown status ${venueStatus}`;
  const assetClass = assetClassOf(base, CLASS_OF_BASE[base] ?? 'crypto');
  const maxLeverage = leverageOf(row.base_imf);
  return linearContract({ venueSymbol, base, quote, status, venueStatus, assetClass, maxLeverage });
}

/** `predicted_funding` is a fraction of the interval that runs. No field has the time of the settlement. */
function readFigures(row: Row, contract: Contract, batch: Batch, receivedAtMs: number): string | null {
  const quote = isRow(row.quote) ? row.quote : {};
  const nanoseconds = positiveOf(row.funding_interval);
  const intervalHours = nanoseconds === null ? null : nanoseconds / NANOSECONDS_PER_HOUR;
  const [markPrice, venueTimeMs] = [positiveOf(quote.mark_price), isoMsOf(quote.timestamp)];
  const fields = {
    bidPrice: quote.best_bid_price,
    bidSize: quote.best_bid_size,
    askPrice: quote.best_ask_price,
    askSize: quote.best_ask_size,
  };
  return firstReason(
    addMarket(batch, contract, {
      ratePct: percentFromFraction(quote.predicted_funding),
      nextFundingAtMs: intervalHours === 1 ? nextFullHourMs(receivedAtMs) : null,
      intervalHours,
      venueTimeMs,
      volume24hUsdt: amountOf(row.notional_24hr),
      markPrice,
      indexPrice: positiveOf(quote.index_price),
      openInterestUsdt: openInterestUsdt(contract, row.open_interest, 'base', markPrice),
    }),
    addTop(batch, readTop(contract, fields, 'base', venueTimeMs)),
  );
}

/** Newest first, by offset. */
export function parseFunding(payload: unknown, contract: Contract, window: SettlementWindow): SettlementPage {
  const rows = listOf(rowOf(payload, 'funding').results, 'results');
  const prints = readPrints(rows, { contract }, window, (row) => ({
    ratePct: percentFromFraction(row.funding_rate),
    settledAtMs: isoMsOf(row.event_time),
  }));
  return pageByNumber(prints, window, rows.length < HISTORY_PAGE_ROWS);
}

/** There is no public call for the book, so this one has a single level. */
export function parseQuote(payload: unknown, contract: Contract): Depth {
  const quote = rowOf(payload, 'quote');
  const bids = [[quote.best_bid_price, quote.best_bid_size]];
  const asks = [[quote.best_ask_price, quote.best_ask_size]];
  return readBook(contract, { bids, asks }, 'base', isoMsOf(quote.timestamp));
}
