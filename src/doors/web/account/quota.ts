import type { Accounts } from '../../../accounts/accounts.ts';
import type { KeyRecord } from '../../../accounts/keys/key-rows.ts';
import { keySlotId } from '../../../accounts/keys/slots.ts';
import type { Plan } from '../../../accounts/plans.ts';
import type { WindowState, WindowStates } from '../../../accounts/windows/windows.ts';
import { isoTime } from '../../../base/times.ts';
import { type Html, type HtmlValue, html } from '../markup/html.ts';

/** The quotas of a key's slot; a replaced key shares them with the one that replaced it. */
export interface KeyQuota {
  key: KeyRecord;
  states: WindowStates;
}

export async function quotasOf(
  { windows }: Pick<Accounts, 'windows'>,
  plan: Plan,
  keys: readonly KeyRecord[],
): Promise<KeyQuota[]> {
  return await Promise.all(
    keys.map(async (key) => {
      const slotId = keySlotId(key.accountId, key.slotNumber, plan);
      return { key, states: await windows.read({ slotId, keyId: null, plan }) };
    }),
  );
}

const grouped = (value: number) => value.toLocaleString('en-US');

/** How much of a quota is used, as a bar. From 90 % on it is amber; the figures stand beside it. */
export function quotaBar({ used, limit }: WindowState): Html {
  const share = Math.min(100, (used / limit) * 100);
  const width = used === 0 ? 0 : Math.max(1, Number(share.toFixed(1)));
  return html`<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect width="100" height="6"/>
    <rect class="f${share >= 90 ? ' lo' : ''}" width="${width}" height="6"/>
  </svg>`;
}

/** The plan, and the quota of the key that has used most of it. Each key has its own quota. */
export function quotaStrip(plan: Plan, quotas: readonly KeyQuota[], link: HtmlValue): Html {
  const history = plan.historyDays === null ? 'all history' : `${plan.historyDays} days of history`;
  const data = plan.delaySeconds === 0 ? 'live data' : `data ${plan.delaySeconds / 60} min late`;
  return html`<dl class="quota card">
    <div>
      <dt>Plan</dt>
      <dd>${plan.title} <small>${data}, ${history}</small></dd>
      <dd><small>${link}</small></dd>
    </div>
    ${quotaCell('month', plan.requestsPerMonth, quotas)}
${quotaCell('minute', plan.requestsPerMinute, quotas)}
  </dl>`;
}

function quotaCell(span: 'month' | 'minute', limit: number, quotas: readonly KeyQuota[]): Html {
  const [most] = quotas.toSorted((a, b) => b.states[span].used - a.states[span].used);
  if (!most)
    return html`<div><dt>Each key, a ${span}</dt><dd>${grouped(limit)} <small>calls</small></dd></div>`;
  const state = most.states[span];
  const resets = span === 'month' ? `, resets ${dayText(state.resetsAtMs)}` : '';
  const whose =
    quotas.length > 1 ? html`<dd><small>${most.key.name}, the key with most calls</small></dd>` : null;
  return html`<div>
    <dt>This ${span}${resets}</dt>
    <dd>${grouped(state.used)} <small>of ${grouped(limit)} calls</small></dd>
    <dd>${quotaBar(state)}</dd>
    ${whose}
  </div>`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A UTC day such as `15 Nov 2027`, or without the year. */
export function dayText(timeMs: number, hasYear = false): string {
  const [year, month, day] = isoTime(timeMs).slice(0, 10).split('-');
  return `${Number(day)} ${MONTHS[Number(month) - 1]}${hasYear ? ` ${year}` : ''}`;
}

/** How long ago, in words: `just now`, `3 min ago`, `5 h ago`; older times as a day. */
export function agoText(timeMs: number, nowMs: number): string {
  const minutes = Math.floor((nowMs - timeMs) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return dayText(timeMs, true);
}

/** `agoText` with the exact time as its title. */
export function ago(timeMs: number, nowMs: number): Html {
  return html`<span data-time="${isoTime(timeMs)}" title="${isoTime(timeMs).slice(0, 16).replace('T', ' ')} UTC">
    ${agoText(timeMs, nowMs)}
  </span>`;
}
