import { NO_OFFERS, type PlanOffers } from '../../accounts/plan-offers.ts';
import { PLAN_NAMES, PLANS, type Plan, type PlanName } from '../../accounts/plans.ts';
import { alertLimitsOf } from '../../alerts/plan-limits.ts';
import { WITHHELD_ROWS } from '../../operations/arbitrage/row-sets.ts';
import type { Document, DocumentContext } from './document.ts';
import { markdownTable } from './markdown.ts';

export const LEAD =
  'Every plan has all venues, all lists, alerts, and the connection for AI assistants. A limit stops requests; it never costs more. Demo is free; name the page its figures came from when you republish them.';
export const PAGES_TITLE = 'Pages';

export const SHOWN_PLANS = PLAN_NAMES.map((name) => PLANS[name]);

export const PLANS_TEXT: Document = {
  path: '/plans',
  title: 'Plans',
  description: 'What each plan of the API includes, what it costs and how to get it',
  markdown: plansMarkdown,
};

/** The rules of reading pages, on the page and in its Markdown file. */
export function pageRules(free: number | null): string {
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

const withheldTop = ({ delaySeconds }: Plan) => (delaySeconds === 0 ? 0 : WITHHELD_ROWS);
const grouped = (value: number) => value.toLocaleString('en-US');

/** What each plan includes: a line on its card, and a column in the Markdown file. */
export const PLAN_LINES: readonly (readonly [title: string, cell: (plan: Plan) => string])[] = [
  [
    'Rates and prices',
    (plan) => (plan.delaySeconds === 0 ? 'live' : `${plan.delaySeconds / 60} minutes late`),
  ],
  [
    'Arbitrage and backtest',
    (plan) => (withheldTop(plan) === 0 ? 'every pair' : `without the best ${withheldTop(plan)} pairs`),
  ],
  [
    'Funding paid, looking back',
    (plan) => (plan.historyDays === null ? 'all there is' : `${plan.historyDays} days`),
  ],
  ['API requests a month', (plan) => grouped(plan.requestsPerMonth)],
  ['API requests a minute', (plan) => String(plan.requestsPerMinute)],
  ['API keys', (plan) => String(plan.keyCount)],
  ['Rows in one answer', (plan) => `up to ${plan.maxPageRows}`],
  ['Live streams at once, per key', (plan) => String(plan.streamCount)],
  ['Alert rules', (plan) => String(plan.alertCount)],
  ['Alert messages an hour', (plan) => grouped(alertLimitsOf(plan).messagesPerHour)],
  [
    'Shortest pause between alerts',
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
export function priceOf(name: PlanName, { prices }: PlanOffers): string {
  return prices.get(name) ?? (name === 'demo' ? 'Free' : 'On request');
}

export function howToGet({ contact, isSignUpOpen }: PlanOffers): string {
  const start = isSignUpOpen ? 'Sign up first: every account begins with Demo.' : 'Sign-up is closed here.';
  const change =
    contact === null
      ? 'To change your plan, write to whoever runs this service.'
      : `To change your plan, ${contact.startsWith('mailto:') ? 'write to' : 'open'} ${contact.replace(/^mailto:/, '')}.`;
  return `${start} ${change} Your keys stay the same.`;
}

function plansMarkdown({ freePagesPerMinute, offers = NO_OFFERS }: DocumentContext): string {
  const lines: typeof PLAN_LINES = [['Price', (plan) => priceOf(plan.name, offers)], ...PLAN_LINES];
  const rows = lines.map(([title, cell]) => ({
    Plan: title,
    ...Object.fromEntries(SHOWN_PLANS.map((plan) => [plan.title, cell(plan)])),
  }));
  return `# ${PLANS_TEXT.title}\n\n${LEAD}\n\n${markdownTable(rows)}\n${howToGet(offers)}\n\n## ${PAGES_TITLE}\n\n${pageRules(freePagesPerMinute)}\n`;
}
