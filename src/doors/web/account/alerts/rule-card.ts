import type { Endpoint } from '../../../../alerts/alerts.ts';
import type { Condition, Rule, RuleState } from '../../../../alerts/rule.ts';
import { isoTime } from '../../../../base/times.ts';
import { time } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { buttonForm, hidden } from '../../sign-in/form-parts.ts';
import { ALERTS_PATH, EDIT_RULE_PATH } from './paths.ts';

const STATE_WORDS: Readonly<Record<RuleState, string>> = {
  active: 'active',
  paused: 'paused',
  'over-limit': 'not sent: beyond the limit of your plan',
};

const STATE_LOOKS: Readonly<Record<RuleState, string>> = {
  active: 'ok',
  paused: 'warn',
  'over-limit': 'bad',
};

export function ruleCard(rule: Rule, endpoints: readonly Endpoint[], csrf: string): Html {
  const { id, name, operation, query, state, everyMinutes, createdAtMs } = rule;
  const address = `/${operation}${query === '' ? '' : `?${query}`}`;
  const named = hidden('rule', id);
  const isPaused = state === 'paused';
  return html`<li class="rule" id="${id}">
    <div>
      <h3>${name} <span class="tag ${STATE_LOOKS[state]}">${STATE_WORDS[state]}</span></h3>
      ${rule.problem === null ? null : html`<p class="neg">It cannot be evaluated: ${rule.problem}</p>`}
      <dl class="facts">
        <dt>List</dt>
        <dd><a class="lnk" href="${address}">${address}</a></dd>
        <dt>When</dt>
        <dd>${conditionWords(rule.condition)}</dd>
        <dt>Repeated</dt>
        <dd>${everyMinutes === 0 ? 'every time' : `at most every ${everyMinutes} minutes for each row`}</dd>
        <dt>Sent to</dt>
        <dd>
          ${rule.endpointIds.map((one) => endpoints.find((endpoint) => endpoint.id === one)?.description ?? 'a removed channel').join('; ')}
        </dd>
        <dt>Created</dt>
        <dd>${time(isoTime(createdAtMs))}</dd>
      </dl>
    </div>
    <div class="ra">
      <a class="btn" href="${EDIT_RULE_PATH}?rule=${encodeURIComponent(id)}">Edit</a>
${buttonForm({ action: `${ALERTS_PATH}/${isPaused ? 'resume' : 'pause'}`, csrf, fields: named, button: isPaused ? 'Resume' : 'Pause' })}
${buttonForm({ action: `${ALERTS_PATH}/test`, csrf, fields: named, button: 'Send a test' })}
${buttonForm({ action: `${ALERTS_PATH}/delete`, csrf, fields: named, button: 'Delete', isDestructive: true })}
    </div>
  </li>`;
}

export function conditionWords(condition: Condition): string {
  if (condition.kind !== 'crosses') return `a row ${condition.kind} the list`;
  const { figure, direction, bound, hysteresis, reportsReturn } = condition;
  const crossing = `${figure} ${direction === 'above' ? 'rises above' : 'falls below'} ${bound}`;
  if (!reportsReturn) return crossing;
  const back = direction === 'above' ? bound - hysteresis : bound + hysteresis;
  return `${crossing}, and when it is back ${direction === 'above' ? 'below' : 'above'} ${Number(back.toPrecision(12))}`;
}
