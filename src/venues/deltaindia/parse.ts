import { decimalOrNull, shiftDecimal } from '../../base/numbers.ts';
import { HOUR_MS } from '../../base/times.ts';
import { classByName } from '../asset-class.ts';
import type { ParseDepth, ParseHistory } from '../bulk-poll.ts';
import { listedContract, readContracts, statusFrom } from '../contract-list.ts';
import {
  epochMicrosecondsOf,
  epochSecondsOf,
  hoursFromSeconds,
  isoMsOf,
  positiveOf,
  textOf,
} from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import { type Batch, isLive } from '../observations.ts';
import { readPrints } from '../prints.ts';
import { BadReply, goodReply, ignore, listOf, optionalRow, type Row, rowOf } from '../reading.ts';
import { leverageOf, readBook } from '../units.ts';
import type { ParseContext, SettlementWindow } from '../venue.ts';
import {
  CONTRACT_STATUS,
  FIRST_SETTLEMENT_MS,
  HISTORY_PAGE_HOURS,
  OPERATIONAL,
  PERPETUAL,
  TAKER_FEE_PCT,
} from './wire.ts';

const resultOf = (payload: unknown, what: string) => goodReply(payload, what, 'success', true).result;

export function parseProducts(payload: unknown): Batch {
  return readContracts(
    listOf(resultOf(payload, 'products'), 'result'),
    'symbol',
    'perpetuals',
    (row, venueSymbol) => {
      if (row.contract_type !== PERPETUAL) return ignore('not a perpetual');
      const [base, quote, settle] = [row.underlying_asset, row.quoting_asset, row.settling_asset].map(
        (asset) => textOf(optionalRow(asset).symbol),
      );
      if (settle !== quote) return ignore('not settled in its quote');
      const takerFeePct = shiftDecimal(row.taker_commission_rate, 2);
      return listedContract({
        venueSymbol,
        base,
        quote,
        contractSize: positiveOf(row.contract_value),
        ...statusOf(row),
        assetClass: (known) => classByName(known, new Set()),
        listedAtMs: isoMsOf(row.launch_time),
        maxLeverage: leverageOf(shiftDecimal(row.initial_margin, -2)),
        takerFeePct: takerFeePct === TAKER_FEE_PCT ? null : takerFeePct,
        intervalHours: hoursFromSeconds(optionalRow(row.product_specs).rate_exchange_interval),
      });
    },
  );
}

/** A contract that is live and disrupted takes only some orders. */
function statusOf(row: Row): ReturnType<typeof statusFrom> {
  const found = statusFrom(CONTRACT_STATUS, row.state);
  if (found.status !== 'trading' || row.trading_status === OPERATIONAL) return found;
  return { status: 'halted', venueStatus: `${found.venueStatus} ${textOf(row.trading_status)}` };
}

/** `funding_rate` is a percent already. No field has the next settlement: they are on the grid of the interval from midnight. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(resultOf(payload, 'tickers'), 'result');
  return readMarket(rows, 'symbol', context, (row, contract) => {
    // A contract that is disrupted keeps the figures of before.
    if (!isLive(contract)) return ignore('not trading');
    const { intervalHours } = contract;
    const { best_bid, bid_size, best_ask, ask_size } = optionalRow(row.quotes);
    const venueTimeMs = epochMicrosecondsOf(row.timestamp);
    return {
      ratePct: decimalOrNull(row.funding_rate),
      nextFundingAtMs: nextOnGridMs(venueTimeMs ?? context.receivedAtMs, intervalHours),
      intervalHours,
      venueTimeMs,
      volume24hUsdt: row.turnover_usd,
      volumeCounted: row.size,
      markPrice: row.mark_price,
      indexPrice: row.spot_price,
      openInterest: { amount: row.oi, unit: 'base' },
      top: {
        bidPrice: best_bid,
        bidSize: bid_size,
        askPrice: best_ask,
        askSize: ask_size,
        unit: 'contracts',
      },
    };
  });
}

function nextOnGridMs(timeMs: number, intervalHours: number | null): number | null {
  if (intervalHours === null) return null;
  const stepMs = intervalHours * HOUR_MS;
  return timeMs - (timeMs % stepMs) + stepMs;
}

/** The start of the part of the window that one call may cover, on a full hour. */
export function pageStartMs({ fromMs, toMs }: SettlementWindow): number {
  const pageMs = HISTORY_PAGE_HOURS * HOUR_MS;
  return Math.max(fromMs, FIRST_SETTLEMENT_MS, toMs - (toMs % HOUR_MS) - pageMs);
}

/**
 * Hourly rows of one series of percents, which is flat between two settlements and takes a new value at each. The row at a
 * settlement has the rate that was charged there; those between repeat it.
 */
export const parseFundingCandles: ParseHistory = (payload, contract, window) => {
  const { intervalHours } = contract;
  if (intervalHours === null) throw new BadReply('contract without an interval');
  const rows = listOf(resultOf(payload, 'history/candles'), 'result');
  const { settlements, rejected, rowCount } = readPrints(rows, { contract }, window, (row) => ({
    ratePct: decimalOrNull(row.close),
    settledAtMs: epochSecondsOf(row.time),
  }));
  const startMs = pageStartMs(window);
  const hasMore = rowCount > 0 && startMs > Math.max(window.fromMs, FIRST_SETTLEMENT_MS);
  return {
    settlements: settlements.filter((print) => print.settledAtMs % (intervalHours * HOUR_MS) === 0),
    rejected,
    next: hasMore ? { fromMs: window.fromMs, toMs: startMs - 1 } : null,
  };
};

/** Sizes count contracts. An unknown symbol is answered with success and nothing. */
export const parseBook: ParseDepth = (payload, contract) => {
  const { symbol, buy: bids, sell: asks } = rowOf(resultOf(payload, 'l2orderbook'), 'result');
  if (symbol !== contract.venueSymbol) throw new BadReply('book of another contract');
  return readBook(contract, { bids, asks }, 'contracts', null, { price: 'price', size: 'size' });
};
