import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import type { AssetClass, Batch, Contract, Depth } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import {
  amountOf,
  epochMsOf,
  ignore,
  isoMsOf,
  listOf,
  NOT_LISTED,
  positiveOf,
  type Row,
  readRows,
  rowOf,
  textOf,
} from '../reading.ts';
import { bookOf, readLevels, readTop, usdtFromContracts } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { goodReply } from './reply.ts';
import { CONTRACT_STATUS, GOLD_COINS, LABEL_CLASS, type Part } from './wire.ts';

const NOT_TRADING = ignore('contract is not trading');

export function parseContracts(payload: unknown, part: Part, receivedAtMs: number): Batch {
  const batch = emptyBatch();
  const contracts: Contract[] = [];
  const rows = listOf(goodReply(payload, 'contract info').data, 'contract info');
  readRows(rows, batch, 'contract_code', (row, venueSymbol) => {
    if ((textOf(row.business_type) ?? 'swap') !== 'swap') return ignore('dated future');
    const dash = venueSymbol.lastIndexOf('-');
    const base = venueSymbol.slice(0, Math.max(0, dash));
    const quote = venueSymbol.slice(dash + 1);
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
    contracts.push({
      venueSymbol,
      base,
      quote,
      settle,
      isInverse: settle === base,
      contractSize,
      status: status === 'trading' && delistsAtMs !== null ? 'delisting' : status,
      venueStatus,
      assetClass: assetClassOf(row, base),
      // Only the day is given: for a contract that opens later that same day it would be a time already past.
      listedAtMs: status === 'preopen' && (listedAtMs ?? 0) <= receivedAtMs ? null : listedAtMs,
      delistsAtMs,
      maxLeverage: null,
      intervalHours: positiveOf(row.settlement_period),
    });
    return null;
  });
  batch.contractList = { part, contracts };
  return batch;
}

/** `20201021` as the start of that day. */
function dayMsOf(value: unknown): number | null {
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(String(value ?? ''));
  return match ? isoMsOf(`${match[1]}-${match[2]}-${match[3]}T00:00:00Z`) : null;
}

function assetClassOf(row: Row, base: string): AssetClass {
  if (GOLD_COINS.has(base)) return 'crypto';
  for (const labels of [row.tradfi_labels, row.labels]) {
    if (!Array.isArray(labels)) continue;
    const names = labels.map((label) => String(label).toLowerCase());
    const found = LABEL_CLASS.find(([name]) => names.includes(name));
    if (found) return found[1];
  }
  return 'crypto';
}

function isLive(contract: Contract): boolean {
  return contract.status === 'trading' || contract.status === 'delisting';
}

/** `funding_time` is the coming settlement; `next_funding_time` and `estimated_rate` are no longer filled. */
export function parseFunding(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  const reply = goodReply(payload, 'funding rates');
  readRows(listOf(reply.data, 'funding rates'), batch, 'contract_code', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    // A suspended contract keeps the rate and the settlement time of its last day.
    if (!isLive(contract)) return NOT_TRADING;
    const ratePct = percentFromFraction(row.funding_rate);
    if (ratePct === null) return 'no rate';
    const nextFundingAtMs = epochMsOf(row.funding_time);
    if (nextFundingAtMs === null) return 'no next settlement';
    batch.fundingQuotes.push({
      venueSymbol,
      ratePct,
      nextFundingAtMs,
      intervalHours: undefined,
      venueTimeMs: epochMsOf(reply.ts),
    });
    return null;
  });
  return batch;
}

/** Book tops and turnover. `vol` counts contracts, so the linear turnover is `trade_turnover`. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  const ticks = listOf(goodReply(payload, 'tickers').ticks, 'tickers');
  readRows(ticks, batch, 'contract_code', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    if (!isLive(contract)) return NOT_TRADING;
    const raw = amountOf(contract.isInverse ? row.vol : row.trade_turnover);
    if (raw === null) return 'no volume';
    const volume24hUsdt = contract.isInverse ? usdtFromContracts(contract, raw, 1) : raw;
    batch.dayVolumes.push({ venueSymbol, volume24hUsdt, referencePrice: positiveOf(row.close) });
    const [bidPrice, bidSize] = Array.isArray(row.bid) ? row.bid : [];
    const [askPrice, askSize] = Array.isArray(row.ask) ? row.ask : [];
    const fields = { bidPrice, bidSize, askPrice, askSize };
    const top = readTop(contract, fields, 'contracts', epochMsOf(row.ts));
    if (typeof top === 'string') return top;
    batch.bookTops.push(top);
    return null;
  });
  return batch;
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const tick = rowOf(goodReply(payload, 'depth').tick, 'depth');
  return bookOf(
    contract,
    readLevels(contract, tick.bids, 'contracts'),
    readLevels(contract, tick.asks, 'contracts'),
    epochMsOf(tick.ts),
  );
}
