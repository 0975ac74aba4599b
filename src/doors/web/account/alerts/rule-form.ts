import type { Endpoint } from '../../../../alerts/alerts.ts';
import { figuresOf, MAX_EVERY_MINUTES, MAX_NAME_LENGTH } from '../../../../alerts/rule.ts';
import type { Problem } from '../../../../base/problems.ts';
import type { StreamedOperation } from '../../../../operations/operation.ts';
import type { Parameter } from '../../../../query/parameter.ts';
import { type Html, html } from '../../markup/html.ts';
import { form, hidden } from '../../sign-in/form-parts.ts';
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
  const { csrf, typed, operation, problem } = options;
  const isNew = typed.ruleId === null;
  return form({
    action: isNew ? NEW_RULE_PATH : EDIT_RULE_PATH,
    csrf,
    button: isNew ? 'Create the alert' : 'Save the alert',
    fields: html`${typed.ruleId === null ? null : hidden('rule', typed.ruleId)}
${hidden('operation', typed.operation)}
${problem === null ? null : html`<p class="fault" role="alert" id="fault">${readable(problem)}</p>`}
<label>Name <small>(empty: one is made from the condition)</small>
<input name="name" value="${typed.name}" maxlength="${MAX_NAME_LENGTH}" autocomplete="off"${faulty(problem, 'name')}></label>
${filterFields(operation, typed, problem)}
${conditionFields(operation, typed, problem)}
<label>At most one alert for each row in so many minutes <small>(0: no limit)</small>
<input name="every_minutes" value="${typed.everyMinutes}" inputmode="numeric" required size="6" max="${MAX_EVERY_MINUTES}"${faulty(problem, 'everyMinutes')}></label>
${endpointFields(options)}`,
  });
}

/** A Problem names fields as the API does; the form has labels. */
function readable(problem: Problem): string {
  return reasonOf(problem).replace(/^"(\w+)"/, (whole, name: string) =>
    LABELS[name] === undefined ? whole : `"${LABELS[name]}"`,
  );
}

function faulty(problem: Problem | null, name: string): Html | null {
  return problem?.detail.startsWith(`"${name}"`) ? html` aria-invalid="true" aria-describedby="fault"` : null;
}

function filterFields(operation: StreamedOperation, { filters }: TypedRule, problem: Problem | null): Html {
  const all = filtersOf(operation);
  const field = (parameter: Parameter) => filterField(parameter, filters.get(parameter.name) ?? '', problem);
  const [filled, empty] = [
    all.filter(({ name }) => filters.has(name)),
    all.filter(({ name }) => !filters.has(name)),
  ];
  return html`<fieldset><legend>Rows of ${operation.path} with</legend>
${filled.length === 0 ? html`<p>No filter: the alert is for every row.</p>` : null}
${filled.map(field)}
<details${filled.length === 0 ? html` open` : null}><summary>${filled.length === 0 ? 'Filters' : 'More filters'}</summary>
${empty.map(field)}</details>
</fieldset>`;
}

function filterField(parameter: Parameter, value: string, problem: Problem | null): Html {
  const { name, description, schema } = parameter;
  const fieldName = `${FILTER_PREFIX}${name}`;
  const choices =
    schema.type === 'boolean'
      ? ['true', 'false']
      : Array.isArray(schema.enum)
        ? schema.enum.map(String)
        : null;
  const control =
    choices === null
      ? html`<input name="${fieldName}" value="${value}" autocomplete="off" spellcheck="false"${faulty(problem, name)}>`
      : html`<select name="${fieldName}"${faulty(problem, name)}>${options(['', ...choices], value, (choice) => choice || 'not set')}</select>`;
  return html`<label title="${description}">${name.replaceAll('_', ' ')}\n${control}</label>\n`;
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
  return html`<fieldset><legend>When</legend>
${KINDS.map(
  ([kind, label]) =>
    html`<label class="tick"><input type="radio" name="kind" value="${kind}" required${kind === typed.kind ? html` checked` : null}> ${label}</label>\n`,
)}
<fieldset><legend>If a figure crosses a bound</legend>
<label>Figure
<select name="figure"${faulty(problem, 'figure')}>${options(['', ...figures.map(({ name }) => name)], typed.figure, (name) => (name === '' ? 'choose' : `${name}: ${describe(name).slice(0, 60)}`))}</select></label>
<label>Direction
<select name="direction"${faulty(problem, 'direction')}>${options(['above', 'below'], typed.direction, (word) => (word === 'above' ? 'rises above' : 'falls below'))}</select></label>
<label>Bound, in the unit of the figure
<input name="bound" value="${typed.bound}" inputmode="decimal" autocomplete="off" size="10"${faulty(problem, 'bound')}></label>
<label>It has come back when it is past the bound by <small>(empty: 0)</small>
<input name="hysteresis" value="${typed.hysteresis}" inputmode="decimal" autocomplete="off" size="10"${faulty(problem, 'hysteresis')}></label>
<label class="tick"><input type="checkbox" name="reports_return" value="yes"${typed.reportsReturn ? html` checked` : null}> Also say when it has come back</label>
</fieldset></fieldset>`;
}

function endpointFields({ endpoints, channelTitle, newEmail, typed, problem }: RuleFormOptions): Html {
  const box = (value: string, label: string, isTicked: boolean) =>
    html`<label class="tick"><input type="checkbox" name="endpoint" value="${value}"${isTicked ? html` checked` : null}${faulty(problem, 'endpointIds')}> ${label}</label>\n`;
  const isOnly = typed.ruleId === null && typed.endpoints.length === 0 && endpoints.length === 1;
  return html`<fieldset><legend>Sent to</legend>
${endpoints.map(({ id, kind, description, state }) =>
  box(
    id,
    `${channelTitle(kind)}: ${description}${state === 'paused' ? ' (paused)' : ''}`,
    isOnly || typed.endpoints.includes(id),
  ),
)}
${newEmail === null ? null : box(NEW_EMAIL, `E-mail: ${newEmail}`, problem === null || typed.endpoints.includes(NEW_EMAIL))}
<p><a href="${CHANNELS_PATH}">Add a channel</a>: webhook, Telegram, Discord, Slack, ntfy</p>
</fieldset>`;
}
