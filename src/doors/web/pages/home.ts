import { PLAN_NAMES, PLANS } from '../../../accounts/plans.ts';
import type { Table } from '../../../market/table.ts';
import type { Moment } from '../../../market/timeline.ts';
import { coinLink, percent, time } from '../format.ts';
import { type Html, html } from '../html.ts';

/** What the service is, with live figures of what visitors may see. */
export function homeBody(moment: Moment | null, venueCount: number): Html {
  return html`<h1>Funding rates, spreads and listings of every perpetual that matters</h1>
<p class="lead">Perpwire watches ${venueCount} trading venues and publishes what perpetual futures pay and cost: with the venue, the settlement interval and the age beside every number, and every formula written down. Read it here, over a <a href="/developers">REST API</a>, or through your AI assistant.</p>
${moment ? figures(moment) : html`<div class="empty"><p>The service has just started and is collecting its first data. Reload in a minute.</p></div>`}
<h2>Start</h2>
<pre><code>curl -H "Authorization: Bearer YOUR_KEY" \\
  "/api/v1/funding?coin=BTC,ETH&amp;sort=apr_desc"</code></pre>
<p><a class="button" href="/developers">Read the API guide</a> <a href="/plans">Plans</a></p>`;
}

function figures({ asOfMs, table }: Moment): Html {
  const [highest, lowest] = extremes(table);
  const coins = new Set(table.texts('coin').codes).size;
  const card = (title: string, row: number | null) =>
    row === null
      ? null
      : html`<section class="card"><h2>${title}</h2><p class="figure">${percent(table.numbers('apr_pct')[row], 1)}</p><p>${coinLink(table.text('coin', row))} on ${table.text('exchange', row)}: ${percent(table.numbers('rate_pct')[row])} every ${table.numbers('interval_hours')[row]} h</p></section>`;
  return html`<p class="as-of">As of ${time(new Date(asOfMs).toISOString())}</p><div class="cards">
<section class="card"><h2>Contracts watched</h2><p class="figure">${table.rowCount.toLocaleString('en-US')}</p><p>on ${coins.toLocaleString('en-US')} coins</p></section>
${card('Best paid to a short, APR', highest)}
${card('Best paid to a long, APR', lowest)}
</div>`;
}

/** Rows with the highest and the lowest APR among contracts with real turnover. */
function extremes(table: Table): [number | null, number | null] {
  const apr = table.numbers('apr_pct');
  const volume = table.numbers('volume_24h_usdt');
  const isOutlier = table.numbers('price_outlier');
  let highest: number | null = null;
  let lowest: number | null = null;
  for (let row = 0; row < table.rowCount; row++) {
    const value = apr[row] ?? Number.NaN;
    if (Number.isNaN(value) || (volume[row] ?? 0) < LEAST_VOLUME_USDT || isOutlier[row] === 1) continue;
    if (highest === null || value > (apr[highest] ?? 0)) highest = row;
    if (lowest === null || value < (apr[lowest] ?? 0)) lowest = row;
  }
  return [highest, lowest];
}

const LEAST_VOLUME_USDT = 1_000_000;

export function plansBody(): Html {
  const rows = PLAN_NAMES.map((name) => PLANS[name]);
  const line = (title: string, cell: (plan: (typeof rows)[number]) => string) =>
    html`<tr><th scope="row">${title}</th>${rows.map((plan) => html`<td>${cell(plan)}</td>`)}</tr>`;
  return html`<h1>Plans</h1>
<p class="lead">Quotas are hard caps: nothing is billed as overage. All plans include the MCP server for AI assistants. Demo is free for every account; its figures must be attributed with a link to the page they came from.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Plans"><table>
<thead><tr><th scope="col">Plan</th>${rows.map((plan) => html`<th scope="col">${plan.title}</th>`)}</tr></thead><tbody>
${line('Requests a month', (plan) => plan.requestsPerMonth.toLocaleString('en-US'))}
${line('Requests a minute', (plan) => String(plan.requestsPerMinute))}
${line('Keys', (plan) => String(plan.keyCount))}
${line('History', (plan) => (plan.historyDays === null ? 'everything held' : `${plan.historyDays} days`))}
${line('Data', (plan) => (plan.delaySeconds === 0 ? 'live' : `${plan.delaySeconds / 60} minutes late`))}
${line('Rows on a page', (plan) => `up to ${plan.maxPageRows}`)}
${line('Commercial use', (plan) => (plan.commercialUse ? 'yes' : plan.name === 'demo' ? 'no' : 'no (personal and internal use)'))}
</tbody></table></div>`;
}
