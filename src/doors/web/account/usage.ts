import type { FastifyInstance } from 'fastify';
import type { KeyRecord } from '../../../accounts/keys/key-rows.ts';
import type { UsagePoint, UsageSpan } from '../../../accounts/usage/rows.ts';
import { type Html, type HtmlValue, html } from '../markup/html.ts';
import { type AccountPage, type AccountPageOptions, section, signInFirst } from './account-page.ts';
import { BARS, filledSpans, SPAN_MS, spanLabel, usageChart } from './usage-chart.ts';

const PATH = '/account/usage';
const SPANS: readonly (readonly [span: UsageSpan, label: string])[] = [
  ['day', 'By day'],
  ['hour', 'By hour'],
];

/** The requests of each key over time. */
export const USAGE_PAGE: AccountPage = { path: PATH, label: 'Usage', icon: 'rows', serve };

function serve(
  server: FastifyInstance,
  { visits, accounts, keyUsage, clock, area }: AccountPageOptions,
): void {
  const page = (content: HtmlValue) =>
    area(PATH, { title: 'Usage', lead: 'Calls that counted on your plan, in UTC.' }, content);
  server.get(PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    if (!visit.account) return visit.redirect(signInFirst(PATH));
    const query = new URL(request.raw.url ?? '', 'http://path').searchParams;
    const keys = (await accounts.keys.list(visit.account.accountId)).toReversed();
    const keyId = query.get('key');
    const key = keyId === null ? lastUsed(keys) : keys.find(({ id }) => id === keyId);
    const span: UsageSpan = query.get('span') === 'hour' ? 'hour' : 'day';
    if (!key) return visit.page({ ...page(withoutKey(keys.length)), status: keys.length === 0 ? 200 : 404 });
    const nowMs = clock.nowMs();
    const points = await keyUsage(key.id, span, nowMs - BARS[span] * SPAN_MS[span], nowMs);
    const shown = page(body(keys, key, span, filledSpans(points, span, nowMs)));
    return visit.page({ ...shown, parameters: ['key', 'span'] });
  });
}

/** The default selection: the key that was used last, else one that works. */
function lastUsed(keys: readonly KeyRecord[]): KeyRecord | undefined {
  const rank = ({ lastUsedAtMs, state }: KeyRecord) => lastUsedAtMs ?? (state === 'active' ? 0 : -1);
  return keys.toSorted((a, b) => rank(b) - rank(a))[0];
}

function withoutKey(keyCount: number): Html {
  return html`<section class="card empty">
    ${
      keyCount === 0
        ? html`<h2>Nothing to show yet</h2>
          <p>There is nothing to show before you have a key.</p>
          <p class="acts"><a class="btn pri" href="/account/keys">Create a key</a></p>`
        : html`<h2>You have no such key</h2>
          <p class="acts"><a class="btn" href="${PATH}">Show one of yours</a></p>`
    }
  </section>`;
}

function body(
  keys: readonly KeyRecord[],
  shown: KeyRecord,
  span: UsageSpan,
  spans: readonly UsagePoint[],
): Html {
  const total = spans.reduce((sum, { used }) => sum + used, 0).toLocaleString('en-US');
  const label = `${total} ${total === '1' ? 'call' : 'calls'} in the last ${BARS[span]} ${span}s`;
  const most = Math.max(...spans.map(({ used }) => used)).toLocaleString('en-US');
  const link = (keyId: string, to: UsageSpan, name: string, isHere: boolean) =>
    html`<a href="${PATH}?key=${keyId}&amp;span=${to}"${isHere ? html` aria-current="true"` : null}>${name}</a>\n`;
  return html`<nav class="pick-key" aria-label="Key">
      ${keys.map((key) => link(key.id, span, `${key.name} (${key.keyPrefix}…)`, key === shown))}
    </nav>
${section(
  shown.name,
  html`<div class="usage">
      <p><b>${label}</b>, ${most} in the busiest ${span}.</p>
      ${usageChart(spans, span, label)}
    </div>
    <details class="past">
      <summary>As a table</summary>
      <div class="tw" tabindex="0" role="region" aria-label="Calls">
        <table class="t">
          <thead>
            <tr>
              <th scope="col">${span === 'day' ? 'Day' : 'Hour from'}</th>
              <th scope="col" class="num">Calls</th>
            </tr>
          </thead>
          <tbody>
            ${spans.toReversed().map(({ startMs, used }) => html`<tr><td>${spanLabel(startMs, span)}</td><td class="num">${used}</td></tr>\n`)}
          </tbody>
        </table>
      </div>
    </details>`,
  html`<nav class="seg" aria-label="Span">${SPANS.map(([to, name]) => link(shown.id, to, name, to === span))}</nav>`,
)}`;
}
