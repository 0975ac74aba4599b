import type { SignedIn } from '../../../../accounts/people/sessions.ts';
import type { Plan } from '../../../../accounts/plans.ts';
import type { Alerts, Delivery, Endpoint } from '../../../../alerts/alerts.ts';
import type { Channel } from '../../../../alerts/channels/channel.ts';
import type { Rule } from '../../../../alerts/rule.ts';
import { type Html, type HtmlValue, html } from '../../markup/html.ts';
import { channelForm, endpointCard, type TypedChannel } from './channel-forms.ts';
import { deliveriesTable } from './deliveries.ts';
import { NEW_RULE_PATH } from './paths.ts';
import { ruleCard } from './rule-card.ts';

const SHOWN_DELIVERIES = 50;

export interface AlertsState {
  plan: Plan;
  rules: readonly Rule[];
  endpoints: readonly Endpoint[];
  deliveries: readonly Delivery[];
  channels: readonly Channel[];
}

export async function readState(alerts: Alerts, accountId: string): Promise<AlertsState> {
  const [rules, endpoints, deliveries] = await Promise.all([
    alerts.rules(accountId),
    alerts.endpoints(accountId),
    alerts.deliveries(accountId, { limit: SHOWN_DELIVERIES }),
  ]);
  return { plan: alerts.planOf(accountId), rules, endpoints, deliveries, channels: alerts.channels };
}

/** "2 of 10", and what to do at the limit. */
export function ruleCount({ plan, rules }: Pick<AlertsState, 'plan' | 'rules'>): Html {
  const isFull = rules.length >= plan.alertCount;
  return html`<p><strong>${rules.length} of ${plan.alertCount}</strong> alerts of the plan ${plan.title}${isFull ? html`. <a href="/plans">Larger plans</a> have more` : null}.</p>`;
}

export function alertsBody(state: AlertsState, csrf: string, notice: HtmlValue): Html {
  const { rules, endpoints, deliveries, plan, channels } = state;
  return html`${notice}
<h2>Alerts</h2>
${ruleCount(state)}
${rules.length < plan.alertCount ? html`<p><a class="button" href="${NEW_RULE_PATH}">New alert</a></p>` : null}
${rules.length === 0 ? html`<p class="empty">You have no alert. Every list has a link “Alert me”, which makes one from its filters.</p>` : null}
<div class="cards">${rules.map((rule) => ruleCard(rule, endpoints, csrf))}</div>
<h2>Channels</h2>
${endpoints.length === 0 ? html`<p class="empty">You have no channel. <a href="/account/alerts/channels">Add one</a></p>` : html`<p><a class="button" href="/account/alerts/channels">Add a channel</a></p>`}
<div class="cards">${endpoints.map((endpoint) =>
    endpointCard(
      endpoint,
      channels.find(({ kind }) => kind === endpoint.kind),
      csrf,
    ),
  )}</div>
<h2>Last deliveries</h2>
${deliveriesTable(deliveries, rules, endpoints)}`;
}

/** One form for each channel that this server offers. `typed`: a refused form, to fill it in again. */
export function channelForms(
  channels: readonly Channel[],
  csrf: string,
  { email }: SignedIn,
  typed: { kind: string; fields: TypedChannel } | null,
): Html {
  return html`<div class="cards">${channels
    .filter(({ isOffered }) => isOffered)
    .map((channel) =>
      channelForm(channel, csrf, channel.kind === typed?.kind ? typed.fields : {}, email),
    )}</div>`;
}
