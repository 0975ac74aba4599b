import { PLAN_NAMES, PLANS, type Plan } from '../../../../accounts/plans.ts';
import { type Html, html } from '../../markup/html.ts';
import { markdownTable } from '../../markup/markdown.ts';
import type { TextPage, TextPageContext } from '../../text-page.ts';

const TITLE = 'Plans';
const LEAD =
  'Quotas are hard caps: nothing is billed as overage. All plans include the MCP server for AI assistants. Demo is free for every account; its figures must be attributed with a link to the page they came from.';
const PAGES_TITLE = 'Pages';
/** The rules of reading pages, on the page and in its Markdown twin. */
function pageRules(free: number | null): string {
  const { delaySeconds, maxPageRows } = PLANS.demo;
  const visitors = `Without signing in, pages and their Markdown and CSV files show Demo data: ${delaySeconds / 60} minutes late, up to ${maxPageRows} rows. They count nothing.`;
  const counted =
    free === null
      ? ''
      : ` Signed in, they show the data of your plan. ${free} of them a minute are free, in all your browsers together. Beyond that each counts as one request, on the windows that your assistants share; when these are spent, the answer is 429 with Retry-After.`;
  return `${visitors}${counted}`;
}
const SHOWN = PLAN_NAMES.map((name) => PLANS[name]);

export const PLANS_PAGE: TextPage = {
  path: '/plans',
  title: TITLE,
  description: 'What each plan of the API includes',
  menuLabel: 'Plans',
  body: plansBody,
  markdown: plansMarkdown,
};

/** The rows of the table, on the page and in its Markdown twin. */
const LINES: readonly (readonly [title: string, cell: (plan: Plan) => string])[] = [
  ['Requests a month', (plan) => plan.requestsPerMonth.toLocaleString('en-US')],
  ['Requests a minute', (plan) => String(plan.requestsPerMinute)],
  ['Keys', (plan) => String(plan.keyCount)],
  ['History', (plan) => (plan.historyDays === null ? 'everything held' : `${plan.historyDays} days`)],
  ['Data', (plan) => (plan.delaySeconds === 0 ? 'live' : `${plan.delaySeconds / 60} minutes late`)],
  ['Rows on a page', (plan) => `up to ${plan.maxPageRows}`],
  ['Streams of a key at a time', (plan) => String(plan.streamCount)],
  ['Alert rules', (plan) => String(plan.alertCount)],
  [
    'Commercial use',
    (plan) => (plan.commercialUse ? 'yes' : plan.name === 'demo' ? 'no' : 'no (personal and internal use)'),
  ],
];

function plansBody({ freePagesPerMinute }: TextPageContext): Html {
  const line = ([title, cell]: (typeof LINES)[number]) =>
    html`<tr><th scope="row">${title}</th>${SHOWN.map((plan) => html`<td>${cell(plan)}</td>`)}</tr>\n`;
  return html`<h1>${TITLE}</h1>
<p class="lead">${LEAD}</p>
<div class="scroll" tabindex="0" role="region" aria-label="Plans"><table>
<thead><tr><th scope="col">Plan</th>${SHOWN.map((plan) => html`<th scope="col">${plan.title}</th>`)}</tr></thead><tbody>
${LINES.map(line)}</tbody></table></div>
<h2>${PAGES_TITLE}</h2>
<p>${pageRules(freePagesPerMinute)}</p>`;
}

function plansMarkdown({ freePagesPerMinute }: TextPageContext): string {
  const rows = LINES.map(([title, cell]) => ({
    Plan: title,
    ...Object.fromEntries(SHOWN.map((plan) => [plan.title, cell(plan)])),
  }));
  return `# ${TITLE}\n\n${LEAD}\n\n${markdownTable(rows)}\n## ${PAGES_TITLE}\n\n${pageRules(freePagesPerMinute)}\n`;
}
