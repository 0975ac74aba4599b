import { percentFromFraction, roundPercent } from '../../base/numbers.ts';
import type { AssetClass, Batch, Contract, ContractStatus, Depth } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import {
  amountOf,
  BadReply,
  epochMsOf,
  ignore,
  isRow,
  listOf,
  NOT_LISTED,
  positiveOf,
  type Row,
  readRows,
  rowOf,
  textOf,
} from '../reading.ts';
import { bookOf, readLevels, readTop } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { ASSET_CLASS, CONTRACT_STATUS, PRINT_HOURS } from './wire.ts';

/** The result of a JSON-RPC answer. */
export function resultOf(payload: unknown, what: string): unknown {
  const reply = rowOf(payload, what);
  if (isRow(reply.error)) throw new BadReply(`${what} answered error ${String(reply.error.code)}`);
  return reply.result;
}

export function parseInstruments(payload: unknown, receivedAtMs: number): Batch {
  const batch = emptyBatch();
  const contracts: Contract[] = [];
  const rows = listOf(resultOf(payload, 'get_instruments'), 'result');
  readRows(rows, batch, 'instrument_name', (row, venueSymbol) => {
    const kind = textOf(row.kind);
    if (kind !== 'future') return ignore(kind ?? 'no kind');
    if (row.settlement_period !== 'perpetual') return ignore('dated future');
    const contract = contractOf(row, venueSymbol, receivedAtMs);
    if (typeof contract === 'string') return contract;
    contracts.push(contract);
    return null;
  });
  batch.contractList = { part: 'futures', contracts };
  return batch;
}

function contractOf(row: Row, venueSymbol: string, receivedAtMs: number): Contract | string {
  const base = textOf(row.base_currency);
  const quote = textOf(row.quote_currency);
  const settle = textOf(row.settlement_currency);
  if (base === null || quote === null || settle === null) return 'no base, quote or settlement currency';
  const isInverse = row.instrument_type === 'reversed';
  if (isInverse !== (settle === base)) return 'instrument type contradicts the settlement currency';
  // Linear amounts are in base units whatever the contract size is; only an inverse one has a face value.
  const contractSize = isInverse ? positiveOf(row.contract_size) : 1;
  if (contractSize === null) return 'no contract size';
  const venueStatus = textOf(row.state) ?? (row.is_active === false ? 'inactive' : 'open');
  const state = (CONTRACT_STATUS as Record<string, ContractStatus>)[venueStatus];
  if (state === undefined) return `unknown status ${venueStatus}`;
  const listedAtMs = epochMsOf(row.creation_timestamp);
  // The year 3000 stands for no end.
  const delistsAtMs = epochMsOf(row.expiration_timestamp);
  return {
    venueSymbol,
    base,
    quote,
    settle,
    isInverse,
    contractSize,
    status: statusOf(state, listedAtMs, delistsAtMs, receivedAtMs),
    venueStatus,
    assetClass: (ASSET_CLASS as Record<string, AssetClass>)[textOf(row.underlying_type) ?? ''] ?? 'crypto',
    listedAtMs,
    delistsAtMs,
    maxLeverage: positiveOf(row.max_leverage),
    intervalHours: null,
  };
}

function statusOf(
  state: ContractStatus,
  listedAtMs: number | null,
  delistsAtMs: number | null,
  receivedAtMs: number,
): ContractStatus {
  if (state === 'halted' && listedAtMs !== null && listedAtMs > receivedAtMs) return 'preopen';
  return state === 'trading' && delistsAtMs !== null ? 'delisting' : state;
}

/** Turnover of one currency's futures; `volume_usd` is in dollars for linear and inverse contracts alike. */
export function parseBookSummaries(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  const rows = listOf(resultOf(payload, 'get_book_summary_by_currency'), 'result');
  readRows(rows, batch, 'instrument_name', (row, venueSymbol) => {
    if (!venueSymbol.endsWith('-PERPETUAL')) return ignore('dated future');
    if (!context.contracts.has(venueSymbol)) return NOT_LISTED;
    const volume24hUsdt = amountOf(row.volume_usd) ?? amountOf(row.volume_notional);
    if (volume24hUsdt === null) return 'no volume';
    const referencePrice = positiveOf(row.mark_price) ?? positiveOf(row.last);
    batch.dayVolumes.push({ venueSymbol, volume24hUsdt, referencePrice });
    return null;
  });
  return batch;
}

/** The venue's clock, which the calls for a span of time need. */
export function parseTime(payload: unknown): number {
  const timeMs = epochMsOf(resultOf(payload, 'get_time'));
  if (timeMs === null) throw new BadReply('get_time is not a time');
  return timeMs;
}

/**
 * The interest of the hour that ends now: the hourly print as it stands. `current_funding` would be the rate of this
 * very millisecond and `funding_8h` that of the last eight hours; neither is a rate that is exchanged.
 */
export function parseHourInterest(payload: unknown, contract: Contract, venueTimeMs: number): Batch {
  const batch = emptyBatch();
  const percent = percentFromFraction(resultOf(payload, 'get_funding_rate_value'));
  if (percent === null) {
    batch.rejected.push({ venueSymbol: contract.venueSymbol, reason: 'no rate' });
    return batch;
  }
  batch.fundingQuotes.push({
    venueSymbol: contract.venueSymbol,
    ratePct: roundPercent(percent),
    nextFundingAtMs: null,
    intervalHours: PRINT_HOURS,
    venueTimeMs,
  });
  return batch;
}

/** Amounts are base units on linear contracts and dollars, not contracts, on inverse ones. */
function contractsIn(contract: Contract, amount: unknown): number | null {
  const number = positiveOf(amount);
  return number === null ? null : number / contract.contractSize;
}

/** The data of one ticker push. */
export function parseTicker(data: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows([data], batch, 'instrument_name', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    const top = readTop(
      contract,
      {
        bidPrice: row.best_bid_price,
        bidSize: contractsIn(contract, row.best_bid_amount),
        askPrice: row.best_ask_price,
        askSize: contractsIn(contract, row.best_ask_amount),
      },
      'contracts',
      epochMsOf(row.timestamp),
    );
    if (typeof top === 'string') return top;
    batch.bookTops.push(top);
    return null;
  });
  return batch;
}

export function parseOrderBook(payload: unknown, contract: Contract): Depth {
  const book = rowOf(resultOf(payload, 'get_order_book'), 'result');
  const side = (levels: unknown) =>
    readLevels(
      contract,
      listOf(levels, 'levels').map((level) =>
        Array.isArray(level) ? [level[0], contractsIn(contract, level[1])] : [],
      ),
      'contracts',
    );
  return bookOf(contract, side(book.bids), side(book.asks), epochMsOf(book.timestamp));
}

export function parseAnnouncements(payload: unknown): Batch {
  const batch = emptyBatch();
  for (const value of listOf(resultOf(payload, 'get_announcements'), 'result')) {
    const row: Row = isRow(value) ? value : {};
    const title = textOf(row.title);
    const publishedAtMs = epochMsOf(row.publication_timestamp);
    if (title === null || publishedAtMs === null || row.id === undefined) {
      batch.rejected.push({ venueSymbol: null, reason: 'announcement without id, title or time' });
      continue;
    }
    batch.announcements.push({
      id: String(row.id),
      title,
      body: textOf(row.body),
      category: row.important === true ? 'important' : '',
      url: null,
      publishedAtMs,
    });
  }
  return batch;
}
