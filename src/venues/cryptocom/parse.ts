import { percentFromFraction } from '../../base/numbers.ts';
import { ownValue } from '../../base/own-value.ts';
import { nextFullHourMs } from '../../base/times.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import type { ParseDepth, ParseHistory } from '../bulk-poll.ts';
import { listedContract, readContracts } from '../contract-list.ts';
import { epochMsOf, positiveOf, textOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import type { AssetClass, Batch, Contract } from '../observations.ts';
import { pageEitherWay, readPrints } from '../prints.ts';
import { BadReply, goodReply, ignore, listOf, type Row, rowOf } from '../reading.ts';
import { readBook } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { CLASS_OF_PRODUCT, DEFAULT_PAGE_ROWS, INTERVAL_HOURS, PERPETUAL, PERPETUAL_SUFFIX } from './wire.ts';

function resultOf(payload: unknown, what: string): Row {
  return rowOf(goodReply(payload, what, 'code', 0).result, 'result');
}

const rowsOf = (payload: unknown, what: string) => listOf(resultOf(payload, what).data, 'data');

/** The reply about one contract names it, so that the answer to another question cannot be taken for it. */
function rowsOfContract(payload: unknown, what: string, { venueSymbol }: Contract): readonly unknown[] {
  const { instrument_name, data } = resultOf(payload, what);
  if (instrument_name !== venueSymbol) throw new BadReply(`${what} of another contract`);
  return listOf(data, 'data');
}

/** Spot and dated futures are in the same list. `tradable` is the only status. */
export function parseInstruments(payload: unknown): Batch {
  return readContracts(rowsOf(payload, 'get-instruments'), 'symbol', 'perpetuals', (row, venueSymbol) => {
    if (row.inst_type !== PERPETUAL) return ignore('not a perpetual');
    if (typeof row.tradable !== 'boolean') return 'no status';
    return listedContract({
      venueSymbol,
      base: row.base_ccy,
      quote: row.quote_ccy,
      contractSize: positiveOf(row.contract_size),
      status: row.tradable ? 'trading' : 'halted',
      venueStatus: `tradable ${row.tradable}`,
      assetClass: (base) => classOf(textOf(row.product_type), base),
      maxLeverage: row.max_leverage,
      intervalHours: INTERVAL_HOURS,
    });
  });
}

function classOf(product: string | null, base: string): AssetClass {
  if (product === null) return 'crypto';
  const labelled = ownValue(CLASS_OF_PRODUCT, product);
  return labelled === undefined ? traditionalClassOf(base) : assetClassOf(base, labelled);
}

/** `v` and `oi` are base units, `vv` dollars. The tops here have no sizes, so they come over the stream. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const rows = rowsOf(payload, 'get-tickers');
  return readMarket(rows, 'i', context, (row) => ({
    volume24hUsdt: row.vv,
    volumeCounted: row.v,
    lastPrice: row.a,
    openInterest: { amount: row.oi, unit: 'base' },
  }));
}

/** A message of the channel `ticker`; its sizes are base units. A side without orders is null. */
export function parseTicker(rows: readonly unknown[], context: ParseContext): Batch {
  return readMarket(rows, 'i', context, (row) => ({
    top: { bidPrice: row.b, bidSize: row.bs, askPrice: row.k, askSize: row.ks, unit: 'base' },
    venueTimeMs: epochMsOf(row.t),
  }));
}

/**
 * A message of the channel `funding`: the rate of one hour, sent at the fifth second of each minute. The one that is
 * repeated right after a settlement is still the rate that was charged.
 */
export function parseFunding(symbol: unknown, rows: readonly unknown[], context: ParseContext): Batch {
  const named = rows.map((row) => ({ ...rowOf(row, 'funding'), symbol }));
  return readMarket(named, 'symbol', context, (row) => {
    const venueTimeMs = epochMsOf(row.t);
    if (venueTimeMs === null) return 'no time';
    const nextFundingAtMs = nextFullHourMs(venueTimeMs);
    if (nextFundingAtMs <= context.receivedAtMs) return ignore('rate of a settlement that has passed');
    return {
      ratePct: percentFromFraction(row.v),
      nextFundingAtMs,
      intervalHours: INTERVAL_HOURS,
      venueTimeMs,
    };
  });
}

/** The reply names the index (BTCUSD-INDEX), whichever name was requested. */
export function parseIndex(payload: unknown, { venueSymbol }: Contract, context: ParseContext): Batch {
  const { instrument_name, data } = resultOf(payload, 'get-valuations');
  if (instrument_name !== venueSymbol.replace(PERPETUAL_SUFFIX, '-INDEX'))
    throw new BadReply('index of another contract');
  const [newest] = listOf(data, 'data');
  return readMarket(
    [{ ...rowOf(newest, 'index'), venueSymbol }],
    'venueSymbol',
    context,
    ({ v: indexPrice }) => (positiveOf(indexPrice) === null ? 'no index price' : { indexPrice }),
  );
}

/** Hourly rows, four equal ones in a row. */
export const parseHistory: ParseHistory = (payload, contract, window) => {
  const rows = rowsOfContract(payload, 'get-valuations', contract);
  const prints = readPrints(rows, { contract }, window, (row) => ({
    ratePct: percentFromFraction(row.v),
    settledAtMs: epochMsOf(row.t),
  }));
  return pageEitherWay(prints, window, rows.length >= DEFAULT_PAGE_ROWS);
};

/** [price, size, number of orders], in base units. */
export const parseBook: ParseDepth = (payload, contract) => {
  const { bids, asks, t } = rowOf(rowsOfContract(payload, 'get-book', contract)[0], 'book');
  return readBook(contract, { bids, asks }, 'base', epochMsOf(t));
};
