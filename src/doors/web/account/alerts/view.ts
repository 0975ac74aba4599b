import type { SignedIn } from '../../../../accounts/people/sessions.ts';
import type { Plan } from '../../../../accounts/plans.ts';
import type { Alerts, BudgetState, Delivery, Endpoint } from '../../../../alerts/alerts.ts';
import type { Channel } from '../../../../alerts/channels/channel.ts';
import type { Rule } from '../../../../alerts/rule.ts';
import { isoTime } from '../../../../base/times.ts';
import { time } from '../../markup/format.ts';
import { type Html, type HtmlValue, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { section } from '../account-page.ts';
import { channelForm, endpointCard, type TypedChannel } from './channel-forms.ts';
import { deliveriesTable } from './deliveries.ts';
import { CHANNELS_PATH, NEW_RULE_PATH } from './paths.ts';
import type { Refusal } from './refusals.ts';
import { ruleCard } from './rule-card.ts';

const SHOWN_DELIVERIES = 50;

export interface AlertsState {
  plan: Plan;
  rules: readonly Rule[];
  endpoints: readonly Endpoint[];
  deliveries: readonly Delivery[];
  channels: readonly Channel[];
  budget: BudgetState;
}

export async function readState(alerts: Alerts, accountId: string): Promise<AlertsState> {
  const [rules, endpoints, deliveries, budget] = await Promise.all([
    alerts.rules(accountId),
    alerts.endpoints(accountId),
    alerts.deliveries(accountId, { limit: SHOWN_DELIVERIES }),
    alerts.budget(accountId),
  ]);
  const plan = alerts.planOf(accountId);
  return { plan, rules, endpoints, deliveries, budget, channels: alerts.channels };
}

/** "2 of 10", and what to do at the limit. */
export function ruleCount({ plan, rules }: Pick<AlertsState, 'plan' | 'rules'>): Html {
  const isFull = rules.length >= plan.alertCount;
  return html`<b>${rules.length} of ${plan.alertCount}</b> alerts of the
    plan ${plan.title}${isFull ? html`. <a class="lnk" href="/plans">Larger plans</a> have more` : null}.`;
}

/** "12 of 60 messages of this hour", and what was left out. */
function messageCount({ sent, messagesPerHour, leftOut, untilMs }: BudgetState): Html {
  const events = leftOut === 1 ? '1 event was' : `${leftOut} events were`;
  return html`<p>
    <b>${sent} of ${messagesPerHour.toLocaleString('en-US')}</b> messages of this
    hour${untilMs === null ? null : html`, until ${time(isoTime(untilMs))}`}.${
      leftOut === 0
        ? null
        : html` <span class="neg">
            ${events} left out; you will be told of them in one message. <a class="lnk" href="/plans">Larger
            plans</a> send more.
          </span>`
    }
  </p>`;
}

export function newAlertLink({ plan, rules }: Pick<AlertsState, 'plan' | 'rules'>): Html | null {
  if (rules.length >= plan.alertCount) return null;
  return html`<a class="btn pri" href="${NEW_RULE_PATH}">${icon('plus')}New alert</a>`;
}

/** `wrongCodeOf`: the channel for which a wrong code was entered. */
export function alertsBody(
  state: AlertsState,
  csrf: string,
  notice: HtmlValue,
  wrongCodeOf: string | null,
): Html {
  const { rules, endpoints, deliveries, channels } = state;
  const empty = (words: HtmlValue) => html`<div class="empty"><p>${words}</p></div>`;
  return html`${notice}
${section(
  'Alerts',
  rules.length === 0
    ? empty('You have no alert. “Alert me” on a list makes one from what you see there.')
    : html`<ul class="items">${rules.map((rule) => ruleCard(rule, endpoints, csrf))}</ul>`,
  html`<p>${ruleCount(state)}</p>`,
)}
${section(
  'Channels',
  endpoints.length === 0
    ? empty(html`You have no channel. <a class="lnk" href="${CHANNELS_PATH}">Add one</a>`)
    : html`<ul class="items">${endpoints.map((endpoint) =>
        endpointCard(
          endpoint,
          channels.find(({ kind }) => kind === endpoint.kind),
          csrf,
          endpoint.id === wrongCodeOf,
        ),
      )}</ul>`,
  html`<a class="btn" href="${CHANNELS_PATH}">${icon('plus')}Add a channel</a>`,
)}
${section('Last deliveries', deliveriesTable(deliveries, rules, endpoints), messageCount(state.budget))}`;
}

/** One form for each channel that this server offers. `typed`: a refused form, to fill it in again. */
export function channelForms(
  channels: readonly Channel[],
  csrf: string,
  { email }: SignedIn,
  typed: { kind: string; fields: TypedChannel } | null,
  refusal: Refusal | null,
): Html {
  return html`<div class="pair-cards">${channels
    .filter(({ isOffered }) => isOffered)
    .map((channel) =>
      channel.kind === typed?.kind
        ? channelForm(channel, csrf, typed.fields, email, refusal)
        : channelForm(channel, csrf, {}, email, null),
    )}</div>`;
}
