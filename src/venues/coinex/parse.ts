import { percentFromFraction } from '../../base/numbers.ts';
import { HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import { readContracts } from '../contract-list.ts';
import { epochMsOf, positiveOf, textOf } from '../fields.ts';
import { type Batch, type Contract, type ContractStatus, contractWith, type Depth } from '../observations.ts';
import { pageEitherWay, readPrints } from '../prints.ts';
import { goodReply, listOf, type Row, rowOf } from '../reading.ts';
import { addFigures, addScheduledQuote, addTop, addVolume, readListed } from '../row-readers.ts';
import { readBook, readTop, sizeUnitOf, turnoverUsdt } from '../units.ts';
import type { ParseContext, SettlementPage } from '../venue.ts';
import { INVERSE_FACE_USD, ONLINE } from './wire.ts';

function replyOf(payload: unknown, what: string): Row {
  return goodReply(payload, what, 'code', 0);
}

export function parseMarkets(payload: unknown, receivedAtMs: number): Batch {
  const rows = listOf(replyOf(payload, 'market').data, 'data');
  return readContracts(rows, 'market', 'futures', (row, venueSymbol) => {
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
    return contractWith({
      venueSymbol,
      base,
      quote,
      settle: isInverse ? base : quote,
      isInverse,
      contractSize: isInverse ? INVERSE_FACE_USD : 1,
      status: statusOf(row.is_market_available !== false, delistsAtMs, receivedAtMs),
      venueStatus: row.is_market_available === false ? `${venueStatus}, not available` : venueStatus,
      assetClass: 'crypto',
      delistsAtMs,
      maxLeverage: leverages.reduce((most, one) => (one !== null && one > (most ?? 0) ? one : most), null),
    });
  });
}

/** `status` stays "online" after trading has ended, so it is not used. */
function statusOf(isAvailable: boolean, delistsAtMs: number | null, receivedAtMs: number): ContractStatus {
  if (delistsAtMs !== null && delistsAtMs <= receivedAtMs) return 'delisted';
  if (!isAvailable) return 'halted';
  return delistsAtMs === null ? 'trading' : 'delisting';
}

/** `next_funding_rate` is the running rate; `latest_*` is the last settlement. Zero is a value. */
export function parseFundingRates(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(replyOf(payload, 'funding-rate').data, 'data');
  return readListed(rows, 'market', context, (row, contract, batch) => {
    const nextFundingAtMs = epochMsOf(row.next_funding_time);
    return addScheduledQuote(batch, contract, {
      ratePct: percentFromFraction(row.next_funding_rate),
      nextFundingAtMs,
      intervalHours: intervalBetween(epochMsOf(row.latest_funding_time), nextFundingAtMs),
      venueTimeMs: null,
    });
  });
}

/** Whole hours between two settlements; a settlement may be stamped some seconds late. */
function intervalBetween(lastMs: number | null, nextMs: number | null): number | null {
  if (lastMs === null || nextMs === null) return null;
  const hours = Math.round((nextMs - lastMs) / HOUR_MS);
  return hours > 0 && Math.abs(nextMs - lastMs - hours * HOUR_MS) <= 5 * MINUTE_MS ? hours : null;
}

/** `value` is the turnover in quote units; inverse markets count contracts of one dollar in `volume`. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(replyOf(payload, 'ticker').data, 'data');
  return readListed(rows, 'market', context, (row, contract, batch) => {
    const turnover = turnoverUsdt(contract, { linearQuote: row.value, inverseContracts: row.volume });
    const markPrice = positiveOf(row.mark_price);
    addFigures(batch, contract, { markPrice, indexPrice: positiveOf(row.index_price) });
    return addVolume(batch, contract, turnover, positiveOf(row.last) ?? markPrice);
  });
}

/** The data of one `bbo.update`. */
export function parseBestOffers(data: unknown, context: ParseContext): Batch {
  return readListed([data], 'market', context, (row, contract, batch) => {
    const fields = {
      bidPrice: row.best_bid_price,
      bidSize: row.best_bid_size,
      askPrice: row.best_ask_price,
      askSize: row.best_ask_size,
    };
    return addTop(batch, readTop(contract, fields, sizeUnitOf(contract), epochMsOf(row.updated_at)));
  });
}

/** Prints are stamped about 21 seconds after the settlement. The documentation does not state the order of a page. */
export function parseFundingHistory(
  payload: unknown,
  window: { fromMs: number; toMs: number },
): SettlementPage {
  const reply = replyOf(payload, 'funding-rate-history');
  const prints = readPrints(listOf(reply.data, 'data'), { symbolField: 'market' }, {}, (row) => ({
    ratePct:
      percentFromFraction(row.actual_funding_rate) ?? percentFromFraction(row.theoretical_funding_rate),
    settledAtMs: epochMsOf(row.funding_time),
  }));
  return pageEitherWay(prints, window, rowOf(reply.pagination, 'pagination').has_next === true);
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const { bids, asks, updated_at } = rowOf(rowOf(replyOf(payload, 'depth').data, 'data').depth, 'depth');
  return readBook(contract, { bids, asks }, sizeUnitOf(contract), epochMsOf(updated_at));
}
