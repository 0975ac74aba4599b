import { decimalOrNull, percentFromFraction, roundPercent } from '../../base/numbers.ts';
import { HOUR_MS, nextFullHourMs } from '../../base/times.ts';
import type { Batch, Contract } from '../observations.ts';
import { readPrints } from '../prints.ts';
import { BadReply, isoMsOf, listOf, positiveOf, type Row, rowOf, textOf } from '../reading.ts';
import { addQuote } from '../row-readers.ts';
import type { SettlementPage } from '../venue.ts';
import { FUNDING_INTERVAL_HOURS, HOURLY_FUNDING_SINCE_MS, IMPLAUSIBLE_HOURLY_PCT } from './wire.ts';

/** Refusals come with status 200, as `error` or as a list of `errors`. */
export function successOf(payload: unknown, what: string): Row {
  const row = rowOf(payload, what);
  if (row.result !== 'success') throw new BadReply(`${what}: ${textOf(row.error) ?? 'not a success'}`);
  return row;
}

/**
 * `fundingRate` is what the present hour pays, as an amount per contract: USD per base unit (linear), coins per USD
 * (inverse). Divided by the index price it is the rate. `fundingRatePrediction` is that of the next hour.
 */
export function readFunding(
  row: Row,
  contract: Contract,
  receivedAtMs: number,
  venueTimeMs: number | null,
  batch: Batch,
): string | null {
  const amount = decimalOrNull(row.fundingRate);
  if (amount === null) return 'no rate';
  const price = positiveOf(row.indexPrice) ?? positiveOf(row.markPrice);
  if (price === null) return 'no index price';
  const ratePct = roundPercent(100 * (contract.isInverse ? amount * price : amount / price));
  if (Math.abs(ratePct) > IMPLAUSIBLE_HOURLY_PCT) return 'implausible rate';
  return addQuote(batch, contract, {
    ratePct,
    nextFundingAtMs: nextFullHourMs(receivedAtMs),
    intervalHours: FUNDING_INTERVAL_HOURS,
    venueTimeMs,
  });
}

/**
 * One reply has the whole history; the call has no time filter. A row's `timestamp` is the start of its hour, so the
 * row settles an hour later, and the row of the running hour is not a print yet.
 */
export function parseFundingRates(
  payload: unknown,
  contract: Contract,
  window: { fromMs: number; toMs: number },
  receivedAtMs: number,
): SettlementPage {
  const rows = listOf(successOf(payload, 'historical funding rates').rates, 'rates');
  const fromMs = Math.max(window.fromMs, HOURLY_FUNDING_SINCE_MS + FUNDING_INTERVAL_HOURS * HOUR_MS);
  const toMs = Math.min(window.toMs, receivedAtMs);
  const { settlements, rejected } = readPrints(rows, { contract }, { fromMs, toMs }, (row) => {
    const startMs = isoMsOf(row.timestamp);
    return {
      ratePct: percentFromFraction(row.relativeFundingRate),
      settledAtMs: startMs === null ? null : startMs + FUNDING_INTERVAL_HOURS * HOUR_MS,
    };
  });
  return { settlements: settlements.sort((a, b) => a.settledAtMs - b.settledAtMs), rejected, next: null };
}
