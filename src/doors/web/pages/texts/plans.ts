import { NO_OFFERS, type PlanOffers } from '../../../../accounts/plan-offers.ts';
import { PLAN_NAMES, PLANS, type Plan, type PlanName } from '../../../../accounts/plans.ts';
import { alertLimitsOf } from '../../../../alerts/plan-limits.ts';
import { icon } from '../../icons/ui-icons.ts';
import { type Html, html } from '../../markup/html.ts';
import { markdownTable } from '../../markup/markdown.ts';
import type { TextPage, TextPageContext, TextPageReader } from '../../text-page.ts';

const TITLE = 'Plans';
const LEAD =
  'Quotas are hard caps: nothing is billed as overage. All plans include the MCP server for AI assistants. Demo is free for every account; its figures must be attributed with a link to the page they came from.';
const PAGES_TITLE = 'Pages';

/** The rules of reading pages, on the page and in its Markdown file. */
function pageRules(free: number | null): string {
  const { delaySeconds, maxPageRows } = PLANS.demo;
  const demo = `${delaySeconds / 60} minutes late, up to ${maxPageRows} rows`;
  const rules = [
    `Without signing in, pages and their Markdown and CSV files show Demo data: ${demo}. They count nothing.`,
  ];
  if (free !== null)
    rules.push(
      'Signed in, they show the data of your plan.',
      `${free} of them a minute are free, in all your browsers together.`,
      'Beyond that each counts as one request, on the windows that your assistants share;',
      'when these are spent, the answer is 429 with Retry-After.',
      'As many open pages as the plan has streams are updated at once, the others every 15 seconds.',
    );
  return rules.join(' ');
}
const SHOWN = PLAN_NAMES.map((name) => PLANS[name]);

export const PLANS_PAGE: TextPage = {
  path: '/plans',
  title: TITLE,
  description: 'What each plan of the API includes, what it costs and how to get it',
  menuLabel: 'Plans',
  isByPlan: true,
  body: plansBody,
  markdown: plansMarkdown,
};

const grouped = (value: number) => value.toLocaleString('en-US');

/** What each plan includes: a line on its card, and a column in the Markdown file. */
const LINES: readonly (readonly [title: string, cell: (plan: Plan) => string])[] = [
  ['Data', (plan) => (plan.delaySeconds === 0 ? 'live' : `${plan.delaySeconds / 60} minutes late`)],
  ['History', (plan) => (plan.historyDays === null ? 'everything held' : `${plan.historyDays} days`)],
  ['Requests a month', (plan) => grouped(plan.requestsPerMonth)],
  ['Requests a minute', (plan) => String(plan.requestsPerMinute)],
  ['Keys', (plan) => String(plan.keyCount)],
  ['Rows on a page', (plan) => `up to ${plan.maxPageRows}`],
  ['Streams of a key at a time', (plan) => String(plan.streamCount)],
  ['Alert rules', (plan) => String(plan.alertCount)],
  ['Alert messages an hour', (plan) => grouped(alertLimitsOf(plan).messagesPerHour)],
  [
    'Least pause between alerts',
    (plan) => {
      const minutes = alertLimitsOf(plan).leastEveryMinutes;
      return minutes === 0 ? 'none' : `${minutes} min`;
    },
  ],
  [
    'Commercial use',
    (plan) => (plan.commercialUse ? 'yes' : plan.name === 'demo' ? 'no' : 'no (personal and internal use)'),
  ],
];

/** The price as the operator states it. Demo is free wherever sign-up is open. */
function priceOf(name: PlanName, { prices }: PlanOffers): string {
  return prices.get(name) ?? (name === 'demo' ? 'Free' : 'On request');
}

function howToGet({ contact, isSignUpOpen }: PlanOffers): string {
  const start = isSignUpOpen ? 'Sign up first: every account begins with Demo.' : 'Sign-up is closed here.';
  const change =
    contact === null
      ? 'The operator of this installation changes the plan of an account.'
      : `To change your plan, write to ${contact.replace(/^mailto:/, '')}.`;
  return `${start} ${change} Your keys stay the same.`;
}

function plansBody(
  { freePagesPerMinute, offers = NO_OFFERS }: TextPageContext,
  { plan }: TextPageReader,
): Html {
  return html`<h1>${TITLE}</h1>
    <p class="sub">${LEAD}</p>
    <div class="plans">${SHOWN.map((one) => planCard(one, offers, plan))}</div>
    <div class="cols2">
      <section class="card">
        <header><h2>How to get a plan</h2></header>
        <p class="say">${howToGet(offers)}</p>
      </section>
      <section class="card">
        <header><h2>${PAGES_TITLE}</h2></header>
        <p class="say">${pageRules(freePagesPerMinute)}</p>
      </section>
    </div>`;
}

function planCard(plan: Plan, offers: PlanOffers, own: PlanName | null): Html {
  const isOwn = plan.name === own;
  return html`<section class="card plan${isOwn ? ' here' : ''}">
    <header><h2>${plan.title}</h2>${isOwn ? html`<span class="tag acc">You are here</span>` : null}</header>
    <div>
      <p class="price">${priceOf(plan.name, offers)}</p>
      ${action(plan.name, offers, own)}
      <dl>${LINES.map(([title, cell]) => html`<div><dt>${title}</dt><dd>${cell(plan)}</dd></div>`)}</dl>
    </div>
  </section>`;
}

/** Where a card leads: to sign-up, to the account, or to the operator. */
function action(name: PlanName, { contact, isSignUpOpen }: PlanOffers, own: PlanName | null): Html {
  const link = (to: string, words: string, look = '') =>
    html`<a class="btn${look}" href="${to}"${to.startsWith('http') ? html` rel="noopener"` : null}>${words}</a>`;
  if (name === own) return link('/account', 'Your account');
  const title = PLANS[name].title;
  if (own !== null) {
    if (name === 'demo') return link('/account/usage', 'See your usage');
    return contact === null
      ? html`<p class="ask">${icon('user')}Ask the operator for ${title}</p>`
      : link(contact, `Ask for ${title}`, ' pri');
  }
  if (name !== 'demo' && contact !== null) return link(contact, `Ask for ${title}`);
  if (!isSignUpOpen) return link('/sign-in', 'Sign in');
  return link('/sign-up', name === 'demo' ? 'Get a free key' : 'Sign up', name === 'demo' ? ' pri' : '');
}

function plansMarkdown({ freePagesPerMinute, offers = NO_OFFERS }: TextPageContext): string {
  const lines: typeof LINES = [['Price', (plan) => priceOf(plan.name, offers)], ...LINES];
  const rows = lines.map(([title, cell]) => ({
    Plan: title,
    ...Object.fromEntries(SHOWN.map((plan) => [plan.title, cell(plan)])),
  }));
  return `# ${TITLE}\n\n${LEAD}\n\n${markdownTable(rows)}\n${howToGet(offers)}\n\n## ${PAGES_TITLE}\n\n${pageRules(freePagesPerMinute)}\n`;
}
