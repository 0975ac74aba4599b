import { percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import type { ParseDepth } from '../bulk-poll.ts';
import { listedContract, readContracts, statusFrom } from '../contract-list.ts';
import { epochMsOf, textOf } from '../fields.ts';
import { addMarket, type MarketRow, readMarket } from '../market-rows.ts';
import { type Batch, type Contract, isLive } from '../observations.ts';
import { backwardHistory } from '../prints.ts';
import { goodReply, ignore, listOf, optionalRow, type Row, rowOf } from '../reading.ts';
import { readBook, splitSymbol } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { CLASS_OF_LABEL, CONTRACT_STATUS, commonNameOf, HISTORY_PAGE_ROWS, INTERVAL_HOURS } from './wire.ts';

const dataOf = (payload: unknown, what: string) => goodReply(payload, what, 'status', 'OK').data;

/** One reply has everything but sizes. Markets that are not open yet or have ended have figures that are not valid. */
export function parseMarkets(payload: unknown): Batch {
  const rows = listOf(dataOf(payload, 'markets'), 'data');
  return readContracts(rows, 'name', 'perpetuals', contractOf, (row, contract, batch) =>
    isLive(contract) ? addMarket(batch, contract, statsOf(row.marketStats)) : null,
  );
}

function contractOf(row: Row, venueSymbol: string): Contract | string {
  if (row.type === 'SPOT') return ignore('spot');
  if (row.type !== 'PERPETUAL') return 'unknown type';
  const { base: name, quote } = splitSymbol(venueSymbol, '-');
  const labelled = CLASS_OF_LABEL[textOf(row.subCategory) ?? ''];
  return listedContract({
    venueSymbol,
    base: commonNameOf(name),
    quote,
    // `collateralAssetName` is USD, the unit of account; profit and loss are paid in USDC.
    settle: 'USDC',
    ...statusFrom(CONTRACT_STATUS, row.status),
    assetClass: (base) =>
      assetClassOf(base, row.category === 'RWA' ? (labelled ?? traditionalClassOf(base)) : 'crypto'),
    maxLeverage: optionalRow(row.tradingConfig).maxLeverage,
    intervalHours: INTERVAL_HOURS,
  });
}

/** `nextFundingRate` is the time of the next payment, whatever its name says. Amounts are in dollars. */
function statsOf(marketStats: unknown): MarketRow {
  const stats = optionalRow(marketStats);
  return {
    ratePct: percentFromFraction(stats.fundingRate),
    nextFundingAtMs: epochMsOf(stats.nextFundingRate),
    intervalHours: INTERVAL_HOURS,
    volume24hUsdt: stats.dailyVolume,
    markPrice: stats.markPrice,
    indexPrice: stats.indexPrice,
    openInterest: { amount: stats.openInterest, unit: 'quote', counted: stats.openInterestBase },
  };
}

/** A message of the best bid and ask, always a whole top. Sizes are base units. */
export function parseBestOrders(message: Row, context: ParseContext): Batch {
  return readMarket([message.data], 'm', context, (row) => {
    const best = (side: unknown) => optionalRow(Array.isArray(side) ? side[0] : null);
    const [bid, ask] = [best(row.b), best(row.a)];
    const top = { bidPrice: bid.p, bidSize: bid.q, askPrice: ask.p, askSize: ask.q, unit: 'base' as const };
    return { top, venueTimeMs: epochMsOf(message.ts) };
  });
}

/** Newest first. The times of prints are one or two seconds after the full hour. */
export const parseFunding = backwardHistory(HISTORY_PAGE_ROWS, {
  rows: (payload) => listOf(dataOf(payload, 'funding'), 'data'),
  symbolField: 'm',
  read: (row) => ({ ratePct: percentFromFraction(row.f), settledAtMs: epochMsOf(row.T) }),
});

export const parseOrderbook: ParseDepth = (payload, contract) => {
  const { bid, ask } = rowOf(dataOf(payload, 'orderbook'), 'data');
  return readBook(contract, { bids: bid, asks: ask }, 'base', null, { price: 'price', size: 'qty' });
};
