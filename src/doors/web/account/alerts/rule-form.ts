import type { Endpoint } from '../../../../alerts/alerts.ts';
import { figuresOf, MAX_EVERY_MINUTES, MAX_NAME_LENGTH } from '../../../../alerts/rule.ts';
import type { Problem } from '../../../../base/problems.ts';
import type { StreamedOperation } from '../../../../operations/operation.ts';
import type { Parameter } from '../../../../query/parameter.ts';
import { type Html, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { choicesOf } from '../../pages/lists/filter-fields.ts';
import { labelOf, rangeOf, valueLabel } from '../../pages/lists/labels.ts';
import { choice, field, hidden } from '../../sign-in/form-parts.ts';
import { section } from '../account-page.ts';
import { CHANNELS_PATH, EDIT_RULE_PATH, NEW_RULE_PATH } from './paths.ts';
import { reasonOf } from './routes.ts';
import { FILTER_PREFIX, filtersOf, type TypedRule } from './typed-rule.ts';

export interface RuleFormOptions {
  csrf: string;
  typed: TypedRule;
  operation: StreamedOperation;
  endpoints: readonly Endpoint[];
  /** The titles of channels by kind. */
  channelTitle: (kind: Endpoint['kind']) => string;
  /** The address that a first channel can be made for; null if the account has channels or no address. */
  newEmail: string | null;
  problem: Problem | null;
  /** Of the plan. */
  leastEveryMinutes: number;
}

/** The value of the box that adds the account's e-mail address as a channel. */
export const NEW_EMAIL = 'new-email';

/** The label of each field as a Problem names it. */
const LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  condition: 'When',
  figure: 'Figure',
  direction: 'Direction',
  bound: 'Bound',
  hysteresis: 'Comes back by',
  everyMinutes: 'Minutes',
  channelIds: 'Sent to',
};

export function ruleForm(options: RuleFormOptions): Html {
  const { csrf, typed, operation, problem, leastEveryMinutes } = options;
  const isNew = typed.ruleId === null;
  return html`<form class="tasks" method="post" action="${isNew ? NEW_RULE_PATH : EDIT_RULE_PATH}">
    ${hidden('csrf', csrf)}
    ${typed.ruleId === null ? null : hidden('rule', typed.ruleId)}
    ${hidden('operation', typed.operation)}
${problem === null ? null : html`<div class="ban bad" role="alert" id="fault">${icon('warn')}<p>${readable(problem)}</p></div>`}
${section(`Rows of ${operation.path}`, filterFields(operation, typed, problem))}
${section('When', conditionFields(operation, typed, problem))}
${section('Sent to', endpointFields(options))}
${section(
  'Name and pace',
  html`<div class="form">
    ${field(
      { label: 'Name', hint: 'Empty: one is made from the condition' },
      html`<input type="text" name="name" value="${typed.name}" maxlength="${MAX_NAME_LENGTH}"
          autocomplete="off"${faulty(problem, 'name')}>`,
    )}
${field(
  {
    label: 'Pause between alerts for the same row',
    hint: `In minutes; ${leastEveryMinutes === 0 ? '0: none' : `at least ${leastEveryMinutes} on your plan`}`,
  },
  html`<input type="text" name="every_minutes" value="${typed.everyMinutes}" inputmode="numeric" required
      size="6" max="${MAX_EVERY_MINUTES}"${faulty(problem, 'everyMinutes')}>`,
)}
    <p class="acts">
      <button class="btn pri" type="submit">${isNew ? 'Create the alert' : 'Save the alert'}</button>
    </p>
  </div>`,
)}
  </form>`;
}

/** A Problem names fields as the API does; the form has labels. */
function readable(problem: Problem): string {
  return reasonOf(problem).replace(/^"(\w+)"/, (whole, name: string) =>
    Object.hasOwn(LABELS, name) ? `"${LABELS[name]}"` : whole,
  );
}

function faulty(problem: Problem | null, name: string): Html | null {
  return problem?.detail.startsWith(`"${name}"`) ? html` aria-invalid="true" aria-describedby="fault"` : null;
}

function filterFields(operation: StreamedOperation, { filters }: TypedRule, problem: Problem | null): Html {
  const all = filtersOf(operation);
  const fieldOf = (parameter: Parameter) =>
    filterField(parameter, filters.get(parameter.name) ?? '', problem);
  const [filled, empty] = [
    all.filter(({ name }) => filters.has(name)),
    all.filter(({ name }) => !filters.has(name)),
  ];
  return html`<div class="form">
    ${filled.length === 0 ? html`<p class="wide mut">No filter: the alert is for every row.</p>` : null}
${filled.map(fieldOf)}
    <details class="wide"${filled.length === 0 ? html` open` : null}>
      <summary>${filled.length === 0 ? 'Filters' : 'More filters'}</summary>
      <div class="form">${empty.map(fieldOf)}</div>
    </details>
  </div>`;
}

function filterField(parameter: Parameter, value: string, problem: Problem | null): Html {
  const { name, description } = parameter;
  const fieldName = `${FILTER_PREFIX}${name}`;
  const choices = choicesOf(parameter);
  const control =
    choices === null
      ? html`<input type="text" name="${fieldName}" value="${value}" autocomplete="off"
          spellcheck="false"${faulty(problem, name)}>`
      : html`<select name="${fieldName}"${faulty(problem, name)}>
        ${options(['', ...choices], value, (choice) => (choice === '' ? 'Any' : valueLabel(name, choice)))}
      </select>`;
  const end = rangeOf(name)?.end;
  const words = end === undefined ? '' : end === 'min' ? ', at least' : ', at most';
  return field(
    { label: html`<span title="${description}">${labelOf(name, description)}${words}</span>` },
    control,
  );
}

function options(values: readonly string[], chosen: string, label: (value: string) => string): Html[] {
  return values.map(
    (value) =>
      html`<option value="${value}"${value === chosen ? html` selected` : null}>${label(value)}</option>`,
  );
}

const KINDS: readonly (readonly [kind: string, label: string])[] = [
  ['enters', 'a row enters the list: it fits the filters and did not before'],
  ['leaves', 'a row leaves the list'],
  ['crosses', 'a figure of a row on the list crosses a bound'],
];

function conditionFields(operation: StreamedOperation, typed: TypedRule, problem: Problem | null): Html {
  const figures = figuresOf(operation);
  const describe = (name: string) => figures.find((figure) => figure.name === name)?.description ?? '';
  return html`<div class="form">
    <fieldset class="cks">
      <legend class="vh">When</legend>
${KINDS.map(([kind, label]) =>
  choice(
    html`<input type="radio" name="kind" value="${kind}" required${kind === typed.kind ? html` checked` : null}>`,
    label,
  ),
)}
    </fieldset>
    <fieldset class="form wide sub">
      <legend>If a figure crosses a bound</legend>
${field(
  { label: 'Figure' },
  html`<select name="figure"${faulty(problem, 'figure')}>
    ${options(['', ...figures.map(({ name }) => name)], typed.figure, (name) => (name === '' ? 'choose' : `${name}: ${describe(name).slice(0, 60)}`))}
  </select>`,
)}
${field(
  { label: 'Direction' },
  html`<select name="direction"${faulty(problem, 'direction')}>
    ${options(['above', 'below'], typed.direction, (word) => (word === 'above' ? 'rises above' : 'falls below'))}
  </select>`,
)}
${field(
  { label: 'Bound', hint: 'In the unit of the figure' },
  html`<input type="text" name="bound" value="${typed.bound}" inputmode="decimal" autocomplete="off"
      size="10"${faulty(problem, 'bound')}>`,
)}
${field(
  { label: 'Comes back by', hint: 'Past the bound by so much; empty: 0' },
  html`<input type="text" name="hysteresis" value="${typed.hysteresis}" inputmode="decimal" autocomplete="off"
      size="10"${faulty(problem, 'hysteresis')}>`,
)}
      <div class="wide">
        ${choice(
          html`<input type="checkbox" name="reports_return"
              value="yes"${typed.reportsReturn ? html` checked` : null}>`,
          'Also say when it has come back',
        )}
      </div>
    </fieldset>
  </div>`;
}

function endpointFields({ endpoints, channelTitle, newEmail, typed, problem }: RuleFormOptions): Html {
  const box = (value: string, title: string, description: string, isTicked: boolean) =>
    choice(
      html`<input type="checkbox" name="endpoint"
          value="${value}"${isTicked ? html` checked` : null}${faulty(problem, 'endpointIds')}>`,
      title,
      description,
    );
  const isOnly = typed.ruleId === null && typed.endpoints.length === 0 && endpoints.length === 1;
  return html`<div class="form">
    <fieldset class="cks">
      <legend class="vh">Sent to</legend>
${endpoints.map(({ id, kind, description, state }) =>
  box(
    id,
    channelTitle(kind),
    `${description}${state === 'paused' ? ' (paused)' : state === 'unconfirmed' ? ' (not confirmed)' : ''}`,
    isOnly || typed.endpoints.includes(id),
  ),
)}
${newEmail === null ? null : box(NEW_EMAIL, 'E-mail', newEmail, problem === null || typed.endpoints.includes(NEW_EMAIL))}
    </fieldset>
    <p class="wide mut">
      <a class="lnk" href="${CHANNELS_PATH}">Add a channel</a>: webhook, Telegram, Discord, Slack, ntfy
    </p>
  </div>`;
}
