import { percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import { readContracts } from '../contract-list.ts';
import { amountOf, epochMsOf, positiveOf, textOf } from '../fields.ts';
import {
  type AssetClass,
  type Batch,
  type Contract,
  contractWith,
  type Depth,
  withEnd,
} from '../observations.ts';
import { pageByNumber, readPrints } from '../prints.ts';
import { isDollarQuote } from '../quotes.ts';
import { goodReply, ignore, listOf, type Row, rowOf } from '../reading.ts';
import {
  addFigures,
  addQuote,
  addTop,
  addVolume,
  firstReason,
  readListed,
  readNotices,
} from '../row-readers.ts';
import { readBook, readTop } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import { ASSET_CLASS, CONTRACT_STATUS, SUCCESS_CODE } from './wire.ts';

export type Part = 'usdt' | 'usdc' | 'coin';

function dataOf(payload: unknown, what: string): { data: unknown; sentAtMs: number | null } {
  const reply = goodReply(payload, what, 'code', SUCCESS_CODE);
  return { data: reply.data, sentAtMs: epochMsOf(reply.requestTime) };
}

/** Reads both lists. The unified list has `type` where the classic one has `symbolType`, and other names for some fields. */
export function parseContracts(payload: unknown, part: Part, receivedAtMs: number): Batch {
  const rows = listOf(dataOf(payload, 'contracts').data, 'contracts');
  return readContracts(rows, 'symbol', part, (row, venueSymbol) => {
    const kind = textOf(row.type) ?? textOf(row.symbolType);
    if (kind !== 'perpetual') return ignore('dated future');
    const base = textOf(row.baseCoin);
    const quote = textOf(row.quoteCoin);
    if (base === null || quote === null) return 'no base or quote';
    const venueStatus = textOf(row.status) ?? textOf(row.symbolStatus) ?? '';
    const status = CONTRACT_STATUS[venueStatus];
    if (status === undefined) return `unknown status ${venueStatus}`;
    const endsAtMs = epochMsOf(row.offTime) ?? epochMsOf(row.limitOpenTime);
    // A past end of a contract that trades belongs to an earlier listing of the same symbol.
    const isLeaving = endsAtMs !== null && (status !== 'trading' || endsAtMs > receivedAtMs);
    const delistsAtMs = isLeaving ? endsAtMs : null;
    const listedAtMs = epochMsOf(row.launchTime);
    const isAhead = listedAtMs !== null && listedAtMs > receivedAtMs;
    const settle = part === 'coin' ? base : part === 'usdc' ? 'USDC' : 'USDT';
    return contractWith({
      venueSymbol,
      base,
      quote,
      settle,
      isInverse: settle === base,
      contractSize: 1,
      status: status === 'trading' && isAhead ? 'preopen' : withEnd(status, delistsAtMs),
      venueStatus,
      assetClass: classOf(row, base),
      listedAtMs,
      delistsAtMs,
      maxLeverage: positiveOf(row.maxLeverage) ?? positiveOf(row.maxLever),
      intervalHours: positiveOf(row.fundInterval),
    });
  });
}

/** `isRwa` marks traditional assets, also where `symbolType` says crypto (EURUSD, H100, VALE on 2026-09-14). */
function classOf(row: Row, base: string): AssetClass {
  const labelled = ASSET_CLASS[textOf(row.symbolType) ?? ''] ?? 'crypto';
  if (labelled === 'crypto' && row.isRwa === 'YES') return traditionalClassOf(base);
  return assetClassOf(base, labelled);
}

/** The rate is the running one: the last value shown before `nextUpdate` becomes the settled print. */
export function parseFundingRates(payload: unknown, context: ParseContext): Batch {
  const { data, sentAtMs } = dataOf(payload, 'current-fund-rate');
  return readListed(listOf(data, 'current-fund-rate'), 'symbol', context, (row, contract, batch) =>
    addQuote(batch, contract, {
      ratePct: percentFromFraction(row.fundingRate),
      nextFundingAtMs: epochMsOf(row.nextUpdate),
      intervalHours: positiveOf(row.fundingRateInterval),
      venueTimeMs: sentAtMs,
    }),
  );
}

/** Quantities are in base units everywhere, also where the contract settles in the coin. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(dataOf(payload, 'tickers').data, 'tickers');
  return readListed(rows, 'symbol', context, (row, contract, batch) => {
    // Turnover in quote units is expected here; only for dollar quotes is `usdtVolume` the same.
    const inDollars = isDollarQuote(contract.quote) ? amountOf(row.usdtVolume) : null;
    const turnover = inDollars ?? amountOf(row.quoteVolume);
    const volumeFault = addVolume(batch, contract, turnover, positiveOf(row.lastPr));
    const markPrice = positiveOf(row.markPrice);
    addFigures(batch, contract, {
      markPrice,
      indexPrice: positiveOf(row.indexPrice),
      openInterest: { amount: row.holdingAmount, unit: 'base' },
    });
    const fields = { bidPrice: row.bidPr, bidSize: row.bidSz, askPrice: row.askPr, askSize: row.askSz };
    const topFault = addTop(batch, readTop(contract, fields, 'base', epochMsOf(row.ts)));
    return topFault !== null && contract.status === 'preopen'
      ? ignore('not open yet')
      : firstReason(topFault, volumeFault);
  });
}

/** Numbered pages, newest first, without a time filter. */
export function parseSettlements(
  payload: unknown,
  window: SettlementWindow,
  pageRows: number,
): SettlementPage {
  const rows = listOf(dataOf(payload, 'history-fund-rate').data, 'history-fund-rate');
  const prints = readPrints(rows, { symbolField: 'symbol' }, window, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.fundingTime),
  }));
  return pageByNumber(prints, window, prints.rowCount < pageRows);
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const { bids, asks, ts } = rowOf(dataOf(payload, 'merge-depth').data, 'merge-depth');
  return readBook(contract, { bids, asks }, 'base', epochMsOf(ts));
}

export function parseAnnouncements(payload: unknown): Batch {
  return readNotices(listOf(dataOf(payload, 'annoucements').data, 'annoucements'), (row) => ({
    id: textOf(row.annId),
    title: textOf(row.annTitle),
    body: textOf(row.annDesc),
    category: [textOf(row.annType), textOf(row.annSubType)].filter(Boolean).join(),
    url: textOf(row.annUrl),
    publishedAtMs: epochMsOf(row.cTime),
  }));
}
