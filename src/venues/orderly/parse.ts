import { percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import { type Batch, type Contract, linearContract } from '../observations.ts';
import { pageBackward, readPrints } from '../prints.ts';
import {
  amountOf,
  epochMsOf,
  goodReply,
  ignore,
  listOf,
  positiveOf,
  type Row,
  rowOf,
  textOf,
} from '../reading.ts';
import {
  addFigures,
  addScheduledQuote,
  addTop,
  addVolume,
  readContracts,
  readListed,
} from '../row-readers.ts';
import { leverageOf, openInterestUsdt, readTop } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import { CLASS_OF_BASE, CONTRACT_STATUS } from './wire.ts';

function dataOf(payload: unknown, what: string): Row {
  return rowOf(goodReply(payload, what, 'success', true).data, 'data');
}

function rowsOf(payload: unknown, what: string): readonly unknown[] {
  return listOf(dataOf(payload, what).rows, 'rows');
}

/** PERP_AAPL_USDC_mythos is listed by the front end mythos; it trades on the one book that all front ends share. */
export function parseInfo(payload: unknown): Batch {
  return readContracts(rowsOf(payload, 'info'), 'symbol', 'perpetuals', (row, venueSymbol) => {
    const [kind, base, quote, ...broker] = venueSymbol.split('_');
    if (kind !== 'PERP') return ignore('not a perpetual');
    if (!base || !quote || broker.length > 1) return 'no base or quote';
    const venueStatus = textOf(row.status) ?? '';
    const status = CONTRACT_STATUS[venueStatus];
    if (status === undefined) return `unknown status ${venueStatus}`;
    return linearContract({
      venueSymbol,
      base,
      quote,
      status,
      venueStatus,
      assetClass: classOf(base, row),
      listedAtMs: epochMsOf(row.created_time),
      maxLeverage: leverageOf(row.base_imr),
      intervalHours: positiveOf(row.funding_period),
    });
  });
}

/** Only an underlying whose own market closes has a margin for the time when it is closed. */
function classOf(base: string, row: Row) {
  const isTraditional = positiveOf(row.base_imr_off_market) !== null;
  return assetClassOf(base, CLASS_OF_BASE[base] ?? (isTraditional ? traditionalClassOf(base) : 'crypto'));
}

/** `est_…` is the coming settlement and `last_…` the past one, both for one `funding_period` of the contract. */
export function parseFundingRates(payload: unknown, context: ParseContext): Batch {
  return readListed(rowsOf(payload, 'funding_rates'), 'symbol', context, (row, contract, batch) =>
    addScheduledQuote(batch, contract, {
      ratePct: percentFromFraction(row.est_funding_rate),
      nextFundingAtMs: epochMsOf(row.next_funding_time),
      intervalHours: undefined,
      venueTimeMs: epochMsOf(row.est_funding_rate_timestamp),
    }),
  );
}

/** `24h_amount` is in USDC, `24h_volume` and `open_interest` are in base units. */
export function parseFutures(payload: unknown, context: ParseContext): Batch {
  return readListed(rowsOf(payload, 'futures'), 'symbol', context, (row, contract, batch) => {
    const markPrice = positiveOf(row.mark_price);
    addFigures(batch, contract, {
      markPrice,
      indexPrice: positiveOf(row.index_price),
      openInterestUsdt: openInterestUsdt(contract, row.open_interest, 'base', markPrice),
    });
    return addVolume(batch, contract, amountOf(row['24h_amount']), markPrice);
  });
}

/** One push of `bbos`: the best offers of all contracts. */
export function parseBestOffers(message: Row, context: ParseContext): Batch {
  const venueTimeMs = epochMsOf(message.ts);
  return readListed(listOf(message.data, 'bbos'), 'symbol', context, (row, contract, batch) => {
    const fields = { bidPrice: row.bid, bidSize: row.bidSize, askPrice: row.ask, askSize: row.askSize };
    return addTop(batch, readTop(contract, fields, 'base', venueTimeMs));
  });
}

/** Newest first. A page states how many rows the window has in all. */
export function parseFundingHistory(
  payload: unknown,
  contract: Contract,
  window: SettlementWindow,
): SettlementPage {
  const { rows, meta } = dataOf(payload, 'funding_rate_history');
  const prints = readPrints(listOf(rows, 'rows'), { symbolField: 'symbol', contract }, window, (row) => ({
    ratePct: percentFromFraction(row.funding_rate),
    settledAtMs: epochMsOf(row.funding_rate_timestamp),
  }));
  const total = amountOf(rowOf(meta, 'meta').total) ?? 0;
  return pageBackward(prints, window, total > prints.rowCount);
}
