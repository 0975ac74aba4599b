import { csvOfObjects } from '../../../../base/csv.ts';
import { MINUTE_MS } from '../../../../base/times.ts';
import { markdownTable } from '../../../documents/markdown.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { markdownHead } from '../../markup/markdown.ts';
import { unitInAddress } from '../funding/units.ts';
import { definePage } from '../market-page.ts';
import type { PageContext } from '../page-context.ts';
import { RUNNING_PATH } from './paths.ts';
import { type LoadedRunning, loadRunning, paidRows, USUAL_DAYS } from './running-data.ts';
import { runningBody } from './running-view.ts';

const LEAD =
  'What each settlement paid, beside the running rate in its last minute and 1, 4 and 8 hours before, in percent of the position. Positive: longs pay shorts. What was not recorded is unknown.';

/** The running rate of one contract through time, beside what was settled. */
export const RUNNING_PAGE = definePage<LoadedRunning>({
  path: RUNNING_PATH,
  section: '/funding',
  parameters: pageParameters(null, ['symbol', 'days', 'unit']),
  isLive: true,
  // The tape has a new minute once a minute.
  freshness: ({ entrance }) => String(Math.floor(entrance.clock.nowMs() / MINUTE_MS)),
  clean: cleanQuery,
  load: loadRunning,
  view: (loaded, context) => ({
    title: `${titleOf(loaded)}: predicted and paid funding`,
    description: `The running funding rate of ${loaded.symbol} on ${loaded.exchange}, minute by minute, beside what was settled`,
    layout: 'wrap',
    asOf: loaded.meta.as_of,
    scripts: ['live', 'soft', 'uplot', 'line-chart'],
    body: runningBody(loaded, context),
  }),
  markdown: (loaded) =>
    `${markdownHead(`${titleOf(loaded)}: predicted and paid funding`, LEAD, loaded.meta)}${markdownTable(paidRows(loaded))}`,
  files: {
    '.csv': {
      type: 'text/csv; charset=utf-8',
      write: (loaded) => csvOfObjects(paidRows(loaded), FIELDS),
      headers: ({ coin, exchange }) => ({
        'content-disposition': `attachment; filename="${`${coin}-${exchange}-predicted-and-paid`.replaceAll(/[^A-Za-z0-9-]/g, '_')}.csv"`,
      }),
    },
  },
});

const FIELDS = [
  ...['settled_at', 'paid_pct', 'interval_hours', 'running_last_pct'],
  ...['running_1h_before_pct', 'running_4h_before_pct', 'running_8h_before_pct'],
];

function titleOf({ symbol, exchange }: LoadedRunning): string {
  return `${symbol} on ${exchange}`;
}

/** The address as it should be: whole days, without what is the default. */
function cleanQuery({ sent, preferences }: PageContext): Map<string, string[]> {
  const clean = new Map(sent);
  const days = Number(sent.get('days')?.[0]);
  if (!Number.isInteger(days) || days < 1 || days === USUAL_DAYS) clean.delete('days');
  const unit = unitInAddress(sent, preferences);
  if (unit === undefined) clean.delete('unit');
  else clean.set('unit', [unit]);
  return clean;
}
