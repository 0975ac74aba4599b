import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import { HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import type { Batch, Contract, ContractStatus, Depth } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import {
  amountOf,
  BadReply,
  epochMsOf,
  listOf,
  NOT_LISTED,
  positiveOf,
  type Row,
  readRows,
  rowOf,
  textOf,
} from '../reading.ts';
import { bookOf, readLevels, readTop, type SizeUnit, usdtFromContracts } from '../units.ts';
import type { ParseContext, SettlementPage } from '../venue.ts';
import { INVERSE_FACE_USD, ONLINE } from './wire.ts';

/** Errors come with HTTP 200 and a code other than 0. */
function replyOf(payload: unknown, what: string): Row {
  const reply = rowOf(payload, what);
  if (decimalOrNull(reply.code) !== 0) throw new BadReply(`${what} answered code ${String(reply.code)}`);
  return reply;
}

export function parseMarkets(payload: unknown, receivedAtMs: number): Batch {
  const batch = emptyBatch();
  const contracts: Contract[] = [];
  readRows(listOf(replyOf(payload, 'market').data, 'data'), batch, 'market', (row, venueSymbol) => {
    const base = textOf(row.base_ccy);
    const quote = textOf(row.quote_ccy);
    if (base === null || quote === null) return 'no base or quote';
    const kind = textOf(row.contract_type);
    if (kind !== 'linear' && kind !== 'inverse') return 'neither linear nor inverse';
    const venueStatus = textOf(row.status) ?? ONLINE;
    if (venueStatus !== ONLINE) return `unknown status ${venueStatus}`;
    const isInverse = kind === 'inverse';
    const delistsAtMs = epochMsOf(row.delisted_at);
    const leverages = Array.isArray(row.leverage) ? row.leverage.map(positiveOf) : [];
    contracts.push({
      venueSymbol,
      base,
      quote,
      settle: isInverse ? base : quote,
      isInverse,
      contractSize: isInverse ? INVERSE_FACE_USD : 1,
      status: statusOf(row.is_market_available !== false, delistsAtMs, receivedAtMs),
      venueStatus: row.is_market_available === false ? `${venueStatus}, not available` : venueStatus,
      assetClass: 'crypto',
      listedAtMs: null,
      delistsAtMs,
      maxLeverage: leverages.reduce((most, one) => (one !== null && one > (most ?? 0) ? one : most), null),
      intervalHours: null,
    });
    return null;
  });
  batch.contractList = { part: 'futures', contracts };
  return batch;
}

/** `status` stays "online" when trading has ended, so it proves nothing. */
function statusOf(isAvailable: boolean, delistsAtMs: number | null, receivedAtMs: number): ContractStatus {
  if (delistsAtMs !== null && delistsAtMs <= receivedAtMs) return 'delisted';
  if (!isAvailable) return 'halted';
  return delistsAtMs === null ? 'trading' : 'delisting';
}

/** `next_funding_rate` is the running rate; `latest_*` is what was settled before. Zero is a value. */
export function parseFundingRates(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(listOf(replyOf(payload, 'funding-rate').data, 'data'), batch, 'market', (row, venueSymbol) => {
    if (!context.contracts.has(venueSymbol)) return NOT_LISTED;
    const ratePct = percentFromFraction(row.next_funding_rate);
    if (ratePct === null) return 'no rate';
    const nextFundingAtMs = epochMsOf(row.next_funding_time);
    if (nextFundingAtMs === null) return 'no next settlement';
    batch.fundingQuotes.push({
      venueSymbol,
      ratePct,
      nextFundingAtMs,
      intervalHours: intervalBetween(epochMsOf(row.latest_funding_time), nextFundingAtMs),
      venueTimeMs: null,
    });
    return null;
  });
  return batch;
}

/** Whole hours between two settlements; a settlement may be stamped some seconds late. */
function intervalBetween(lastMs: number | null, nextMs: number): number | null {
  if (lastMs === null) return null;
  const hours = Math.round((nextMs - lastMs) / HOUR_MS);
  return hours > 0 && Math.abs(nextMs - lastMs - hours * HOUR_MS) <= 5 * MINUTE_MS ? hours : null;
}

/** `value` is the turnover in quote units; inverse markets count contracts of one dollar in `volume`. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(listOf(replyOf(payload, 'ticker').data, 'data'), batch, 'market', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    const raw = amountOf(contract.isInverse ? row.volume : row.value);
    if (raw === null) return 'no volume';
    batch.dayVolumes.push({
      venueSymbol,
      volume24hUsdt: contract.isInverse ? usdtFromContracts(contract, raw, 1) : raw,
      referencePrice: positiveOf(row.last) ?? positiveOf(row.mark_price),
    });
    return null;
  });
  return batch;
}

function sizeUnit(contract: Contract): SizeUnit {
  return contract.isInverse ? 'contracts' : 'base';
}

/** The data of one `bbo.update`. */
export function parseBestOffers(data: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows([data], batch, 'market', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    const top = readTop(
      contract,
      {
        bidPrice: row.best_bid_price,
        bidSize: row.best_bid_size,
        askPrice: row.best_ask_price,
        askSize: row.best_ask_size,
      },
      sizeUnit(contract),
      epochMsOf(row.updated_at),
    );
    if (typeof top === 'string') return top;
    batch.bookTops.push(top);
    return null;
  });
  return batch;
}

/**
 * Prints are stamped about 21 seconds after the settlement. The order of a page is not documented, so the window that
 * is left lies beyond whichever end the page stopped at.
 */
export function parseFundingHistory(
  payload: unknown,
  window: { fromMs: number; toMs: number },
): SettlementPage {
  const page: SettlementPage = { settlements: [], rejected: [], next: null };
  const reply = replyOf(payload, 'funding-rate-history');
  const batch = emptyBatch();
  const timesMs: number[] = [];
  readRows(listOf(reply.data, 'data'), batch, 'market', (row, venueSymbol) => {
    const ratePct =
      percentFromFraction(row.actual_funding_rate) ?? percentFromFraction(row.theoretical_funding_rate);
    const settledAtMs = epochMsOf(row.funding_time);
    if (settledAtMs !== null) timesMs.push(settledAtMs);
    if (ratePct === null || settledAtMs === null) return 'no rate or time';
    page.settlements.push({ venueSymbol, ratePct, settledAtMs });
    return null;
  });
  page.rejected = batch.rejected;
  const pagination = rowOf(reply.pagination, 'pagination');
  const [first, last] = [timesMs[0], timesMs.at(-1)];
  if (pagination.has_next !== true || first === undefined || last === undefined) return page;
  const left =
    first > last ? { fromMs: window.fromMs, toMs: last - 1 } : { fromMs: last + 1, toMs: window.toMs };
  if (left.fromMs <= left.toMs) page.next = left;
  return page;
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const depth = rowOf(rowOf(replyOf(payload, 'depth').data, 'data').depth, 'depth');
  const unit = sizeUnit(contract);
  return bookOf(
    contract,
    readLevels(contract, depth.bids, unit),
    readLevels(contract, depth.asks, unit),
    epochMsOf(depth.updated_at),
  );
}
