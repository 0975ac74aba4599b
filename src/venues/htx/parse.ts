import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf } from '../asset-class.ts';
import { readContracts } from '../contract-list.ts';
import { epochMsOf, isoMsOf, positiveOf, textOf } from '../fields.ts';
import {
  type AssetClass,
  type Batch,
  type Contract,
  contractWith,
  type Depth,
  isLive,
  withEnd,
} from '../observations.ts';
import { BadReply, ignore, listOf, type Row, rowOf } from '../reading.ts';
import {
  addOnePrice,
  addOpenInterest,
  addScheduledQuote,
  addTop,
  addVolume,
  readListed,
} from '../row-readers.ts';
import { readBook, readTop, splitSymbol, turnoverUsdt } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { CONTRACT_STATUS, LABEL_CLASS, type Part } from './wire.ts';

const NOT_TRADING = ignore('contract is not trading');

/** Errors come with HTTP 200. One part of the API spells their code `err_code`, the other `err-code`. */
export function replyOf(payload: unknown, what: string): Row {
  const reply = rowOf(payload, what);
  if (reply.status === 'ok') return reply;
  throw new BadReply(`${what} answered error ${String(reply.err_code ?? reply['err-code'] ?? 'unknown')}`);
}

export function parseContracts(payload: unknown, part: Part, receivedAtMs: number): Batch {
  const rows = listOf(replyOf(payload, 'contract info').data, 'contract info');
  return readContracts(rows, 'contract_code', part, (row, venueSymbol) => {
    if ((textOf(row.business_type) ?? 'swap') !== 'swap') return ignore('dated future');
    const { base, quote } = splitSymbol(venueSymbol, '-');
    if (base === '' || quote === '') return 'no base or quote';
    const settle = part === 'inverse' ? base : (textOf(row.trade_partition) ?? quote);
    if (settle !== base && settle !== quote) return ignore('quanto');
    const contractSize = positiveOf(row.contract_size);
    if (contractSize === null) return 'no contract size';
    const venueStatus = String(decimalOrNull(row.contract_status) ?? '');
    const status = CONTRACT_STATUS[venueStatus];
    if (status === undefined) return `unknown status ${venueStatus}`;
    const delistsAtMs = epochMsOf(row.delivery_time);
    const listedAtMs = dayMsOf(row.create_date);
    return contractWith({
      venueSymbol,
      base,
      quote,
      settle,
      isInverse: settle === base,
      contractSize,
      status: withEnd(status, delistsAtMs),
      venueStatus,
      assetClass: assetClassOf(base, labelledClassOf(row)),
      // Only the day is given: for a contract that opens later on that day it would be a past time.
      listedAtMs: status === 'preopen' && (listedAtMs ?? 0) <= receivedAtMs ? null : listedAtMs,
      delistsAtMs,
      intervalHours: positiveOf(row.settlement_period),
    });
  });
}

/** `20201021` as the start of that day. */
function dayMsOf(value: unknown): number | null {
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(String(value ?? ''));
  return match ? isoMsOf(`${match[1]}-${match[2]}-${match[3]}T00:00:00Z`) : null;
}

function labelledClassOf(row: Row): AssetClass {
  for (const labels of [row.tradfi_labels, row.labels]) {
    if (!Array.isArray(labels)) continue;
    const names = labels.map((label) => String(label).toLowerCase());
    const found = LABEL_CLASS.find(([name]) => names.includes(name));
    if (found) return found[1];
  }
  return 'crypto';
}

/** `funding_time` is the coming settlement; `next_funding_time` and `estimated_rate` are no longer filled. */
export function parseFunding(payload: unknown, context: ParseContext): Batch {
  const reply = replyOf(payload, 'funding rates');
  const rows = listOf(reply.data, 'funding rates');
  return readListed(rows, 'contract_code', context, (row, contract, batch) => {
    // A suspended contract keeps the rate and the settlement time of its last day.
    if (!isLive(contract)) return NOT_TRADING;
    return addScheduledQuote(batch, contract, {
      ratePct: percentFromFraction(row.funding_rate),
      nextFundingAtMs: epochMsOf(row.funding_time),
      intervalHours: undefined,
      venueTimeMs: epochMsOf(reply.ts),
    });
  });
}

/** Book tops and turnover. `vol` counts contracts, so the linear turnover is `trade_turnover`. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const ticks = listOf(replyOf(payload, 'tickers').ticks, 'tickers');
  return readListed(ticks, 'contract_code', context, (row, contract, batch) => {
    if (!isLive(contract)) return NOT_TRADING;
    const turnover = turnoverUsdt(contract, { linearQuote: row.trade_turnover, inverseContracts: row.vol });
    const [bidPrice, bidSize] = Array.isArray(row.bid) ? row.bid : [];
    const [askPrice, askSize] = Array.isArray(row.ask) ? row.ask : [];
    const fields = { bidPrice, bidSize, askPrice, askSize };
    return (
      addVolume(batch, contract, turnover, positiveOf(row.close)) ??
      addTop(batch, readTop(contract, fields, 'contracts', epochMsOf(row.ts)))
    );
  });
}

export function parseIndices(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(replyOf(payload, 'indices').data, 'indices');
  return readListed(rows, 'contract_code', context, (row, contract, batch) =>
    addOnePrice(batch, contract, 'indexPrice', positiveOf(row.index_price)),
  );
}

/** `volume` counts the contracts of one side; `value` is what they are worth, which inverse rows do not have. */
export function parseOpenInterest(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(replyOf(payload, 'open interest').data, 'open interest');
  return readListed(rows, 'contract_code', context, (row, contract, batch) => {
    if (!isLive(contract)) return NOT_TRADING;
    const { value, volume: counted } = row;
    return addOpenInterest(
      batch,
      contract,
      contract.isInverse ? { amount: counted, unit: 'contracts' } : { amount: value, unit: 'quote', counted },
    );
  });
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const { bids, asks, ts } = rowOf(replyOf(payload, 'depth').tick, 'depth');
  return readBook(contract, { bids, asks }, 'contracts', epochMsOf(ts));
}
