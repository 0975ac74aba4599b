import { decimalOrNull, percentFromFraction, roundPercent } from '../../base/numbers.ts';
import { HOUR_MS, nextFullHourMs } from '../../base/times.ts';
import type { Batch, Contract } from '../observations.ts';
import { isoMsOf, isRow, listOf, positiveOf, type Row } from '../reading.ts';
import type { SettlementPage } from '../venue.ts';
import { successOf } from './reply.ts';
import { FUNDING_INTERVAL_HOURS, HOURLY_FUNDING_SINCE_MS, IMPLAUSIBLE_HOURLY_PCT } from './wire.ts';

/**
 * `fundingRate` is what the present hour pays, as an amount for one contract: USD for a base unit (linear), coins for
 * one USD (inverse). Relative to the index price it is the rate. `fundingRatePrediction` is of the hour after.
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
  batch.fundingQuotes.push({
    venueSymbol: contract.venueSymbol,
    ratePct,
    nextFundingAtMs: nextFullHourMs(receivedAtMs),
    intervalHours: FUNDING_INTERVAL_HOURS,
    venueTimeMs,
  });
  return null;
}

/**
 * One reply has the whole history and takes no window. A row's `timestamp` is the start of the hour that it is the
 * rate of, so it settles an hour later, and the row of the hour that still runs is no print yet.
 */
export function parseFundingRates(
  payload: unknown,
  contract: Contract,
  window: { fromMs: number; toMs: number },
  receivedAtMs: number,
): SettlementPage {
  const reply = successOf(payload, 'historical funding rates');
  const { venueSymbol } = contract;
  const page: SettlementPage = { settlements: [], rejected: [], next: null };
  const untilMs = Math.min(window.toMs, receivedAtMs);
  for (const row of listOf(reply.rates, 'rates')) {
    const startMs = isRow(row) ? isoMsOf(row.timestamp) : null;
    const ratePct = isRow(row) ? percentFromFraction(row.relativeFundingRate) : null;
    if (startMs === null || ratePct === null) {
      page.rejected.push({ venueSymbol, reason: 'no rate or time' });
      continue;
    }
    const settledAtMs = startMs + FUNDING_INTERVAL_HOURS * HOUR_MS;
    if (startMs >= HOURLY_FUNDING_SINCE_MS && settledAtMs >= window.fromMs && settledAtMs <= untilMs)
      page.settlements.push({ venueSymbol, ratePct, settledAtMs });
  }
  page.settlements.sort((a, b) => a.settledAtMs - b.settledAtMs);
  return page;
}
