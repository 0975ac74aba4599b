import type { Delivery, Endpoint } from '../../../../alerts/alerts.ts';
import type { Rule } from '../../../../alerts/rule.ts';
import { isoTime } from '../../../../base/times.ts';
import { time } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';

/** The last deliveries, and why one failed. */
export function deliveriesTable(
  deliveries: readonly Delivery[],
  rules: readonly Rule[],
  endpoints: readonly Endpoint[],
): Html {
  if (deliveries.length === 0) return html`<div class="empty"><p>Nothing was sent yet.</p></div>`;
  const nameOf = (id: string) => (id === '' ? 'all alerts' : ruleName(id));
  const ruleName = (id: string) => rules.find((rule) => rule.id === id)?.name ?? 'a deleted alert';
  const targetOf = (id: string) =>
    endpoints.find((endpoint) => endpoint.id === id)?.description ?? 'a removed channel';
  return html`<div class="tw" tabindex="0" role="region" aria-label="Last deliveries">
    <table class="t">
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Alert</th>
          <th scope="col">Sent to</th>
          <th scope="col">Message</th>
          <th scope="col">Result</th>
        </tr>
      </thead>
      <tbody>
        ${deliveries.map(
          (delivery) =>
            html`<tr>
              <td>${time(isoTime(delivery.lastAttemptAtMs ?? delivery.createdAtMs))}</td>
              <td>${nameOf(delivery.ruleId)}</td>
              <td>${targetOf(delivery.endpointId)}</td>
              <td class="words">${delivery.text}</td>
              <td class="words">${result(delivery)}</td>
            </tr>\n`,
        )}
      </tbody>
    </table>
  </div>`;
}

function result({ state, reason, attempts, nextAttemptAtMs }: Delivery): Html {
  if (state === 'delivered') return html`delivered`;
  const tries = attempts > 1 ? ` (${attempts} attempts)` : '';
  if (state === 'failed') return html`<span class="neg">failed${tries}: ${reason ?? 'unknown'}</span>`;
  if (reason === null) return html`waiting`;
  return html`${reason}
    ${tries}
    ${nextAttemptAtMs === null ? null : html`; next attempt ${time(isoTime(nextAttemptAtMs))}`}`;
}
