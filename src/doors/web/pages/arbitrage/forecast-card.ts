import { isoTime } from '../../../../base/times.ts';
import { modelFor } from '../../../../engines/arbitrage/forecast-cells.ts';
import type { ForecastModels } from '../../../../engines/forecast/models.ts';
import type { Row } from '../../layout/visitor.ts';
import { percent, signedPercent, signedText } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { expectedRange, realisedNetApr } from './columns.ts';

/** In the order of the weights: the words, and the figure of the row in percent a day. */
const FEATURES: readonly (readonly [string, (row: Row) => number])[] = [
  ['Now', (row) => Number(row.carry_pct_day)],
  ['Mean of 1 d', (row) => Number(row.realised_1d_pct)],
  ['Mean of 7 d', (row) => Number(row.realised_7d_pct) / 7],
  ['Mean of 30 d', (row) => Number(row.realised_30d_pct) / 30],
];

/** Half of the last digit that is shown. */
const SHOWN_PCT = 0.0005;

/** The present weights, and the kinds of underlying whose forecasts have been no better than expecting nothing. */
export interface Forecasts {
  models: ForecastModels;
  doubted: ReadonlySet<string>;
}

/** What a pair is expected to earn while it is held, as the sum that makes the forecast. */
export function forecastCard(row: Row, holdDays: number, { models, doubted }: Forecasts): Html {
  const net = row.expected_net_apr_pct;
  const title = html`<h3>Expected, next ${holdDays} days <small>% a day × weight × days</small></h3>`;
  if (row.cost_pct_round_trip === null)
    return html`${title}<p class="mut">What this size costs is not known, so there is no net figure.</p>`;
  if (typeof net !== 'number')
    return html`${title}
      <p class="mut">No forecast yet: it needs 95 % of the payments of the last 30 days on both legs.</p>`;
  if (doubted.has(String(row.asset_class))) {
    const apr = realisedNetApr(row, 30, holdDays);
    return html`${title}
      <p class="mut">Forecasts of this kind of underlying have been no better than expecting nothing, so none is shown until their score is
        better. The last 30 days paid ${apr === null ? '–' : signedPercent(apr, 1)} a year after costs. ${LINKS}</p>`;
  }
  const model = modelFor(models, holdDays);
  const terms = FEATURES.map(([name, pctDayOf], i) => ({
    name,
    weight: model.weights[i] ?? 0,
    pctDay: pctDayOf(row),
  })).filter(({ weight }) => weight !== 0);
  const carry = Number(row[`expected_carry_${model.days}d_pct`]) * (holdDays / model.days);
  // What each contract contributes is limited, so the sum of the terms may say more than is expected.
  const limitedPct = carry - terms.reduce((sum, { weight, pctDay }) => sum + weight * pctDay * holdDays, 0);
  const share = row.probability_net_positive;
  const apr = `Likely ${expectedRange(row, holdDays)}\u00a0% a year, expected ${signedPercent(net, 0)}, now ${signedPercent(Number(row.net_apr_pct), 0)}.`;
  const words = `${apr} ${modelWords(model.kind, models.atMs)} An expectation with a stated error, not advice.`;
  return html`${title}
    <dl class="rcpt">
      ${terms.map(
        ({ name, weight, pctDay }) => html`<dt title="percent a day × weight × ${holdDays} days">
            ${name} ${signedPercent(pctDay, 3)} × ${signedText(weight, 3)}
          </dt>
          <dd>${percent(weight * pctDay * holdDays, 3)}</dd>`,
      )}
      ${
        Math.abs(limitedPct) < SHOWN_PCT
          ? null
          : html`<dt title="rates of a contract count up to twice the mean of its absolute rate over 30 days">
                Rates far from their 30 days, limited
              </dt>
              <dd>${signedPercent(limitedPct, 3)}</dd>`
      }
      <dt class="sum">Expected payments</dt>
      <dd class="sum">${percent(carry, 3)}</dd>
      <dt title="the range that four of five past outcomes fell into">Four times of five</dt>
      <dd>${signedText(Number(row.expected_low_pct), 2)} to ${signedPercent(Number(row.expected_high_pct), 2)}</dd>
      <dt>Opening and closing</dt>
      <dd>${percent(-Number(row.cost_pct_round_trip), 3)}</dd>
      <dt class="sum">A year, after costs</dt>
      <dd class="sum">${signedPercent(net, 1)}</dd>
      <dt title="share of past errors with which it would, from 1 % to 99 %: no past error says more">
        Earns more than it costs
      </dt>
      <dd>${typeof share === 'number' ? `${(share * 100).toFixed(0)}\u00a0% likely` : '–'}</dd>
    </dl>
    <p class="mut">${words} ${LINKS}</p>`;
}

const LINKS = html`<a class="lnk" href="/accuracy/forecasts">How right it was</a> · <a class="lnk" href="/developers/forecast">How it is made</a>`;

function modelWords(kind: string, atMs: number): string {
  const day = isoTime(atMs).slice(0, 'YYYY-MM-DD'.length);
  return kind === 'fitted'
    ? `Weights fitted on payments held here up to ${day}.`
    : `Weights shipped with the program (payments up to ${day}): too little history here to fit them.`;
}
