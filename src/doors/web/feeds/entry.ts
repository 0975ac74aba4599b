import { PLANS } from '../../../accounts/plans.ts';
import { MINUTE_MS, SECOND_MS } from '../../../base/times.ts';
import type { Row } from '../layout/visitor.ts';

/** A row of the listings calendar, as feeds show it. */
export interface ListingEntry {
  /** Stays the same when other fields of the row change. */
  id: string;
  exchange: string;
  kind: string;
  title: string;
  text: string;
  link: string;
  effectiveAt: string | null;
  detectedAt: string;
  isCancelled: boolean;
}

const VERBS: Readonly<Record<string, string>> = { listing: 'lists', delisting: 'delists' };

export function listingEntry(row: Row, host: string, page: string): ListingEntry {
  const text = (name: string) => String(row[name]);
  const orNull = (name: string) => (typeof row[name] === 'string' ? row[name] : null);
  const [exchange, symbol, kind] = [text('exchange'), text('symbol'), text('kind')];
  const status = orNull('status');
  const effectiveAt = orNull('effective_at');
  const notice = orNull('announcement_url');
  const facts = [
    `${exchange} ${symbol} perpetual, ${kind}${status === null ? '' : `, ${status}`}`,
    effectiveAt === null ? 'No time is known yet' : `Effective ${effectiveAt}`,
    `Detected ${text('detected_at')} (${text('source')})`,
    ...(notice === null ? [] : [`Notice: ${notice}`]),
    `Data: Perpwire, ${(PLANS.demo.delaySeconds * SECOND_MS) / MINUTE_MS} minutes late`,
  ];
  return {
    id: `${text('detected_at').replaceAll(/\D/g, '').padEnd(17, '0')}-${exchange}-${symbol}-${kind}@${host}`,
    exchange,
    kind,
    title: `${status === 'cancelled' ? 'Cancelled: ' : ''}${exchange} ${VERBS[kind] ?? kind} ${symbol}`,
    text: facts.join('\n'),
    link: notice ?? page,
    effectiveAt,
    detectedAt: text('detected_at'),
    isCancelled: status === 'cancelled',
  };
}
