import { percentFromFraction, roundPercent } from '../../base/numbers.ts';
import { assetClassOf, classByName, traditionalClassOf } from '../asset-class.ts';
import { readContracts } from '../contract-list.ts';
import { amountOf, epochMsOf, idOf, positiveOf, textOf } from '../fields.ts';
import {
  type AssetClass,
  type Batch,
  type Contract,
  type ContractStatus,
  contractWith,
  type Depth,
  emptyBatch,
  isLive,
  withEnd,
} from '../observations.ts';
import { ignore, listOf, NOT_LISTED, type Row, readRows, resultOf, rowOf } from '../reading.ts';
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
import type { ParseContext } from '../venue.ts';
import { ASSET_CLASS, CONTRACT_STATUS, RATE_HOURS, ROUNDED_IN_SUMMARY, SHARES } from './wire.ts';

export function parseInstruments(payload: unknown, receivedAtMs: number): Batch {
  const rows = listOf(resultOf(payload, 'get_instruments'), 'result');
  return readContracts(rows, 'instrument_name', 'futures', (row, venueSymbol) => {
    const kind = textOf(row.kind);
    if (kind !== 'future') return ignore(kind ?? 'no kind');
    if (row.settlement_period !== 'perpetual') return ignore('dated future');
    return contractOf(row, venueSymbol, receivedAtMs);
  });
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
  const state = CONTRACT_STATUS[venueStatus];
  if (state === undefined) return `unknown status ${venueStatus}`;
  const listedAtMs = epochMsOf(row.creation_timestamp);
  // The venue writes the year 3000 for a contract without an end.
  const delistsAtMs = epochMsOf(row.expiration_timestamp);
  return contractWith({
    venueSymbol,
    base,
    quote,
    settle,
    isInverse,
    contractSize,
    status: statusOf(state, listedAtMs, delistsAtMs, receivedAtMs),
    venueStatus,
    assetClass: classOf(base, textOf(row.underlying_type)),
    listedAtMs,
    delistsAtMs,
    maxLeverage: positiveOf(row.max_leverage),
  });
}

/** A word that is new here is no coin: the shares and goods that came from Coinbase must not join a coin's ranking. */
function classOf(base: string, word: string | null): AssetClass {
  if (word === null) return classByName(base, SHARES);
  const known = ASSET_CLASS[word] ?? (word.startsWith('crypto') ? 'crypto' : null);
  return known ? assetClassOf(base, known) : traditionalClassOf(base);
}

function statusOf(
  state: ContractStatus,
  listedAtMs: number | null,
  delistsAtMs: number | null,
  receivedAtMs: number,
): ContractStatus {
  if (state === 'halted' && listedAtMs !== null && listedAtMs > receivedAtMs) return 'preopen';
  return withEnd(state, delistsAtMs);
}

/**
 * Turnover and running rate of one currency's futures; `volume_usd` is in dollars for linear and inverse contracts
 * alike. `funding_8h` beside the rate is what the past eight hours have paid.
 */
export function parseBookSummaries(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  const rows = listOf(resultOf(payload, 'get_book_summary_by_currency'), 'result');
  readRows(rows, batch, 'instrument_name', (row, venueSymbol) => {
    if (!venueSymbol.endsWith('-PERPETUAL')) return ignore('dated future');
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    const turnover = amountOf(row.volume_usd) ?? amountOf(row.volume_notional);
    const markPrice = positiveOf(row.mark_price);
    addFigures(batch, contract, {
      markPrice,
      // In base units on linear contracts and in dollars on inverse ones.
      openInterest: {
        amount: row.open_interest,
        unit: contract.isInverse ? 'quote' : 'base',
        counted: row.open_interest,
      },
    });
    return firstReason(
      addVolume(batch, contract, turnover, markPrice ?? positiveOf(row.last)),
      ROUNDED_IN_SUMMARY.has(contract.base) || !isLive(contract)
        ? null
        : addRunningRate(batch, contract, row.current_funding, epochMsOf(row.creation_timestamp)),
    );
  });
  return batch;
}

/** `current_funding` is the rate of this millisecond, stated for eight hours. */
function addRunningRate(
  batch: Batch,
  contract: Contract,
  currentFunding: unknown,
  venueTimeMs: number | null,
): string | null {
  const percent = percentFromFraction(currentFunding);
  return addQuote(batch, contract, {
    ratePct: percent === null ? null : roundPercent(percent),
    nextFundingAtMs: null,
    intervalHours: RATE_HOURS,
    venueTimeMs,
  });
}

/** Amounts are base units on linear contracts and dollars, not contracts, on inverse ones. */
function contractsIn(contract: Contract, amount: unknown): number | null {
  const number = positiveOf(amount);
  return number === null ? null : number / contract.contractSize;
}

/** The data of one ticker push. */
export function parseTicker(data: unknown, context: ParseContext): Batch {
  return readListed([data], 'instrument_name', context, (row, contract, batch) => {
    const fields = {
      bidPrice: row.best_bid_price,
      bidSize: contractsIn(contract, row.best_bid_amount),
      askPrice: row.best_ask_price,
      askSize: contractsIn(contract, row.best_ask_amount),
    };
    const venueTimeMs = epochMsOf(row.timestamp);
    addFigures(batch, contract, { indexPrice: positiveOf(row.index_price) });
    return firstReason(
      addTop(batch, readTop(contract, fields, 'contracts', venueTimeMs)),
      ROUNDED_IN_SUMMARY.has(contract.base)
        ? addRunningRate(batch, contract, row.current_funding, venueTimeMs)
        : null,
    );
  });
}

export function parseOrderBook(payload: unknown, contract: Contract): Depth {
  const book = rowOf(resultOf(payload, 'get_order_book'), 'result');
  const side = (levels: unknown) =>
    listOf(levels, 'levels').map((level) =>
      Array.isArray(level) ? [level[0], contractsIn(contract, level[1])] : [],
    );
  const sides = { bids: side(book.bids), asks: side(book.asks) };
  return readBook(contract, sides, 'contracts', epochMsOf(book.timestamp));
}

export function parseAnnouncements(payload: unknown): Batch {
  return readNotices(listOf(resultOf(payload, 'get_announcements'), 'result'), (row) => ({
    id: idOf(row.id),
    title: textOf(row.title),
    body: textOf(row.body),
    category: row.important === true ? 'important' : '',
    url: null,
    publishedAtMs: epochMsOf(row.publication_timestamp),
  }));
}
