import { percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf } from '../asset-class.ts';
import { type Batch, type Contract, type Depth, linearContract } from '../observations.ts';
import { pageEitherWay, readPrints } from '../prints.ts';
import {
  amountOf,
  epochMsOf,
  goodReply,
  ignore,
  isRow,
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
import { openInterestUsdt, readBook, readTop } from '../units.ts';
import type { ParseContext, SettlementPage } from '../venue.ts';
import { CLASS_OF_BASE, CONTRACT_STATUS } from './wire.ts';

/** A failure of the gateway arrives with HTTP 200 and without `success`. */
function replyOf(payload: unknown, what: string): Row {
  return goodReply(payload, what, 'success', true);
}

function rowsOf(payload: unknown, what: string): readonly unknown[] {
  return listOf(rowOf(replyOf(payload, what).data, 'data').rows, 'rows');
}

/** The name has it all: PERP_1000PEPE_USDT is the perpetual on 1000PEPE, quoted and settled in USDT. */
export function parseInstruments(payload: unknown): Batch {
  return readContracts(rowsOf(payload, 'instruments'), 'symbol', 'perpetuals', (row, venueSymbol) => {
    const [kind, base, quote, ...rest] = venueSymbol.split('_');
    if (kind === 'SPOT') return ignore('spot');
    if (kind !== 'PERP') return ignore('not a perpetual');
    if (!base || !quote || rest.length > 0) return 'no base or quote';
    const venueStatus = textOf(row.status) ?? '';
    const status = CONTRACT_STATUS[venueStatus];
    if (status === undefined) return `unknown status ${venueStatus}`;
    // The list has the configured interval; the one in force comes with the rate.
    const assetClass = assetClassOf(base, CLASS_OF_BASE[base] ?? 'crypto');
    return linearContract({ venueSymbol, base, quote, status, venueStatus, assetClass });
  });
}

/**
 * `est...` is the upcoming settlement, `last...` the past one; an interval change shows in `est` first. A row may stand
 * still for days: its own time and its past settlement are handed on unchanged, so that the row can be recognised.
 */
export function parseFundingRates(payload: unknown, context: ParseContext): Batch {
  return readListed(rowsOf(payload, 'fundingRate'), 'symbol', context, (row, contract, batch) =>
    addScheduledQuote(batch, contract, {
      ratePct: percentFromFraction(row.estFundingRate),
      nextFundingAtMs: epochMsOf(row.nextFundingTime),
      intervalHours: positiveOf(row.estFundingIntervalHours),
      venueTimeMs: epochMsOf(row.estFundingRateTimestamp),
    }),
  );
}

/** `24hAmount` is the turnover in quote units, `24hVolume` in base units; `openInterest` counts base units. */
export function parseFutures(payload: unknown, context: ParseContext): Batch {
  return readListed(rowsOf(payload, 'futures'), 'symbol', context, (row, contract, batch) => {
    const markPrice = positiveOf(row.markPrice);
    addFigures(batch, contract, {
      markPrice,
      indexPrice: positiveOf(row.indexPrice),
      openInterestUsdt: openInterestUsdt(contract, row.openInterest, 'base', markPrice),
    });
    return addVolume(batch, contract, amountOf(row['24hAmount']), markPrice);
  });
}

/** The data of one `bbo` push. A side without orders has no fields. */
export function parseBestOffers(data: unknown, context: ParseContext): Batch {
  return readListed([data], 's', context, (row, contract, batch) => {
    const fields = { bidPrice: row.bp, bidSize: row.bq, askPrice: row.ap, askSize: row.aq };
    return addTop(batch, readTop(contract, fields, 'base', epochMsOf(row.ts)));
  });
}

/** A page says how many rows the window has in all. Rows outside the window do not count, should the venue ignore it. */
export function parseFundingHistory(
  payload: unknown,
  window: { fromMs: number; toMs: number },
): SettlementPage {
  const rows = rowsOf(payload, 'fundingRateHistory');
  const isInside = (row: unknown) => {
    const timeMs = isRow(row) ? epochMsOf(row.fundingRateTimestamp) : null;
    return timeMs === null || (timeMs >= window.fromMs && timeMs <= window.toMs);
  };
  const prints = readPrints(rows.filter(isInside), { symbolField: 'symbol' }, window, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.fundingRateTimestamp),
  }));
  const total = amountOf(rowOf(rowOf(rowOf(payload, 'reply').data, 'data').meta, 'meta').total) ?? 0;
  return pageEitherWay(prints, window, total > rows.length);
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const reply = replyOf(payload, 'orderbook');
  const { bids, asks } = rowOf(reply.data, 'data');
  const fields = { price: 'price', size: 'quantity' };
  return readBook(contract, { bids, asks }, 'base', epochMsOf(reply.timestamp), fields);
}
