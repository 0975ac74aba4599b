import { decimalOrNull, percentFromFraction, roundPercent } from '../../base/numbers.ts';
import { HOUR_MS, nextFullHourMs } from '../../base/times.ts';
import { isoMsOf, positiveOf, textOf } from '../fields.ts';
import type { Batch, Contract } from '../observations.ts';
import { readPrints } from '../prints.ts';
import { BadReply, isRow, listOf, type Row, rowOf } from '../reading.ts';
import { addQuote } from '../row-readers.ts';
import type { SettlementPage } from '../venue.ts';
import {
  FUNDING_INTERVAL_HOURS,
  HOURLY_FUNDING_SINCE_MS,
  IMPLAUSIBLE_HOURLY_PCT,
  MAX_AMOUNT_DEVIATION,
  NEGLIGIBLE_PCT,
} from './wire.ts';

/** Refusals come with status 200, as `error` or as a list of `errors`. */
export function successOf(payload: unknown, what: string): Row {
  const row = rowOf(payload, what);
  if (row.result !== 'success') throw new BadReply(`${what}: ${textOf(row.error) ?? 'not a success'}`);
  return row;
}

/**
 * `relativeFundingRate` is the rate of the present hour. `fundingRate` is the same as an amount per contract: USD per
 * base unit (linear), coins per USD (inverse); it serves as a check, and as the rate of rows without a relative one.
 * `fundingRatePrediction` is for the next hour.
 */
export function readFunding(
  row: Row,
  contract: Contract,
  receivedAtMs: number,
  venueTimeMs: number | null,
  batch: Batch,
): string | null {
  const statedPct = percentFromFraction(row.relativeFundingRate);
  const derivedPct = pctFromAmount(row, contract);
  const ratePct = statedPct === null ? derivedPct : roundPercent(statedPct);
  if (ratePct === null) return decimalOrNull(row.fundingRate) === null ? 'no rate' : 'no index price';
  if (Math.abs(ratePct) > IMPLAUSIBLE_HOURLY_PCT) return 'implausible rate';
  if (derivedPct !== null && isContradiction(ratePct, derivedPct))
    return 'relative rate and amount contradict each other';
  return addQuote(batch, contract, {
    ratePct,
    nextFundingAtMs: nextFullHourMs(receivedAtMs),
    intervalHours: FUNDING_INTERVAL_HOURS,
    venueTimeMs,
  });
}

/** The venue divided by the price at the start of the hour; we only have the present one, so this is approximate. */
function pctFromAmount(row: Row, contract: Contract): number | null {
  const amount = decimalOrNull(row.fundingRate);
  const price = positiveOf(row.indexPrice) ?? positiveOf(row.markPrice);
  if (amount === null || price === null) return null;
  return roundPercent(100 * (contract.isInverse ? amount * price : amount / price));
}

function isContradiction(ratePct: number, derivedPct: number): boolean {
  const larger = Math.max(Math.abs(ratePct), Math.abs(derivedPct));
  return Math.abs(ratePct - derivedPct) > larger * MAX_AMOUNT_DEVIATION + NEGLIGIBLE_PCT;
}

/**
 * One reply has the whole history; the call has no time filter. A row's `timestamp` is the start of its hour, so the
 * row settles an hour later, and the row of the running hour is not a print yet. The venue's own time decides which hour
 * is running: with a clock that is an hour fast, the running rate would be stored as a print.
 */
export function parseFundingRates(
  payload: unknown,
  contract: Contract,
  window: { fromMs: number; toMs: number },
  receivedAtMs: number,
): SettlementPage {
  const reply = successOf(payload, 'historical funding rates');
  const rows = listOf(reply.rates, 'rates');
  const fromMs = Math.max(window.fromMs, HOURLY_FUNDING_SINCE_MS + FUNDING_INTERVAL_HOURS * HOUR_MS);
  const toMs = Math.min(window.toMs, receivedAtMs, isoMsOf(reply.serverTime) ?? receivedAtMs);
  const firstHour = hourOf(new Date(fromMs - FUNDING_INTERVAL_HOURS * HOUR_MS).toISOString());
  // A year of rows for the one of the last hour: comparing texts costs a tenth of reading them.
  const wanted = rows.filter((row) => !isBeforeHour(row, firstHour));
  const { settlements, rejected } = readPrints(wanted, { contract }, { fromMs, toMs }, (row) => {
    const startMs = isoMsOf(row.timestamp);
    return {
      ratePct: percentFromFraction(row.relativeFundingRate),
      settledAtMs: startMs === null ? null : startMs + FUNDING_INTERVAL_HOURS * HOUR_MS,
    };
  });
  return { settlements: settlements.sort((a, b) => a.settledAtMs - b.settledAtMs), rejected, next: null };
}

const HOUR_LENGTH = '2026-11-16T12'.length;

function hourOf(isoText: string): string {
  return isoText.slice(0, HOUR_LENGTH);
}

/** False if its time is not in UTC, or missing: then it is read. */
function isBeforeHour(row: unknown, hour: string): boolean {
  const time = isRow(row) ? row.timestamp : null;
  return typeof time === 'string' && time.endsWith('Z') && hourOf(time) < hour;
}
