import type { Parameter } from '../../../query/parameter.ts';
import { icon } from '../icons/ui-icons.ts';
import { flat, type Html, html } from '../markup/html.ts';
import { labelOf, rangeOf, valueLabel } from './labels.ts';

type Sent = ReadonlyMap<string, readonly string[]>;

/** The ids of the lists of names that fields suggest. */
export const COINS_LIST = 'coin-names';
export const VENUES_LIST = 'venue-names';

const emptyFields = { first: new WeakMap<Parameter, Html>(), next: new WeakMap<Parameter, Html>() };

/** A field on the bar; that of a filter which is not set is the same on every page. */
export function mainField(parameter: Parameter, sent: Sent, isFirst: boolean): Html {
  if (sent.has(parameter.name)) return fieldOf(parameter, sent, isFirst);
  const kept = isFirst ? emptyFields.first : emptyFields.next;
  let field = kept.get(parameter);
  if (!field) {
    field = flat(fieldOf(parameter, sent, isFirst));
    kept.set(parameter, field);
  }
  return field;
}

function fieldOf(parameter: Parameter, sent: Sent, isFirst: boolean): Html {
  const { name } = parameter;
  const label = labelOf(name, parameter.description);
  const value = sent.get(name)?.join(', ') ?? '';
  if (!isFirst)
    return html`<label class="lab">${shortLabel(label)} ${control(parameter, value, false)}</label>`;
  const hint = name === 'coin' ? 'Coins: BTC, SOL…' : `${label}…`;
  const list = listOf(parameter);
  return html`<span class="in">${icon('search')}<input type="search" id="f-${name}" name="${name}" value="${value}" aria-label="${label}" placeholder="${hint}" size="16" autocomplete="off"${list}></span>`;
}

/** On the bar a label has no room for its unit, which the placeholder shows. */
function shortLabel(label: string): string {
  return label.split(', ')[0] ?? label;
}

/** One field of the drawer: a parameter, or the two ends of a range. */
export interface DrawerField {
  parameters: readonly Parameter[];
  /** Without a value, as in most addresses. */
  empty: Html;
}

export function drawerFieldsOf(parameters: readonly Parameter[]): DrawerField[] {
  const ofField = Map.groupBy(parameters, ({ name }) => rangeOf(name)?.base ?? name);
  return [...ofField.values()].map((ends) => ({
    parameters: ends,
    empty: flat(drawerField(ends, new Map())),
  }));
}

export function drawerHtml(fields: readonly DrawerField[], sent: Sent): Html[] {
  return fields.map(({ parameters, empty }) =>
    parameters.some(({ name }) => sent.has(name)) ? drawerField(parameters, sent) : empty,
  );
}

function drawerField(ends: readonly Parameter[], sent: Sent): Html {
  const [first] = ends;
  if (!first) return html``;
  const { name, description } = first;
  const label = labelOf(name, description);
  const shownValue = (one: Parameter) => sent.get(one.name)?.join(', ') ?? '';
  return rangeOf(name)
    ? html`<fieldset class="fld"><legend>${label}</legend><span class="rng">${ends.map(
        (one, i) => html`${i > 0 ? ' to ' : null}${rangeInput(one, shownValue(one), label)}`,
      )}</span></fieldset>`
    : html`<div class="fld"><label for="f-${name}"><b>${label}</b></label>${control(first, shownValue(first), true)}</div>`;
}

function rangeInput({ name }: Parameter, value: string, label: string): Html {
  const words = rangeOf(name)?.end === 'max' ? 'at most' : 'at least';
  return html`<input id="f-${name}" name="${name}" value="${value}" inputmode="decimal" autocomplete="off" aria-label="${label}, ${words}" placeholder="${words}">`;
}

/** The values that a filter may have; null if there are any number of them. */
export function choicesOf({ schema }: Parameter): readonly string[] | null {
  if (schema.type === 'boolean') return ['true', 'false'];
  return Array.isArray(schema.enum) ? schema.enum.map(String) : null;
}

function control(parameter: Parameter, value: string, isWide: boolean): Html {
  const { name, schema } = parameter;
  const choices = choicesOf(parameter);
  if (choices) {
    const option = (choice: string) =>
      html`<option value="${choice}"${choice === value ? html` selected` : null}>${choice === '' ? 'Any' : valueLabel(name, choice)}</option>`;
    return html`<select id="f-${name}" name="${name}">${['', ...choices].map(option)}</select>`;
  }
  const isNumber = schema.type === 'number' || schema.type === 'integer';
  const hint = isNumber ? numberHint(name) : 'any';
  return html`<input id="f-${name}" name="${name}" value="${value}"${isNumber ? html` inputmode="decimal"` : null} placeholder="${hint}" size="${isWide ? 20 : 10}" autocomplete="off"${listOf(parameter)}>`;
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
