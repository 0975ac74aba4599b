import { perSnapshot } from '../../../../base/per-snapshot.ts';
import type { AnyOperation } from '../../../../operations/operation.ts';
import type { Parameter } from '../../../../query/parameter.ts';
import { type Html, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { labelOf, rangeOf, valueLabel } from './labels.ts';

type Sent = ReadonlyMap<string, readonly string[]>;

/** The ids of the lists of names that fields suggest. */
export const COINS_LIST = 'coin-names';
export const VENUES_LIST = 'venue-names';

/** A field on the bar. The first one has an icon instead of a label. */
export function mainField(parameter: Parameter, sent: Sent, isFirst: boolean): Html {
  const { name } = parameter;
  const label = labelOf(name, parameter.description);
  const value = sent.get(name)?.join(', ') ?? '';
  if (!isFirst)
    return html`<label class="lab">${shortLabel(label)} ${control(parameter, value, false)}</label>`;
  const hint = name === 'coin' ? 'Coins: BTC, SOL…' : `${label}…`;
  return html`<span class="in">
    ${icon('search')}
    <input type="search" id="f-${name}" name="${name}" value="${value}" aria-label="${label}"
      placeholder="${hint}" size="16" autocomplete="off"${name === 'q' ? html` data-instant` : null}${listOf(parameter)}>
  </span>`;
}

/** On the bar a label has no room for its unit, which the placeholder shows. */
function shortLabel(label: string): string {
  return label.split(', ')[0] ?? label;
}

/** The fields of the drawer: one for each parameter, or for the two ends of a range. */
export function drawerFields(operation: AnyOperation, parameters: readonly Parameter[], sent: Sent): Html[] {
  const ofField = Map.groupBy(parameters, ({ name }) => rangeOf(name)?.base ?? name);
  return [...ofField.values()].map((ends) => {
    const make = () => drawerField(ends, sent);
    if (ends.some(({ name }) => sent.has(name))) return make();
    const names = ends.map(({ name }) => name).join(' ');
    return emptyFields(operation).getOrInsertComputed(names, make);
  });
}

/** Most fields are empty, and those are the same for every reader. */
const emptyFields = perSnapshot((_operation: AnyOperation) => new Map<string, Html>());

function drawerField(ends: readonly Parameter[], sent: Sent): Html {
  const [first] = ends;
  if (!first) return html``;
  const { name, description } = first;
  const label = labelOf(name, description);
  const shownValue = (one: Parameter) => sent.get(one.name)?.join(', ') ?? '';
  if (!rangeOf(name))
    return html`<div class="fld">
      <label for="f-${name}"><b>${label}</b></label>
      ${control(first, shownValue(first), true)}
    </div>`;
  const inputs = ends.map(
    (one, i) => html`${i > 0 ? ' to ' : null}${rangeInput(one, shownValue(one), label)}`,
  );
  return html`<fieldset class="fld">
    <legend>${label}</legend>
    <span class="rng">${inputs}</span>
  </fieldset>`;
}

function rangeInput({ name }: Parameter, value: string, label: string): Html {
  const words = rangeOf(name)?.end === 'max' ? 'at most' : 'at least';
  // Some labels say it themselves.
  const named = /no older than|at least/.test(label) ? label : `${label}, ${words}`;
  return html`<input id="f-${name}" name="${name}" value="${value}" inputmode="decimal"
    autocomplete="off" aria-label="${named}" placeholder="${named === label ? 'any' : words}">`;
}

/** The values that a filter has, or usually has; null if there are any number of them. */
export function choicesOf({ schema }: Parameter): readonly string[] | null {
  if (schema.type === 'boolean') return ['true', 'false'];
  const values = schema.enum ?? schema.examples;
  return Array.isArray(values) ? values.map(String) : null;
}

function control(parameter: Parameter, value: string, isWide: boolean): Html {
  const { name, schema } = parameter;
  const choices = choicesOf(parameter);
  if (choices) return select(name, value, choices);
  const isNumber = schema.type === 'number' || schema.type === 'integer';
  const mode = isNumber ? html` inputmode="decimal"` : null;
  const hint = isNumber ? numberHint(name) : 'any';
  return html`<input id="f-${name}" name="${name}" value="${value}"${mode} placeholder="${hint}"
    size="${isWide ? 20 : 10}" autocomplete="off"${listOf(parameter)}>`;
}

function select(name: string, value: string, choices: readonly string[]): Html {
  const option = (choice: string) => {
    const selected = choice === value ? html` selected` : null;
    const label = choice === '' ? 'Any' : valueLabel(name, choice);
    return html`<option value="${choice}"${selected}>${label}</option>`;
  };
  const all = ['', ...choices];
  const shown = all.includes(value) ? all : [...all, value];
  return html`<select id="f-${name}" name="${name}">${shown.map(option)}</select>`;
}

/** The end of a range, or the unit of a single number. */
function numberHint(name: string): string {
  const range = rangeOf(name);
  if (range) return range.end === 'max' ? 'at most' : 'at least';
  return labelOf(name, '').split(', ')[1] ?? 'at least';
}

function listOf({ name, isExchangeName }: Parameter): Html | null {
  if (name === 'coin') return html` list="${COINS_LIST}"`;
  return isExchangeName ? html` list="${VENUES_LIST}"` : null;
}
