import { isoTime } from '../../../../base/times.ts';
import { FAULT_WORDS } from '../../../../engines/audit/faults.ts';
import { findingOf } from '../../../../engines/audit/notices.ts';
import type { AuditReport } from '../../../../engines/audit/report.ts';
import type { WindowFigures } from '../../../../engines/audit/windows.ts';
import {
  loadPredictions,
  predictionDay,
  type VenuePredictions,
} from '../../../../operations/forecast-accuracy/predictions.ts';
import { escapeMarkdown, markdownTable } from '../../../documents/markdown.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { html } from '../../markup/html.ts';
import { definePage } from '../market-page.ts';
import type { PageContext } from '../page-context.ts';
import { USUAL_WINDOW, WINDOW_NAMES, WINDOW_TITLES, windowFields } from './accuracy-figures.ts';
import { dayText, FORMULAS, LEAD, NO_REPORT, summary, TITLE } from './accuracy-texts.ts';
import { accuracyBody } from './accuracy-view.ts';
import { PREDICTIONS_NOTE, PREDICTIONS_TITLE, predictionRows } from './predictions-view.ts';

interface LoadedAccuracy {
  report: AuditReport | null;
  /** Null while they cannot be computed. */
  predictions: readonly VenuePredictions[] | null;
}

export const ACCURACY_PAGE = definePage<LoadedAccuracy>({
  path: '/accuracy',
  label: 'Accuracy',
  section: '/accuracy',
  parameters: pageParameters(null, ['window']),
  clean: ({ sent }) => (windowOf(sent) === USUAL_WINDOW ? new Map() : sent),
  isLive: true,
  freshness: ({ accuracy, entrance }) =>
    `${accuracy()?.asOfMs ?? 'none'} ${predictionDay(entrance.clock.nowMs())}`,
  load: async ({ accuracy, entrance }) => ({
    report: accuracy(),
    predictions: await loadPredictions(entrance.data, entrance.clock.nowMs()),
  }),
  view: ({ report, predictions }, { sent }) => ({
    title: TITLE,
    description: 'How close published funding rates were to what the venues settled, per venue',
    layout: 'wrap',
    asOf: report ? isoTime(report.asOfMs) : '',
    scripts: ['live'],
    body: report
      ? accuracyBody(report, windowOf(sent), predictions)
      : html`<h1>${TITLE}</h1><p class="sub">${LEAD}</p><section class="card empty"><p>${NO_REPORT}</p></section>`,
  }),
  markdown: ({ report, predictions }) =>
    report ? accuracyMarkdown(report, predictions ?? []) : `# ${TITLE}\n\n${LEAD}\n\n${NO_REPORT}\n`,
});

function windowOf(sent: PageContext['sent']): number {
  const names: readonly string[] = WINDOW_NAMES;
  const at = names.indexOf(sent.get('window')?.[0] ?? '');
  return at < 0 ? USUAL_WINDOW : at;
}

function accuracyMarkdown(report: AuditReport, predictions: readonly VenuePredictions[]): string {
  const { venues, asOfMs } = report;
  const alarms = venues.flatMap(({ exchange, alarms: own }) =>
    own.map(({ fault, sinceMs, evidence }) => ({
      exchange,
      fault,
      finding: FAULT_WORDS[fault].finding,
      evidence,
      since: isoTime(sinceMs),
    })),
  );
  const notices = venues.flatMap(({ exchange, notices: own }) =>
    own.map((notice) => ({
      exchange,
      notice: notice.kind,
      field: notice.field,
      finding: findingOf(notice),
      evidence: notice.evidence,
      since: isoTime(notice.sinceMs),
    })),
  );
  const sections = WINDOW_TITLES.map((title, i) => {
    const rows = venues.map((venue) => windowFields(venue, venue.windows[i] as WindowFigures));
    return `## ${title}\n\n${markdownTable(rows)}\n`;
  });
  const days = venues.flatMap(({ exchange, days: own }) =>
    own.map((one) => ({
      exchange,
      day: dayText(one),
      comparisons: one.comparisons,
      within_01_bp_pct: one.closePct,
      median_error_bp: one.medianErrorBp,
    })),
  );
  const checks = venues.map(({ exchange, checks: found }) => ({
    exchange,
    prices_off: found?.pricesOff ?? null,
    prices_compared: found?.pricesCompared ?? null,
    settlements_passed: found?.settlementsPast ?? null,
    settlements_too_far: found?.settlementsTooFar ?? null,
    settlements_stated: found?.settlementsStated ?? null,
    volume_times_usual: found?.volumeRatio?.toFixed(2) ?? null,
  }));
  const part = (title: string, rows: Parameters<typeof markdownTable>[0]) =>
    rows.length === 0 ? '' : `## ${title}\n\n${markdownTable(rows)}\n`;
  return `# ${TITLE}

${LEAD} ${escapeMarkdown(summary(report))}

As of ${isoTime(asOfMs)}. How right the forecasts were: [accuracy of forecasts](/accuracy/forecasts.md).

${part('Alarms', alarms)}${part('Notices', notices)}${sections.join('\n')}
## By day

${days.length === 0 ? 'No comparison yet.\n' : markdownTable(days)}
## ${PREDICTIONS_TITLE}

${PREDICTIONS_NOTE}

${predictions.length === 0 ? '' : markdownTable(predictionRows(predictions))}
## Checks of every snapshot

${markdownTable(checks)}
## Formulas

${FORMULAS.map(([term, meaning]) => `- **${term}**: ${meaning}\n`).join('')}`;
}
