import { PLAN_NAMES, PLANS, type Plan } from '../../../accounts/plans.ts';
import { type Html, html } from '../html.ts';
import { markdownTable } from '../markdown.ts';

const TITLE = 'Plans';
const LEAD =
  'Quotas are hard caps: nothing is billed as overage. All plans include the MCP server for AI assistants. Demo is free for every account; its figures must be attributed with a link to the page they came from.';
const SHOWN = PLAN_NAMES.map((name) => PLANS[name]);

/** What the page and its Markdown twin tell of each plan. */
const LINES: readonly (readonly [title: string, cell: (plan: Plan) => string])[] = [
  ['Requests a month', (plan) => plan.requestsPerMonth.toLocaleString('en-US')],
  ['Requests a minute', (plan) => String(plan.requestsPerMinute)],
  ['Keys', (plan) => String(plan.keyCount)],
  ['History', (plan) => (plan.historyDays === null ? 'everything held' : `${plan.historyDays} days`)],
  ['Data', (plan) => (plan.delaySeconds === 0 ? 'live' : `${plan.delaySeconds / 60} minutes late`)],
  ['Rows on a page', (plan) => `up to ${plan.maxPageRows}`],
  [
    'Commercial use',
    (plan) => (plan.commercialUse ? 'yes' : plan.name === 'demo' ? 'no' : 'no (personal and internal use)'),
  ],
];

export function plansBody(): Html {
  const line = ([title, cell]: (typeof LINES)[number]) =>
    html`<tr><th scope="row">${title}</th>${SHOWN.map((plan) => html`<td>${cell(plan)}</td>`)}</tr>\n`;
  return html`<h1>${TITLE}</h1>
<p class="lead">${LEAD}</p>
<div class="scroll" tabindex="0" role="region" aria-label="Plans"><table>
<thead><tr><th scope="col">Plan</th>${SHOWN.map((plan) => html`<th scope="col">${plan.title}</th>`)}</tr></thead><tbody>
${LINES.map(line)}</tbody></table></div>`;
}

export function plansMarkdown(): string {
  const rows = LINES.map(([title, cell]) => ({
    Plan: title,
    ...Object.fromEntries(SHOWN.map((plan) => [plan.title, cell(plan)])),
  }));
  return `# ${TITLE}\n\n${LEAD}\n\n${markdownTable(rows)}`;
}
