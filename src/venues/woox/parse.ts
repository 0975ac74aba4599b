import { percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf } from '../asset-class.ts';
import type { ParseDepth } from '../bulk-poll.ts';
import { listedContract, readContracts, statusFrom } from '../contract-list.ts';
import { amountOf, epochMsOf, positiveOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import type { Batch } from '../observations.ts';
import { pageEitherWay, readPrints } from '../prints.ts';
import { goodReply, ignore, isRow, listOf, rowOf } from '../reading.ts';
import { readBook } from '../units.ts';
import type { ParseContext, SettlementPage } from '../venue.ts';
import { CLASS_OF_BASE, CONTRACT_STATUS } from './wire.ts';

/** A failure of the gateway arrives with HTTP 200 and without `success`. */
const replyOf = (payload: unknown, what: string) => goodReply(payload, what, 'success', true);

const rowsOf = (payload: unknown, what: string) =>
  listOf(rowOf(replyOf(payload, what).data, 'data').rows, 'rows');

/** The name has it all: PERP_1000PEPE_USDT is the perpetual on 1000PEPE, quoted and settled in USDT. */
export function parseInstruments(payload: unknown): Batch {
  return readContracts(rowsOf(payload, 'instruments'), 'symbol', 'perpetuals', (row, venueSymbol) => {
    const [kind, base, quote, ...rest] = venueSymbol.split('_');
    if (kind === 'SPOT') return ignore('spot');
    if (kind !== 'PERP') return ignore('not a perpetual');
    if (rest.length > 0) return 'no base or quote';
    // The list has the configured interval; the one in force comes with the rate.
    return listedContract({
      venueSymbol,
      base,
      quote,
      ...statusFrom(CONTRACT_STATUS, row.status),
      assetClass: (known) => assetClassOf(known, CLASS_OF_BASE[known] ?? 'crypto'),
    });
  });
}

/**
 * `est...` is the upcoming settlement, `last...` the past one; an interval change shows in `est` first. A row may stand
 * still for days: its own time and its past settlement are handed on unchanged, so that the row can be recognised.
 */
export function parseFundingRates(payload: unknown, context: ParseContext): Batch {
  return readMarket(rowsOf(payload, 'fundingRate'), 'symbol', context, (row) => ({
    ratePct: percentFromFraction(row.estFundingRate),
    nextFundingAtMs: epochMsOf(row.nextFundingTime),
    intervalHours: positiveOf(row.estFundingIntervalHours),
    venueTimeMs: epochMsOf(row.estFundingRateTimestamp),
  }));
}

/** `24hAmount` is the turnover in quote units, `24hVolume` in base units; `openInterest` counts base units. */
export function parseFutures(payload: unknown, context: ParseContext): Batch {
  return readMarket(rowsOf(payload, 'futures'), 'symbol', context, (row) => ({
    volume24hUsdt: row['24hAmount'],
    markPrice: row.markPrice,
    indexPrice: row.indexPrice,
    openInterest: { amount: row.openInterest, unit: 'base' },
  }));
}

/** The data of one `bbo` push. A side without orders has no fields. */
export function parseBestOffers(data: unknown, context: ParseContext): Batch {
  return readMarket([data], 's', context, ({ bp, bq, ap, aq, ts }) => ({
    top: { bidPrice: bp, bidSize: bq, askPrice: ap, askSize: aq, unit: 'base' },
    venueTimeMs: epochMsOf(ts),
  }));
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

export const parseDepth: ParseDepth = (payload, contract) => {
  const reply = replyOf(payload, 'orderbook');
  const { bids, asks } = rowOf(reply.data, 'data');
  const fields = { price: 'price', size: 'quantity' };
  return readBook(contract, { bids, asks }, 'base', epochMsOf(reply.timestamp), fields);
};
