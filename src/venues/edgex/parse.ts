import { percentFromFraction } from '../../base/numbers.ts';
import { HOUR_MS } from '../../base/times.ts';
import { assetClassOf } from '../asset-class.ts';
import { readContracts } from '../contract-list.ts';
import { amountOf, epochMsOf, hoursFromMinutes, positiveOf, textOf } from '../fields.ts';
import { type Batch, type Contract, type Depth, linearContract } from '../observations.ts';
import { pageBackward, readPrints } from '../prints.ts';
import { BadReply, goodReply, ignore, isRow, listOf, type Row, rowOf } from '../reading.ts';
import { addFigures, addQuote, addTop, addVolume, readListed } from '../row-readers.ts';
import { readBook, readTop } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import { CLASS_OF_BASE, QUOTE } from './wire.ts';

function replyOf(payload: unknown, what: string): Row {
  return goodReply(payload, what, 'code', 'SUCCESS');
}

/** The base is the name of the base coin: 哈基米USDC is the contract on HAJIMI. */
export function parseMetaData(payload: unknown): Batch {
  const { coinList, contractList } = rowOf(replyOf(payload, 'getMetaData').data, 'data');
  const coins = new Map<unknown, string | null>();
  for (const coin of listOf(coinList, 'coinList'))
    if (isRow(coin)) coins.set(coin.coinId, textOf(coin.coinName));
  const rows = listOf(contractList, 'contractList');
  return readContracts(rows, 'contractName', 'perpetuals', (row, venueSymbol) => {
    const [venueId, base] = [textOf(row.contractId), coins.get(row.baseCoinId)];
    if (venueId === null) return 'no contractId';
    if (!base || row.quoteCoinId !== QUOTE.coinId) return 'no base or another quote';
    if (typeof row.enableTrade !== 'boolean') return 'no enableTrade';
    // A hidden contract has no book, whatever its other flags say.
    if (row.enableDisplay !== true) return ignore('hidden');
    const [status, venueStatus] = !row.enableTrade
      ? (['halted', 'no trade'] as const)
      : row.enableOpenPosition === true
        ? (['trading', 'trade'] as const)
        : (['delisting', 'close only'] as const);
    const labelled = row.isFx === true ? 'forex' : row.isStock === true ? 'stock' : CLASS_OF_BASE[base];
    return linearContract({
      venueSymbol,
      venueId,
      base,
      quote: QUOTE.name,
      status,
      venueStatus,
      assetClass: assetClassOf(base, labelled ?? 'crypto'),
      maxLeverage: positiveOf(row.displayMaxLeverage),
      intervalHours: hoursFromMinutes(row.fundingRateIntervalMin),
    });
  });
}

/**
 * `forecastFundingRate` will be paid one interval after `fundingTime`; `fundingRate` was paid at `fundingTime`. Rows name
 * their contract only by its id.
 */
export function parseLatestRates(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(replyOf(payload, 'getLatestFundingRate').data, 'data');
  if (rows.length === 0) throw new BadReply('getLatestFundingRate has no rows, as the closed V1 answers');
  const byId = new Map<string, Contract>();
  for (const contract of context.contracts.values()) byId.set(contract.venueId ?? '', contract);
  return readListed(rows, 'contractId', { ...context, contracts: byId }, (row, contract, batch) => {
    const intervalHours = hoursFromMinutes(row.fundingRateIntervalMin);
    const lastFundingAtMs = epochMsOf(row.fundingTime);
    const isScheduled = intervalHours !== null && lastFundingAtMs !== null;
    const [markPrice, indexPrice] = [positiveOf(row.markPrice), positiveOf(row.indexPrice)];
    addFigures(batch, contract, { markPrice, indexPrice });
    return addQuote(batch, contract, {
      ratePct: percentFromFraction(row.forecastFundingRate),
      nextFundingAtMs: isScheduled ? lastFundingAtMs + intervalHours * HOUR_MS : null,
      intervalHours,
      venueTimeMs: epochMsOf(row.fundingTimestamp),
    });
  });
}

/** Sizes are base units. */
export function parseBookTickers(rows: readonly unknown[], context: ParseContext): Batch {
  return readListed(rows, 'contractName', context, (row, contract, batch) => {
    const {
      bestBidPrice: bidPrice,
      bestBidSize: bidSize,
      bestAskPrice: askPrice,
      bestAskSize: askSize,
    } = row;
    const fields = { bidPrice, bidSize, askPrice, askSize };
    return addTop(batch, readTop(contract, fields, 'base', epochMsOf(row.time)));
  });
}

/** `value` is the turnover in quote units, `size` and `openInterest` are base units. */
export function parseTickers(rows: readonly unknown[], context: ParseContext): Batch {
  return readListed(rows, 'contractName', context, (row, contract, batch) => {
    const markPrice = positiveOf(row.markPrice);
    addFigures(batch, contract, { openInterest: { amount: row.openInterest, unit: 'base' } }, markPrice);
    return addVolume(batch, contract, amountOf(row.value), positiveOf(row.lastPrice) ?? markPrice);
  });
}

/** Newest first. Rows between two settlements are samples of the running rate, not prints. */
export function parseFundingPage(
  payload: unknown,
  contract: Contract,
  window: SettlementWindow,
): SettlementPage {
  const { dataList, nextPageOffsetData } = rowOf(replyOf(payload, 'getFundingRatePage').data, 'data');
  const rows = listOf(dataList, 'dataList').filter((row) => !(isRow(row) && row.isSettlement === false));
  const isOther = (row: Row) => row.contractId !== contract.venueId;
  const prints = readPrints(rows, { contract }, window, (row) => ({
    ratePct: isOther(row) ? null : percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.fundingTime),
  }));
  return pageBackward(prints, window, textOf(nextPageOffsetData) !== null);
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const reply = replyOf(payload, 'getDepth');
  const book = rowOf(listOf(reply.data, 'data')[0], 'book');
  if (book.contractId !== contract.venueId) throw new BadReply('getDepth of another contract');
  const sides = { bids: book.bids, asks: book.asks };
  return readBook(contract, sides, 'base', epochMsOf(reply.responseTime), { price: 'price', size: 'size' });
}
