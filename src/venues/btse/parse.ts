import { percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf } from '../asset-class.ts';
import { type Batch, type Contract, type Depth, linearContract } from '../observations.ts';
import { readPrints } from '../prints.ts';
import {
  amountOf,
  epochMsOf,
  goodReply,
  hoursFromMinutes,
  ignore,
  isRow,
  listOf,
  positiveOf,
  rowOf,
  textOf,
} from '../reading.ts';
import { addFigures, addMarket, addTop, firstReason, readContracts, readListed } from '../row-readers.ts';
import { openInterestUsdt, readBook, readTop } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import { CLASS_OF_CATEGORY, LEGACY_SUFFIX, PERPETUAL, SYMBOL } from './wire.ts';

function dataOf(payload: unknown, what: string): unknown {
  return goodReply(payload, what, 'success', true).data;
}

/** The base is that of the symbol: `baseCurrency` has names of its own, such as TRUMPSOL for TRUMP. */
export function parseMarkets(payload: unknown): Batch {
  const rows = listOf(rowOf(dataOf(payload, 'markets'), 'data').symbols, 'symbols');
  return readContracts(rows, 'symbol', 'perpetuals', (row, venueSymbol) => {
    if (row.type !== PERPETUAL) return ignore('not a perpetual');
    const [, base, quote] = SYMBOL.exec(venueSymbol) ?? [];
    const contractSize = positiveOf(row.contractSize);
    if (base === undefined || quote === undefined) return 'no base or quote';
    if (contractSize === null) return 'no contract size';
    const labelled = CLASS_OF_CATEGORY[textOf(row.category) ?? ''];
    if (labelled === undefined) return `unknown category ${textOf(row.category)}`;
    return linearContract({
      venueSymbol,
      base,
      quote,
      contractSize,
      status: row.active === true ? 'trading' : 'halted',
      venueStatus: `active ${row.active}`,
      assetClass: assetClassOf(base, labelled),
    });
  });
}

/** `fundingRate` is the estimate for the next settlement; `volume` is quote units, `amount` and all sizes are contracts. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(dataOf(payload, 'ticker/24hr'), 'data');
  return readListed(rows, 'symbol', context, (row, contract, batch) => {
    const fields = {
      bidPrice: row.bidPrice,
      bidSize: row.bidQty,
      askPrice: row.askPrice,
      askSize: row.askQty,
    };
    const lastPrice = positiveOf(row.lastPrice);
    return firstReason(
      addMarket(batch, contract, {
        ratePct: percentFromFraction(row.fundingRate),
        // 0 on dated futures. openTime and closeTime beside it are seconds.
        nextFundingAtMs: epochMsOf(row.nextFundingTime),
        intervalHours: hoursFromMinutes(row.fundingIntervalMinutes),
        venueTimeMs: null,
        volume24hUsdt: amountOf(row.volume),
        markPrice: null,
        indexPrice: null,
        openInterestUsdt: openInterestUsdt(contract, row.openInterest, 'contracts', lastPrice),
      }),
      addTop(batch, readTop(contract, fields, 'contracts', null)),
    );
  });
}

/** The older call: a second old, where `ticker/indices` is up to 30. It spells a contract without its quote. */
export function parsePrices(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(payload, 'price').map((row) =>
    isRow(row) && textOf(row.symbol) !== null ? { ...row, symbol: `${row.symbol}${LEGACY_SUFFIX}` } : row,
  );
  return readListed(rows, 'symbol', context, (row, contract, batch) => {
    const [markPrice, indexPrice] = [positiveOf(row.markPrice), positiveOf(row.indexPrice)];
    addFigures(batch, contract, { markPrice, indexPrice });
    return markPrice === null && indexPrice === null ? 'no price' : null;
  });
}

/** One reply has the whole period, so there is no next page. Prints are up to a second after the hour. */
export function parseFundingHistory(
  payload: unknown,
  contract: Contract,
  window: SettlementWindow,
): SettlementPage {
  const rows = listOf(dataOf(payload, 'recentFundingHistory'), 'data');
  const { settlements, rejected } = readPrints(rows, { contract }, window, (row) => ({
    ratePct: percentFromFraction(row.rate),
    settledAtMs: epochMsOf(row.timestamp),
  }));
  return { settlements, rejected, next: null };
}

/** Asks come with the best last, against the documentation; a book is sorted in any case. */
export function parseOrderbook(payload: unknown, contract: Contract): Depth {
  const { bids, asks, timestamp } = rowOf(dataOf(payload, 'orderbook'), 'data');
  return readBook(contract, { bids, asks }, 'contracts', epochMsOf(timestamp));
}
