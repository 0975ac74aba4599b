import { NO_OFFERS, type PlanOffers } from '../../../../accounts/plan-offers.ts';
import { PLANS, type Plan, type PlanName } from '../../../../accounts/plans.ts';
import type { DocumentContext } from '../../../documents/document.ts';
import {
  howToGet,
  LEAD,
  PAGES_TITLE,
  PLAN_LINES,
  PLANS_TEXT,
  pageRules,
  priceOf,
  SHOWN_PLANS,
} from '../../../documents/plans.ts';
import { type Html, html } from '../../markup/html.ts';
import type { TextPage, TextPageReader } from '../text-page.ts';

export const PLANS_PAGE: TextPage = { ...PLANS_TEXT, isByPlan: true, body: plansBody };

function plansBody(
  { freePagesPerMinute, offers = NO_OFFERS }: DocumentContext,
  { plan }: TextPageReader,
): Html {
  return html`<h1>${PLANS_TEXT.title}</h1>
    <p class="sub">${LEAD}</p>
    <div class="plans">${SHOWN_PLANS.map((one) => planCard(one, offers, plan))}</div>
    <div class="cols2">
      <section class="card" id="how">
        <header><h2>How to get a plan</h2></header>
        <p class="say">${withLink(howToGet(offers), offers.contact)}</p>
      </section>
      <section class="card">
        <header><h2>${PAGES_TITLE}</h2></header>
        <p class="say">${pageRules(freePagesPerMinute)}</p>
      </section>
    </div>`;
}

/** The sentence with the address in it as a link. */
function withLink(text: string, contact: string | null): Html {
  const shown = contact?.replace(/^mailto:/, '') ?? '';
  const [before = '', after] = contact === null ? [text] : text.split(shown);
  if (contact === null || after === undefined) return html`${text}`;
  return html`${before}<a class="lnk" href="${contact}">${shown}</a>${after}`;
}

function planCard(plan: Plan, offers: PlanOffers, own: PlanName | null): Html {
  const isOwn = plan.name === own;
  return html`<section class="card plan${isOwn ? ' here' : ''}">
    <header><h2>${plan.title}</h2>${isOwn ? html`<span class="tag acc">You are here</span>` : null}</header>
    <div>
      <p class="price">${priceOf(plan.name, offers)}</p>
      ${action(plan.name, offers, own)}
      <dl>${PLAN_LINES.map(([title, cell]) => html`<div><dt>${title}</dt><dd>${cell(plan)}</dd></div>`)}</dl>
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
    return contact === null ? link('#how', `How to get ${title}`) : link(contact, `Ask for ${title}`, ' pri');
  }
  if (name !== 'demo' && contact !== null) return link(contact, `Ask for ${title}`);
  if (!isSignUpOpen) return link('/sign-in', 'Sign in');
  return link('/sign-up', name === 'demo' ? 'Get a free key' : 'Sign up', name === 'demo' ? ' pri' : '');
}
