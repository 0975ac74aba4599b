import { percentFromFraction, shiftDecimal } from '../../base/numbers.ts';
import { classByName } from '../asset-class.ts';
import { type Batch, type Contract, type Depth, linearContract } from '../observations.ts';
import { pageForward, readPrints } from '../prints.ts';
import {
  amountOf,
  epochMsOf,
  epochNanosecondsOf,
  epochSecondsOf,
  goodReply,
  idOf,
  ignore,
  listOf,
  positiveOf,
  type Row,
  rowOf,
  textOf,
} from '../reading.ts';
import { addMarket, addTop, readContracts, readListed } from '../row-readers.ts';
import { leverageOf, readBook, readTop } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import { CONTRACT_STATUS, HISTORY_PAGE_ROWS, NO_PRICE, SHARES } from './wire.ts';

const HOURS_OF_RATE = 24;
/** Decimals of a percent, which hide the rounding error of the division. */
const RATE_DECIMALS = 12;

/** Numbers with `_x18` in their name are multiplied by 10^18. */
const fromX18 = (value: unknown) => shiftDecimal(value, -18);
const percentFromX18 = (value: unknown) => shiftDecimal(value, -16);

export function parseSymbols(payload: unknown): Batch {
  const { symbols } = rowOf(goodReply(payload, 'symbols', 'status', 'success').data, 'data');
  return readContracts(
    Object.values(rowOf(symbols, 'symbols')),
    'symbol',
    'perpetuals',
    (row, venueSymbol) => {
      if (row.type !== 'perp') return ignore('not a perpetual');
      const base = venueSymbol.replace(/-PERP$/, '');
      const venueId = idOf(row.product_id);
      if (base === '' || base === venueSymbol || venueId === null) return 'no base or product';
      const venueStatus = textOf(row.trading_status) ?? '';
      const status = CONTRACT_STATUS[venueStatus];
      if (status === undefined) return `unknown status ${venueStatus}`;
      const takerFeePct = percentFromX18(row.taker_fee_rate_x18);
      const weight = fromX18(row.long_weight_initial_x18);
      return linearContract({
        venueSymbol,
        venueId,
        base,
        quote: 'USDT',
        status,
        venueStatus,
        assetClass: classByName(base, SHARES),
        maxLeverage: weight === null ? null : leverageOf(1 - weight),
        intervalHours: 1,
        ...(takerFeePct === null ? {} : { takerFeePct }),
      });
    },
  );
}

/** `funding_rate` is the forecast for 24 hours, of which each hour settles one 24th. */
function hourlyPct(ratePerDay: unknown): number | null {
  const pct = percentFromFraction(ratePerDay);
  return pct === null ? null : Number((pct / HOURS_OF_RATE).toFixed(RATE_DECIMALS)) + 0;
}

/** An object by ticker. Its rows name the symbol as their base, and are of every contract, tradable or not. */
export function parseContracts(payload: unknown, context: ParseContext): Batch {
  const rows = Object.values(rowOf(payload, 'contracts'));
  return readListed(rows, 'base_currency', context, (row, contract, batch) =>
    addMarket(batch, contract, {
      ratePct: hourlyPct(row.funding_rate),
      nextFundingAtMs: epochSecondsOf(row.next_funding_rate_timestamp),
      intervalHours: 1,
      venueTimeMs: null,
      volume24hUsdt: amountOf(row.quote_volume),
      markPrice: positiveOf(row.mark_price),
      indexPrice: positiveOf(row.index_price),
      openInterestUsdt: amountOf(row.open_interest_usd),
    }),
  );
}

/** A `best_bid_offer` event. A side without orders has price 0, or the largest number there is. */
export function parseBestOffers(event: Row, symbol: string | undefined, context: ParseContext): Batch {
  return readListed([{ ...event, symbol }], 'symbol', context, (row, contract, batch) => {
    const fields = {
      bidPrice: fromX18(row.bid_price),
      bidSize: fromX18(row.bid_qty),
      askPrice: row.ask_price === NO_PRICE ? null : fromX18(row.ask_price),
      askSize: fromX18(row.ask_qty),
    };
    return addTop(batch, readTop(contract, fields, 'base', epochNanosecondsOf(row.timestamp)));
  });
}

/** Oldest first, one print an hour, with times in seconds. Unlike the running rate, a print is for its hour. */
export function parseFundingHistory(
  payload: unknown,
  contract: Contract,
  window: SettlementWindow,
): SettlementPage {
  const rows = listOf(rowOf(payload, 'funding_rate_history').funding_rates, 'funding_rates');
  const prints = readPrints(rows, { contract }, window, (row) => ({
    ratePct: idOf(row.product_id) === contract.venueId ? percentFromX18(row.funding_rate_x18) : null,
    settledAtMs: epochSecondsOf(row.timestamp),
  }));
  return pageForward(prints, window, prints.rowCount >= HISTORY_PAGE_ROWS);
}

export function parseOrderbook(payload: unknown, contract: Contract): Depth {
  const { bids, asks, timestamp } = rowOf(payload, 'orderbook');
  return readBook(contract, { bids, asks }, 'base', epochMsOf(timestamp));
}
