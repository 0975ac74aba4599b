import type { FastifyInstance } from 'fastify';
import type { KeyRecord } from '../../../accounts/keys/key-rows.ts';
import type { UsagePoint, UsageSpan } from '../../../accounts/windows/usage-rows.ts';
import { type Html, html } from '../markup/html.ts';
import type { Visit } from '../sign-in/visits.ts';
import { type AccountPage, type AccountPageOptions, signInFirst } from './account-page.ts';
import { BARS, filledSpans, SPAN_MS, spanLabel, usageChart } from './usage-chart.ts';

const PATH = '/account/usage';
const SPANS: readonly (readonly [span: UsageSpan, label: string])[] = [
  ['day', 'By day'],
  ['hour', 'By hour'],
];

/** The requests of each key over time. */
export const USAGE_PAGE: AccountPage = { path: PATH, label: 'Usage', serve };

function serve(
  server: FastifyInstance,
  { visits, accounts, keyUsage, clock, navigation }: AccountPageOptions,
): void {
  const head = html`<h1>Usage</h1>
${navigation(PATH)}
<p class="lead">Requests that counted on your plan, in UTC.</p>`;
  server.get(PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    if (!visit.account) return visit.redirect(signInFirst(PATH));
    const query = new URL(request.raw.url ?? '', 'http://path').searchParams;
    const keys = (await accounts.keys.list(visit.account.accountId)).toReversed();
    const keyId = query.get('key');
    const key = keyId === null ? lastUsed(keys) : keys.find(({ id }) => id === keyId);
    const span: UsageSpan = query.get('span') === 'hour' ? 'hour' : 'day';
    if (!key) return withoutKey(visit, head, keys.length);
    const nowMs = clock.nowMs();
    const points = await keyUsage(key.id, span, nowMs - BARS[span] * SPAN_MS[span], nowMs);
    const chart = body(keys, key, span, filledSpans(points, span, nowMs));
    return visit.page({ title: 'Usage', body: html`${head}\n${chart}` });
  });
}

/** The default selection: the key that was used last, else one that works. */
function lastUsed(keys: readonly KeyRecord[]): KeyRecord | undefined {
  const rank = ({ lastUsedAtMs, state }: KeyRecord) => lastUsedAtMs ?? (state === 'active' ? 0 : -1);
  return keys.toSorted((a, b) => rank(b) - rank(a))[0];
}

function withoutKey(visit: Visit, head: Html, keyCount: number) {
  return visit.page({
    title: 'Usage',
    status: keyCount === 0 ? 200 : 404,
    body: html`${head}
<p class="empty">${
      keyCount === 0
        ? html`There is nothing to show before you have a key. <a href="/account/keys">Create a key</a>`
        : html`You have no such key. <a href="${PATH}">Show one of yours</a>`
    }</p>`,
  });
}

function body(
  keys: readonly KeyRecord[],
  shown: KeyRecord,
  span: UsageSpan,
  spans: readonly UsagePoint[],
): Html {
  const total = spans.reduce((sum, { used }) => sum + used, 0).toLocaleString('en-US');
  const label = `${total} ${total === '1' ? 'request' : 'requests'} in the last ${BARS[span]} ${span}s`;
  const most = Math.max(...spans.map(({ used }) => used)).toLocaleString('en-US');
  const link = (keyId: string, to: UsageSpan, name: string, isHere: boolean) =>
    html`<a href="${PATH}?key=${keyId}&amp;span=${to}"${isHere ? html` aria-current="true"` : null}>${name}</a>\n`;
  return html`<nav class="views" aria-label="Key">${keys.map((key) => link(key.id, span, `${key.name} (${key.keyPrefix}…)`, key === shown))}</nav>
<nav class="views" aria-label="Span">${SPANS.map(([to, name]) => link(shown.id, to, name, to === span))}</nav>
<h2>${shown.name}</h2>
<p>${label}, ${most} in the busiest ${span}.</p>
${usageChart(spans, span, label)}
<details><summary>As a table</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Requests"><table>
<thead><tr><th scope="col">${span === 'day' ? 'Day' : 'Hour from'}</th><th scope="col" class="number">Requests</th></tr></thead>
<tbody>${spans.toReversed().map(({ startMs, used }) => html`<tr><td>${spanLabel(startMs, span)}</td><td class="number">${used}</td></tr>\n`)}</tbody>
</table></div></details>`;
}
