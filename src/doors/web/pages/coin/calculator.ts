import type { Row } from '../../layout/visitor.ts';
import { plainNumber } from '../../markup/plain-number.ts';
import type { PageContext } from '../page-context.ts';
import type { LateVenues } from '../venues/late-venues.ts';
import { perHourPct } from './comparison.ts';
import type { FeeOf } from './fees.ts';
import { sentValue } from './query.ts';

const HOURS_PER_DAY = 24;
const MOST_USD = 1e9;
const MOST_DAYS = 365;

/** A position as the reader wrote it. A figure that is not usable is null and has an error. */
export interface Position {
  side: 'long' | 'short';
  sizeUsd: number | null;
  days: number | null;
  /** What the fields show: what was typed. */
  typed: { size: string; held: string };
  errors: { size?: string; held?: string };
}

export function positionOf(sent: PageContext['sent']): Position {
  const typed = { size: sentValue(sent, 'size') ?? '', held: sentValue(sent, 'held') ?? '' };
  const errors: Position['errors'] = {};
  const sizeUsd = Number(plainNumber(typed.size));
  if (!(sizeUsd > 0 && sizeUsd <= MOST_USD))
    errors.size = 'The size is a number of dollars from 1 to 1,000,000,000, such as 10,000 or 2m.';
  const days = Number(plainNumber(typed.held));
  if (!(days > 0 && days <= MOST_DAYS)) errors.held = `Days held is a number up to ${MOST_DAYS}.`;
  return {
    side: sentValue(sent, 'side') === 'long' ? 'long' : 'short',
    sizeUsd: errors.size === undefined ? sizeUsd : null,
    days: errors.held === undefined ? days : null,
    typed,
    errors,
  };
}

export interface Outcome {
  exchange: string;
  symbol: string;
  /** Positive is earned, negative is paid. */
  usd: number;
  isLate: boolean;
  session: unknown;
}

/**
 * Dollars at the running rates, less the taker fee to open and to close: the largest linear contract of each venue, the
 * best first. Late venues come last.
 */
export function outcomes(
  rates: readonly Row[],
  { side, sizeUsd, days }: Position,
  feeOf: FeeOf,
  late: LateVenues,
): Outcome[] {
  if (sizeUsd === null || days === null) return [];
  const sign = side === 'short' ? 1 : -1;
  const largest = new Map<string, Row>();
  for (const row of rates) {
    if (row.is_inverse === true || perHourPct(row) === null) continue;
    const known = largest.get(String(row.exchange));
    if (!known || Number(row.volume_24h_usdt) > Number(known.volume_24h_usdt))
      largest.set(String(row.exchange), row);
  }
  return [...largest]
    .map(([exchange, row]) => {
      const fundingUsd = ((sign * (perHourPct(row) ?? 0)) / 100) * HOURS_PER_DAY * days * sizeUsd;
      const feeUsd = ((2 * feeOf(row)) / 100) * sizeUsd;
      return {
        exchange,
        symbol: String(row.symbol),
        usd: fundingUsd - feeUsd,
        isLate: late.has(exchange),
        session: row.session,
      };
    })
    .sort((a, b) => Number(a.isLate) - Number(b.isLate) || b.usd - a.usd);
}
