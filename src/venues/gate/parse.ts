import { percentFromFraction } from '../../base/numbers.ts';
import { HOUR_MS, SECOND_MS } from '../../base/times.ts';
import type { AssetClass, Batch, Contract, ContractStatus, Depth } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import {
  amountOf,
  epochSecondsOf,
  ignore,
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
import { ASSET_CLASS, CONTRACT_STATUS, INVERSE_FACE_USD } from './wire.ts';

/** The part is named like the settle currency in the path. */
export type Part = 'usdt' | 'btc';

/** One reply has the contracts and their running funding. */
export function parseContracts(payload: unknown, part: Part, receivedAtMs: number): Batch {
  const batch = emptyBatch();
  const contracts: Contract[] = [];
  readRows(listOf(payload, 'contracts'), batch, 'name', (row, venueSymbol) => {
    const contract = readContract(row, venueSymbol, part, receivedAtMs);
    if (typeof contract === 'string') return contract;
    contracts.push(contract);
    if (contract.status === 'preopen' || contract.status === 'delisted') return null;
    // `funding_rate_indicative` is deprecated and says the same.
    const ratePct = percentFromFraction(row.funding_rate);
    if (ratePct === null) return 'no rate';
    batch.fundingQuotes.push({
      venueSymbol,
      ratePct,
      nextFundingAtMs: epochSecondsOf(row.funding_next_apply),
      intervalHours: contract.intervalHours,
      venueTimeMs: null,
    });
    return null;
  });
  batch.contractList = { part, contracts };
  return batch;
}

function readContract(row: Row, venueSymbol: string, part: Part, receivedAtMs: number): Contract | string {
  const [base = '', quote = '', ...rest] = venueSymbol.split('_');
  if (rest.length > 0) return ignore('dated future');
  if (base === '' || quote === '') return 'no base or quote';
  const settle = part.toUpperCase();
  const isInverse = settle === base;
  if (!isInverse && quote !== settle) return ignore('quanto');
  const contractSize = positiveOf(row.quanto_multiplier) ?? (isInverse ? INVERSE_FACE_USD : null);
  if (contractSize === null) return 'no contract size';
  const venueStatus = textOf(row.status) ?? 'trading';
  const told = (CONTRACT_STATUS as Record<string, ContractStatus>)[venueStatus];
  if (told === undefined) return `unknown status ${venueStatus}`;
  const endsAtMs = epochSecondsOf(row.delisted_time) ?? epochSecondsOf(row.delisting_time);
  const isFlagged = row.in_delisting === true;
  // A past end of a contract that trades belongs to an earlier listing of the same name.
  const isLeaving = isFlagged || told !== 'trading' || (endsAtMs !== null && endsAtMs > receivedAtMs);
  const seconds = positiveOf(row.funding_interval);
  return {
    venueSymbol,
    base,
    quote,
    settle,
    isInverse,
    contractSize,
    status: statusOf(told, row, isFlagged, isLeaving),
    venueStatus,
    assetClass: (ASSET_CLASS as Record<string, AssetClass>)[textOf(row.contract_type) ?? ''] ?? 'crypto',
    listedAtMs: epochSecondsOf(row.launch_time),
    delistsAtMs: isLeaving ? endsAtMs : null,
    maxLeverage: positiveOf(row.leverage_max),
    intervalHours: seconds === null ? null : (seconds * SECOND_MS) / HOUR_MS,
  };
}

/** The flag counts beside the status: with positions left the contract is leaving, without any it has gone. */
function statusOf(told: ContractStatus, row: Row, isFlagged: boolean, isLeaving: boolean): ContractStatus {
  if (told === 'delisted' || told === 'preopen') return told;
  if (isFlagged) return amountOf(row.position_size) === 0 ? 'delisted' : 'delisting';
  return told === 'trading' && isLeaving ? 'delisting' : told;
}

export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(listOf(payload, 'tickers'), batch, 'contract', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    const raw = amountOf(contract.isInverse ? row.volume_24h : row.volume_24h_quote);
    if (raw !== null) {
      const volume24hUsdt = contract.isInverse ? usdtFromContracts(contract, raw, 1) : raw;
      batch.dayVolumes.push({ venueSymbol, volume24hUsdt, referencePrice: positiveOf(row.last) });
    }
    const top = readTop(
      contract,
      {
        bidPrice: row.highest_bid,
        bidSize: row.highest_size,
        askPrice: row.lowest_ask,
        askSize: row.lowest_size,
      },
      'contracts',
      null,
    );
    if (typeof top === 'string') return contract.status === 'preopen' ? ignore('not open yet') : top;
    batch.bookTops.push(top);
    return raw === null ? 'no volume' : null;
  });
  return batch;
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const book = rowOf(payload, 'order_book');
  const fields = { price: 'p', size: 's' };
  return bookOf(
    contract,
    readLevels(contract, book.bids, 'contracts', fields),
    readLevels(contract, book.asks, 'contracts', fields),
    epochSecondsOf(book.current),
  );
}
