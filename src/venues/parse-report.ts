import type { SourceHealth, VenueReport } from './health.ts';
import { isRow } from './reading.ts';

type Budget = VenueReport['budgets'][number];

/** A report as another process or the admin port sent it; null if any of it has another shape. */
export function parseVenueReport(value: unknown): VenueReport | null {
  if (!isRow(value)) return null;
  const { exchange, slug, contracts, lastGoodAtMs, callsPerMinute } = value;
  const sources = listOrNull(value.sources, parseSource);
  const budgets = listOrNull(value.budgets, parseBudget);
  const [rejected, ignored, quarantined] = [value.rejected, value.ignored, value.quarantined];
  if (!isText(exchange) || !isText(slug) || !isNumber(contracts) || !isNumber(callsPerMinute)) return null;
  if (!isNumberOrNull(lastGoodAtMs) || !sources || !budgets) return null;
  if (!isCounts(rejected) || !isCounts(ignored) || !isCounts(quarantined)) return null;
  return {
    exchange,
    slug,
    ...(value.hasEnded === true ? { hasEnded: true } : {}),
    ...(value.refusesAddress === true ? { refusesAddress: true } : {}),
    contracts,
    lastGoodAtMs,
    sources,
    rejected,
    ignored,
    callsPerMinute,
    budgets,
    quarantined,
  };
}

function parseSource(value: unknown): SourceHealth | null {
  if (!isRow(value)) return null;
  const { name, lastGoodAtMs, failuresInARow, lastFailure } = value;
  if (!isText(name) || !isNumberOrNull(lastGoodAtMs) || !isNumber(failuresInARow)) return null;
  if (lastFailure !== null && !isText(lastFailure)) return null;
  return { name, lastGoodAtMs, failuresInARow, lastFailure };
}

function parseBudget(value: unknown): Budget | null {
  if (!isRow(value)) return null;
  const { name, spent, capacity, windowSeconds, usedPerMinute, limitPerMinute } = value;
  if (!isText(name) || !isNumber(spent) || !isNumber(capacity)) return null;
  if (!isNumber(windowSeconds) || !isNumber(usedPerMinute) || !isNumber(limitPerMinute)) return null;
  return { name, spent, capacity, windowSeconds, usedPerMinute, limitPerMinute };
}

function listOrNull<T>(value: unknown, parse: (item: unknown) => T | null): T[] | null {
  if (!Array.isArray(value)) return null;
  const parsed = value.map(parse);
  return parsed.every((item) => item !== null) ? parsed : null;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isNumberOrNull = (value: unknown): value is number | null => value === null || isNumber(value);
const isCounts = (value: unknown): value is Record<string, number> =>
  isRow(value) && Object.values(value).every(isNumber);
