import { percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import type { ParseDepth } from '../bulk-poll.ts';
import { listedContract, readContracts } from '../contract-list.ts';
import { isoMsOf, positiveOf } from '../fields.ts';
import { addMarket, readMarket } from '../market-rows.ts';
import type { AssetClass, Batch } from '../observations.ts';
import { backwardHistory } from '../prints.ts';
import { BadReply, goodReply, ignore, listOf, type Row, rowOf } from '../reading.ts';
import { addFigures, readListed } from '../row-readers.ts';
import { readBook } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { CLASS_OF_TAG, HISTORY_PAGE_ROWS, INTERVAL_HOURS, SETTLE } from './wire.ts';

const resultOf = (payload: unknown, what: string) => goodReply(payload, what, 'success', true).result;

/** A tag that nobody knows is still none of a coin. */
function classOf({ tags }: Row, base: string): AssetClass {
  const tag: unknown = Array.isArray(tags) ? tags[0] : undefined;
  const labelled = typeof tag === 'string' ? CLASS_OF_TAG[tag] : undefined;
  return labelled ? assetClassOf(base, labelled) : traditionalClassOf(base);
}

/**
 * Contracts, rates, volumes and open interest in one reply. `nextFundingRate` is the estimate of the running hour,
 * `fundingRate` the last one paid. `isClosed` says that the market of the underlying is closed: the contract trades on.
 */
export function parseContracts(payload: unknown): Batch {
  return readContracts(
    listOf(resultOf(payload, 'contracts'), 'contracts'),
    'market',
    'perpetuals',
    (row, venueSymbol) =>
      row.productType === 'perpetual'
        ? listedContract({
            venueSymbol,
            base: row.baseCurrency,
            quote: row.quoteCurrency,
            settle: SETTLE,
            status: row.disabled === true ? 'halted' : row.disabled === false ? 'trading' : undefined,
            venueStatus: row.disabled === true ? 'disabled' : 'enabled',
            assetClass: (base) => classOf(row, base),
            intervalHours: INTERVAL_HOURS,
            takerFeePct: percentFromFraction(row.takerFee),
          })
        : ignore('not a perpetual'),
    (row, contract, batch) =>
      contract.status === 'halted'
        ? null
        : addMarket(batch, contract, {
            ratePct: percentFromFraction(row.nextFundingRate),
            nextFundingAtMs: isoMsOf(row.nextFundingRateTimestamp),
            intervalHours: INTERVAL_HOURS,
            volume24hUsdt: row.usdVolume,
            lastPrice: row.lastPrice,
            openInterest: { amount: row.openInterestUsd, unit: 'quote', counted: row.openInterest },
            ...(contract.assetClass === 'crypto' ? {} : { isMarketClosed: row.isClosed }),
          }),
  );
}

/** An object by market. Its oracle price is newer than the index price of the list, which was half a percent off. */
export function parseMarkPrices(payload: unknown, context: ParseContext): Batch {
  const rows = Object.values(rowOf(resultOf(payload, 'mark_prices'), 'mark_prices'));
  return readListed(rows, 'market', context, (row, contract, batch) => {
    const markPrice = positiveOf(row.markPrice);
    addFigures(batch, contract, { markPrice, indexPrice: positiveOf(row.oraclePrice) });
    return markPrice === null ? 'no mark price' : null;
  });
}

/** A message of the channel: one level a side of each market. */
export function parseTops(message: Row, context: ParseContext): Batch {
  return readMarket(listOf(message.data, 'data'), 'market', context, ({ bids, asks, time }) => {
    const [[bidPrice, bidSize], [askPrice, askSize]] = [firstLevel(bids), firstLevel(asks)];
    return { top: { bidPrice, bidSize, askPrice, askSize, unit: 'base' }, venueTimeMs: isoMsOf(time) };
  });
}

function firstLevel(levels: unknown): readonly unknown[] {
  const first: unknown = Array.isArray(levels) ? levels[0] : undefined;
  return Array.isArray(first) ? first : [];
}

/** Newest first, stamped a few milliseconds after the hour. */
export const parseFundingHistory = backwardHistory(HISTORY_PAGE_ROWS, {
  rows: (payload) => listOf(resultOf(payload, 'funding_rate_history'), 'funding_rate_history'),
  symbolField: 'market',
  read: (row) => ({ ratePct: percentFromFraction(row.fundingRate), settledAtMs: isoMsOf(row.time) }),
});

export const parseDepth: ParseDepth = (payload, contract) => {
  const { market, bids, asks, time } = rowOf(resultOf(payload, 'depth'), 'depth');
  if (market !== contract.venueSymbol) throw new BadReply('book of another contract');
  return readBook(contract, { bids, asks }, 'base', isoMsOf(time));
};
