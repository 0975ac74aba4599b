import { percentFromFraction } from '../../base/numbers.ts';
import { ownValue } from '../../base/own-value.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import type { ParseHistory } from '../bulk-poll.ts';
import { listedContract, readContracts, statusFrom } from '../contract-list.ts';
import { epochMsOf, isoMsOf, textOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import type { AssetClass, Batch, Contract } from '../observations.ts';
import { emptyBatch, isLive, mergeBatches, refusalOf } from '../observations.ts';
import { pageBackward, readPrints } from '../prints.ts';
import { ignore, listOf, type Row, rowOf } from '../reading.ts';
import { readBook, topOfBook } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { CLASS_OF_CATEGORY, CONTRACT_STATUS, HISTORY_PAGE_ROWS, INTERVAL_HOURS } from './wire.ts';

/** An error has HTTP status 200 and no `data`. */
const dataOf = (payload: unknown, what: string) => rowOf(rowOf(payload, what).data, `data of ${what}`);

/** Coins and traditional assets are two lists; a third one has bets on events, which are no perpetuals. */
export function parseSymbols(payload: unknown): Batch {
  const lists = rowOf(dataOf(payload, 'symbols').contractConfig, 'contractConfig');
  const read = (list: string, classOf: (base: string, row: Row) => AssetClass) =>
    readContracts(listOf(lists[list], list), 'crossSymbolName', 'perpetuals', (row, name) =>
      contractOf(row, name, (base) => classOf(base, row)),
    );
  return mergeBatches([
    read('perpetualContract', (base) => assetClassOf(base, 'crypto')),
    read('stockContract', (base, { category }) => {
      const labelled = ownValue(CLASS_OF_CATEGORY, textOf(category) ?? '');
      return labelled ? assetClassOf(base, labelled) : traditionalClassOf(base);
    }),
  ]);
}

/** Most calls name a contract BTCUSDT, the history BTC-USDT. */
function contractOf(
  row: Row,
  venueSymbol: string,
  assetClass: (base: string) => AssetClass,
): Contract | string {
  const venueId = textOf(row.symbol);
  if (venueId === null) return 'no symbol';
  const { baseTokenId: base, settleAssetId: quote, displayMaxLeverage: maxLeverage } = row;
  const listed = {
    venueSymbol,
    venueId,
    base,
    quote,
    assetClass,
    maxLeverage,
    intervalHours: INTERVAL_HOURS,
  };
  return listedContract({ ...listed, ...statusOf(row) });
}

/** A contract that can be traded but not be opened any more is ending. */
function statusOf({ enableTrade, enableDisplay, enableOpenPosition, isPrelaunch }: Row) {
  const switches = [enableTrade, enableDisplay, enableOpenPosition];
  const { status } = statusFrom(CONTRACT_STATUS, isPrelaunch === true ? 'prelaunch' : switches.join(' '));
  return { status, venueStatus: switches.join(' ') };
}

/** `predictedFundingRate` is the interest alone and always the same; `fundingRate` is what the next hour will settle. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(rowOf(payload, 'all-ticker-info').data, 'data');
  return readMarket(rows, 'symbol', context, (row, contract) =>
    isLive(contract)
      ? {
          ratePct: percentFromFraction(row.fundingRate),
          nextFundingAtMs: isoMsOf(row.nextFundingTime),
          intervalHours: INTERVAL_HOURS,
          volume24hUsdt: row.turnover24h,
          volumeCounted: row.volume24h,
          markPrice: row.markPrice,
          lastPrice: row.lastPrice,
          indexPrice: row.indexPrice,
          openInterest: { amount: row.openInterest, unit: 'base' },
        }
      : ignore('not open'),
  );
}

/** The book of one contract and its top, because no call has the tops of all. */
export function parseDepth(payload: unknown, contract: Contract): Batch {
  const { a: asks, b: bids } = dataOf(payload, 'depth');
  const book = readBook(contract, { bids, asks }, 'base', null);
  const top = topOfBook(contract, book);
  if (typeof top === 'string') return refusalOf(contract.venueSymbol, top);
  return { ...emptyBatch(), bookTops: [top], depths: [book] };
}

/** Newest first, exactly on the hour. */
export const parseFunding: ParseHistory = (payload, contract, window) => {
  const rows = listOf(dataOf(payload, 'history-funding').historyFunds, 'historyFunds');
  const prints = readPrints(rows, { contract }, window, (row) => ({
    ratePct: row.symbol === contract.venueId ? percentFromFraction(row.rate) : null,
    settledAtMs: epochMsOf(row.fundingTime),
  }));
  return pageBackward(prints, window, prints.rowCount >= HISTORY_PAGE_ROWS);
};
