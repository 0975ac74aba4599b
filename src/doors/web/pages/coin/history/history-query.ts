import { Problem } from '../../../../../base/problems.ts';
import { fundingHistory } from '../../../../../operations/funding-history/funding-history.ts';
import { pageParameters } from '../../../layout/page-parameters.ts';
import { type DaysRange, daysRange } from '../../funding/days-range.ts';
import { forgiving } from '../../lists/forgiving.ts';
import type { PageContext } from '../../page-context.ts';
import { NONE } from '../venue-choice.ts';

type Sent = PageContext['sent'];

/** Of `from` and `to` it takes only that `days` is ignored beside `from`, as in the API. */
export const HISTORY_PARAMETERS = pageParameters(null, [
  ...['resolution', 'days', 'exchange', 'symbol'],
  ...['from', 'to'],
]);

/** How the page shows the payments: one by one, as APR of each day, or added up. */
export const MODES = ['settlement', '1d', 'cumulative'] as const;
export type Mode = (typeof MODES)[number];

const LONGEST_DAYS = 730;
const USUAL_DAYS = 30;

export interface HistoryQuery {
  mode: Mode;
  days: number;
  range: DaysRange;
  /** Venues as in the address; null: the page chooses. */
  venues: string | null;
  symbol: string | null;
}

/** The address as it should be: venues spelled right, without what is the default. */
export function cleanHistoryQuery({ sent, entrance }: PageContext): Sent {
  const clean = forgiving(fundingHistory, sent, entrance.data.venues);
  if (clean.get('resolution')?.[0] === '1d') clean.delete('resolution');
  // The page shows the days before now; a link of the API may name another window.
  for (const name of ['from', 'to']) clean.delete(name);
  return clean;
}

/** Throws a Problem that says which value of the address is wrong. */
export function historyQuery(context: PageContext): HistoryQuery {
  const { sent } = context;
  const value = (name: string) => sent.get(name)?.join(',') ?? null;
  const wanted = value('resolution') ?? '1d';
  const mode = MODES.find((one) => one === wanted);
  if (mode === undefined)
    throw new Problem(
      'invalid-parameter',
      `"resolution" must be one of ${MODES.join(', ')}; got "${wanted}".`,
    );
  const range = daysRange(context, LONGEST_DAYS);
  const days = range.days === null ? Math.min(USUAL_DAYS, range.mostDays) : Number(range.days);
  if (!Number.isInteger(days) || days < 1)
    throw new Problem(
      'invalid-parameter',
      `"days" must be an integer from 1 to ${range.mostDays}; got "${value('days')}".`,
    );
  return { mode, days, range, venues: value('exchange'), symbol: value('symbol') };
}

/** The venues that the address names must be served. */
export function checkVenues({ venues }: HistoryQuery, { entrance }: PageContext): void {
  if (venues === null || venues === NONE) return;
  const served = entrance.data.venues.map(({ facts }) => facts.exchange);
  const unknown = venues.split(',').find((name) => !served.includes(name));
  if (unknown !== undefined)
    throw new Problem('unknown-exchange', `"exchange" names "${unknown}", which is no venue here.`);
}
