import { percentFromFraction } from '../../base/numbers.ts';
import { classByName } from '../asset-class.ts';
import { listedContract, readContracts } from '../contract-list.ts';
import { amountOf, isoMsOf, textOf } from '../fields.ts';
import { addMarket } from '../market-rows.ts';
import type { Batch, Contract } from '../observations.ts';
import { ignore, listOf, optionalRow, type Row, rowOf } from '../reading.ts';
import { addQuote, firstReason } from '../row-readers.ts';
import { HOURS_OF_RATE, QUOTE, REGISTERED_NAME } from './wire.ts';

const SECONDS_PER_HOUR = 3600;
/** Decimals of a percent, which hide the rounding error of the division. */
const RATE_DECIMALS = 12;
const NO_SHARES: ReadonlySet<string> = new Set();

/** One reply has everything. Its quotes are one maker's offers on request, so they are not read as a book. */
export function parseStats(payload: unknown): Batch {
  const rows = listOf(rowOf(payload, 'stats').listings, 'listings');
  return readContracts(rows, 'ticker', 'perpetuals', contractOf, (row, contract, batch) =>
    firstReason(
      addQuote(batch, contract, {
        ratePct: ratePctOf(row, contract),
        // No field has the time of the next payment.
        nextFundingAtMs: null,
        intervalHours: contract.intervalHours,
        // That of the quotes is the only time in the reply.
        venueTimeMs: isoMsOf(optionalRow(row.quotes).updated_at),
      }),
      addMarket(batch, contract, {
        volume24hUsdt: row.volume_24h,
        markPrice: row.mark_price,
        openInterest: { amount: openInterestOf(row.open_interest), unit: 'quote' },
      }),
    ),
  );
}

function contractOf(row: Row, venueSymbol: string): Contract | string {
  const seconds = amountOf(row.funding_interval_s);
  if (seconds === 0) return ignore('swap');
  if (seconds === null) return 'no interval';
  const isCompany = REGISTERED_NAME.test(textOf(row.name) ?? '');
  return listedContract({
    venueSymbol,
    base: venueSymbol,
    quote: QUOTE,
    // The list has no status: what it has can be traded.
    status: 'trading',
    venueStatus: '',
    assetClass: (base) => (isCompany ? 'stock' : classByName(base, NO_SHARES)),
    intervalHours: seconds / SECONDS_PER_HOUR,
  });
}

/** The share of the yearly rate that one interval pays. */
function ratePctOf(row: Row, { intervalHours }: Contract): number | null {
  const yearlyPct = percentFromFraction(row.funding_rate);
  if (yearlyPct === null || intervalHours === null) return null;
  return Number(((yearlyPct * intervalHours) / HOURS_OF_RATE).toFixed(RATE_DECIMALS)) + 0;
}

/** Longs and shorts both face the maker, so each position of a user is a contract of its own. */
function openInterestOf(value: unknown): number | null {
  const { long_open_interest: long, short_open_interest: short } = optionalRow(value);
  const [longs, shorts] = [amountOf(long), amountOf(short)];
  return longs === null || shorts === null ? null : longs + shorts;
}
