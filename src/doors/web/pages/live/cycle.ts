import { SECOND_MS } from '../../../../base/times.ts';
import type { PageContext } from '../page-context.ts';

/** What makes the data of a page, with the seconds between two runs where the process does not know them. */
const USUAL_SECONDS = {
  snapshots: 10,
  arbitrage: 10,
  spreads: 5,
  listings: 10,
  audit: 60,
  backtest: 60,
  depth: 60,
} as const;
export type PageJob = keyof typeof USUAL_SECONDS;

/** How often the data of a page is made, in seconds. */
export function cycleSeconds({ jobs }: Pick<PageContext, 'jobs'>, job: PageJob): number {
  const everyMs = jobs().find(({ name }) => name === job)?.everyMs;
  return everyMs === undefined ? USUAL_SECONDS[job] : everyMs / SECOND_MS;
}
