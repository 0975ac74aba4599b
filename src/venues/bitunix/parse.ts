import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import { HOUR_MS } from '../../base/times.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import { type Batch, type Contract, type Depth, linearContract } from '../observations.ts';
import { pageBackward, readPrints } from '../prints.ts';
import { amountOf, epochMsOf, goodReply, ignore, listOf, positiveOf, rowOf, textOf } from '../reading.ts';
import {
  addFigures,
  addScheduledQuote,
  addTop,
  addVolume,
  readContracts,
  readListed,
} from '../row-readers.ts';
import { readBook, readLevels, readTop } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import { CONTRACT_STATUS, HISTORY_PAGE_ROWS } from './wire.ts';

function dataOf(payload: unknown, what: string): unknown {
  return goodReply(payload, what, 'code', 0).data;
}

/** The base is that of the symbol: prices and sizes of 1000PEPEUSDT are for a thousand, though `base` is PEPE. */
export function parsePairs(payload: unknown): Batch {
  const rows = listOf(dataOf(payload, 'trading_pairs'), 'data');
  return readContracts(rows, 'symbol', 'linear', (row, venueSymbol) => {
    const quote = textOf(row.quote);
    if (quote === null || !venueSymbol.endsWith(quote)) return 'no quote';
    if (quote === 'USD') return ignore('coin-margined, with sizes in an undocumented unit');
    const base = venueSymbol.slice(0, -quote.length);
    const venueStatus = textOf(row.symbolStatus) ?? '';
    const status = CONTRACT_STATUS[venueStatus];
    if (status === undefined) return `unknown status ${venueStatus}`;
    // All contracts that take no orders by API are on stocks and funds.
    const isTraditional = row.isApiSupported === false;
    const assetClass = isTraditional ? traditionalClassOf(base) : assetClassOf(base, 'crypto');
    const maxLeverage = positiveOf(row.maxLeverage);
    return linearContract({ venueSymbol, base, quote, status, venueStatus, assetClass, maxLeverage });
  });
}

/** `fundingRate` is a percent here and a fraction in the history. Delisted and coming contracts have rows too. */
export function parseRates(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(dataOf(payload, 'funding_rate/batch'), 'data');
  return readListed(rows, 'symbol', context, (row, contract, batch) => {
    const nextFundingAtMs = epochMsOf(row.nextFundingTime);
    // A contract without settlements has the time of some seconds ago here.
    if (nextFundingAtMs !== null && nextFundingAtMs % HOUR_MS !== 0) return ignore('no settlements');
    const [markPrice, indexPrice] = [positiveOf(row.markPrice), positiveOf(row.indexPrice)];
    addFigures(batch, contract, { markPrice, indexPrice });
    const ratePct = decimalOrNull(row.fundingRate);
    const intervalHours = positiveOf(row.fundingInterval);
    return addScheduledQuote(batch, contract, { ratePct, nextFundingAtMs, intervalHours, venueTimeMs: null });
  });
}

export function parseTickers(payload: unknown, context: ParseContext): Batch {
  return readListed(listOf(dataOf(payload, 'tickers'), 'data'), 'symbol', context, (row, contract, batch) =>
    addVolume(batch, contract, amountOf(row.quoteVol), positiveOf(row.lastPrice)),
  );
}

/** One push: all of the best level. A symbol that does not exist gets one with empty texts. */
export function parseTop(message: unknown, context: ParseContext): Batch {
  return readListed([message], 'symbol', context, (row, contract, batch) => {
    const { b, a } = rowOf(row.data, 'data');
    const [bid = []] = readLevels(contract, b, 'base');
    const [ask = []] = readLevels(contract, a, 'base');
    const fields = { bidPrice: bid[0], bidSize: bid[1], askPrice: ask[0], askSize: ask[1] };
    return addTop(batch, readTop(contract, fields, 'base', epochMsOf(row.ts)));
  });
}

export function parseHistory(payload: unknown, contract: Contract, window: SettlementWindow): SettlementPage {
  const rows = listOf(dataOf(payload, 'get_funding_rate_history'), 'data');
  const prints = readPrints(rows, { contract }, window, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.fundingTime),
  }));
  return pageBackward(prints, window, rows.length >= HISTORY_PAGE_ROWS);
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const { bids, asks } = rowOf(dataOf(payload, 'depth'), 'data');
  return readBook(contract, { bids, asks }, 'base', null);
}
