import { PLAN_NAMES, PLANS } from '../../../accounts/plans.ts';
import { type Html, html } from '../html.ts';

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
