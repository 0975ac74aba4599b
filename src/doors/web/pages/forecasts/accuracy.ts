import {
  type ForecastAccuracy,
  forecastAccuracy,
} from '../../../../operations/forecast-accuracy/forecast-accuracy.ts';
import type { GroupAccuracy } from '../../../../operations/forecast-accuracy/summary.ts';
import { markdownTable } from '../../../documents/markdown.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { answerForPage, type PageAnswer } from '../../layout/visitor.ts';
import { markdownHead } from '../../markup/markdown.ts';
import { definePage } from '../market-page.ts';
import type { PageContext } from '../page-context.ts';
import { modelRows } from './accuracy-models.ts';
import { findings, LEAD, NO_SCORES, TITLE } from './accuracy-texts.ts';
import { forecastsBody, PATH, USUAL_DAYS } from './accuracy-view.ts';

/** How right the forecasts of pairs were, beside simple guesses. */
export const FORECASTS_PAGE = definePage<PageAnswer<ForecastAccuracy>>({
  path: PATH,
  label: 'Accuracy of forecasts',
  section: '/accuracy',
  parameters: pageParameters(null, ['horizon']),
  clean: ({ sent }) => (horizonOf(sent) === USUAL_DAYS ? new Map() : sent),
  freshness: ({ entrance, caller }) => String(entrance.freshness(forecastAccuracy, caller)),
  load: ({ entrance, caller }) => answerForPage(entrance, forecastAccuracy, caller, new Map()),
  view: ({ data }, { sent }) => ({
    title: TITLE,
    description:
      'How right the forecasts of funding carry were, per horizon, venue and class, beside simple guesses',
    layout: 'wrap',
    body: forecastsBody(data, horizonOf(sent)),
  }),
  markdown: ({ data, meta }) => {
    const { horizons, model_version: version, model_date: date } = data;
    const found = findings(data);
    const part = (title: string, rows: readonly Record<string, unknown>[]) =>
      rows.length === 0 ? '' : `## ${title}\n\n${markdownTable(rows)}\n`;
    const groups = (field: 'by_exchange' | 'by_asset_class') =>
      horizons.flatMap((horizon) =>
        horizon[field].map((one) => ({ days: horizon.days, ...named(one), ...figures(one) })),
      );
    const orders = horizons.flatMap(({ days, top_ten: top }) =>
      Object.entries(top).map(([order, one]) => ({ order, days, ...one })),
    );
    const places = horizons.flatMap(({ days, by_place }) =>
      Object.entries(by_place).flatMap(([order, own]) =>
        Object.entries(own).map(([place, one]) => ({ order, place, days, ...one })),
      ),
    );
    const models = modelRows(data);
    const weights = models.map(({ of, model: { days, model, weights: own, feature_limit, jump_share } }) => ({
      ...{ of, days, model, version, date },
      ...own,
      ...{ feature_limit, jump_share },
    }));
    const errors = models.map(({ of, model: { days, error_quantiles: own } }) => ({
      ...{ of, days },
      ...Object.fromEntries(own.map(({ level, error }) => [`at_${level}`, error])),
    }));
    return `${markdownHead(TITLE, LEAD, meta)}${
      found.length === 0 ? NO_SCORES : found.map(({ text }) => text).join(' ')
    } An expectation with a stated error, not advice. Errors and bias are in basis points of one leg, before costs.

${part(
  'How far off',
  horizons.map((horizon) => ({
    days: horizon.days,
    first_day: horizon.first_day,
    last_day: horizon.last_day,
    ...figures(horizon),
  })),
)}${part('What the ten best pairs of each day earned', orders)}${part(
  'Promised and earned, by place in the list',
  places,
)}${part('By venue', groups('by_exchange'))}${part('By class', groups('by_asset_class'))}${part(
  'Present weights',
  weights,
)}${part('Errors of past forecasts', errors)}`;
  },
});

function horizonOf(sent: PageContext['sent']): number {
  const days = Number(sent.get('horizon')?.[0]);
  return days === 1 || days === 30 ? days : USUAL_DAYS;
}

function named(group: { exchange: string } | { asset_class: string }): Record<string, string> {
  return 'exchange' in group ? { exchange: group.exchange } : { asset_class: group.asset_class };
}

/** The figures of a group under the names of the API. */
function figures({ observations, mean_error_bp, bias_bp, coverage_pct, is_worse_than_zero }: GroupAccuracy) {
  return { observations, ...mean_error_bp, bias_bp, coverage_pct, is_worse_than_zero };
}
