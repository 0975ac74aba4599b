import type { Endpoint } from '../../../../alerts/alerts.ts';
import type { Rule, RuleState } from '../../../../alerts/rule.ts';
import { isoTime } from '../../../../base/times.ts';
import { time } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { buttonForm, hidden } from '../../sign-in/form-parts.ts';
import { ALERTS_PATH, EDIT_RULE_PATH } from './paths.ts';
import { nameOf, onlyWords, sentenceOf, withUnit } from './sentence.ts';
import { figureOf, subjectOf } from './subjects.ts';

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
  const named = hidden('rule', id);
  const isPaused = state === 'paused';
  const only = onlyWords(rule);
  const back = returnWords(rule);
  const isUnnamed = name === nameOf(rule);
  return html`<li class="rule" id="${id}">
    <div>
      <h3>${name} <span class="tag ${STATE_LOOKS[state]}">${STATE_WORDS[state]}</span></h3>
      ${isUnnamed ? null : html`<p>Tell me when ${sentenceOf(rule)}.</p>`}
      ${rule.problem === null ? null : html`<p class="neg">It cannot be evaluated: ${rule.problem}</p>`}
      <dl class="facts">
        ${only.length === 0 ? null : html`<dt>Only if</dt><dd>${only.join(' · ')}</dd>`}
        ${back === null ? null : html`<dt>And</dt><dd>${back}</dd>`}
        <dt>Sent to</dt>
        <dd>
          ${rule.endpointIds.map((one) => endpoints.find((endpoint) => endpoint.id === one)?.description ?? 'a removed channel').join('; ')}
        </dd>
        <dt>At most</dt>
        <dd>${everyMinutes === 0 ? 'every time' : `every ${everyMinutes} min for each ${nounOf(operation)}`}</dd>
        <dt>Created</dt>
        <dd>${time(isoTime(createdAtMs))}</dd>
      </dl>
      <p><a class="lnk" href="/${operation}${query === '' ? '' : `?${query}`}">Open the list</a></p>
    </div>
    <div class="ra">
      <a class="btn" href="${EDIT_RULE_PATH}?rule=${encodeURIComponent(id)}">Edit</a>
${buttonForm({ action: `${ALERTS_PATH}/${isPaused ? 'resume' : 'pause'}`, csrf, fields: named, button: isPaused ? 'Resume' : 'Pause' })}
${buttonForm({ action: `${ALERTS_PATH}/test`, csrf, fields: named, button: 'Send a test' })}
${buttonForm({ action: `${ALERTS_PATH}/delete`, csrf, fields: named, button: 'Delete', isDestructive: true })}
    </div>
  </li>`;
}

function nounOf(list: string): string {
  return subjectOf(list)?.noun ?? 'row';
}

/** When the number counts as back, if the alert says so. */
function returnWords({ operation, condition }: Rule): string | null {
  if (condition.kind !== 'crosses' || !condition.reportsReturn) return null;
  const { figure, direction, bound, hysteresis } = condition;
  const subject = subjectOf(operation);
  const isAbove = direction === 'above';
  const back = Number((isAbove ? bound - hysteresis : bound + hysteresis).toPrecision(12));
  const unit = subject ? figureOf(subject, figure).unit : '';
  return `when it is back ${isAbove ? 'below' : 'above'} ${withUnit(back, unit)}`;
}
