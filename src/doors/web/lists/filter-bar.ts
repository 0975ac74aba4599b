import type { AnyOperation } from '../../../operations/operation.ts';
import type { Parameter } from '../../../query/parameter.ts';
import { icon } from '../icons/ui-icons.ts';
import { flat, type Html, type HtmlValue, html } from '../markup/html.ts';
import { linkWithout } from '../markup/page-links.ts';
import { filterText, labelOf, rangeOf, valueLabel } from './labels.ts';

type Sent = ReadonlyMap<string, readonly string[]>;

export interface FilterForm {
  path: string;
  operation: AnyOperation;
  /** Parameters on the bar, in this order; all others are in the drawer. */
  mainParameters: readonly string[];
  /** Parameters for which the page has controls of its own on the bar. */
  ownParameters?: readonly string[];
  /** Parameters of the page that the operation does not have; the form keeps their values. */
  viewParameters?: readonly string[];
  /**
   * Orders to choose from where rows are cards, which have no heads to press: value and label, the usual one first.
   * Others that heads offer are kept.
   */
  sorts?: readonly (readonly [string, string])[];
  /** What one row is, in the plural: "Show 412 contracts". */
  noun?: string;
}

/** Names that the reader may pick from. */
export interface FilterChoices {
  coins: readonly string[];
  exchanges: readonly string[];
}

const NOT_FILTERS = new Set(['cursor', 'fields', 'limit', 'sort', 'page']);

/** The filters of a page: parameters of the query, without order and paging. */
export function filtersOf(operation: AnyOperation): readonly Parameter[] {
  return Object.values(operation.parameters).filter(
    (one) => !NOT_FILTERS.has(one.name) && one.in === 'query',
  );
}

/** The bar: the main filters, a drawer with the others, and what the page adds at its end. Plain HTML, no scripts. */
export function filterBar(
  form: FilterForm,
  sent: Sent,
  choices: FilterChoices,
  total: number | null,
  more: { start?: HtmlValue; end?: HtmlValue } = {},
): Html {
  const { path, operation, mainParameters, ownParameters = [], viewParameters = [], noun = 'rows' } = form;
  const filters = filtersOf(operation);
  const main = mainParameters.flatMap((name) => filters.filter((one) => one.name === name));
  const onBar = [...mainParameters, ...ownParameters];
  const others = filters.filter((one) => !onBar.includes(one.name));
  const active = others.filter(({ name }) => sent.has(name)).length;
  const kept = [...(form.sorts ? [] : ['sort']), ...viewParameters].filter((name) => sent.has(name));
  const [first, ...rest] = main;
  const show = total === null ? 'Apply' : `Show ${total.toLocaleString('en-US')} ${noun}`;
  return html`<form class="fbar" method="get" action="${path}" data-filters>
${kept.map((name) => html`<input type="hidden" name="${name}" value="${sent.get(name)?.join(',')}">`)}${first ? mainField(first, sent, true) : null}
<span class="mainf">${rest.map((one) => mainField(one, sent, false))}</span>${more.start}${form.sorts ? sortField(form.sorts, sent) : null}
<button class="btn apply" type="submit">Apply</button>
${
  others.length === 0
    ? null
    : html`<details class="more"><summary class="btn">${icon('sliders')}<span class="d">More filters</span><span class="m">Filters</span>${active > 0 ? html`<span class="n">${active}</span>` : null}</summary><div class="drawer"><header><h2>More filters</h2></header><div class="body">${drawerFields(others, sent)}</div><footer><a class="btn ghost" href="${path}">Clear</a><button class="btn pri" type="submit">${show}</button></footer></div></details>`
}
<span class="end">${more.end}</span>
${datalists(choices)}</form>`;
}

function sortField(sorts: readonly (readonly [string, string])[], sent: Sent): Html {
  const chosen = sent.get('sort')?.[0] ?? sorts[0]?.[0] ?? '';
  const shown = sorts.some(([value]) => value === chosen) ? sorts : [...sorts, [chosen, 'As chosen']];
  return html`<label class="lab sortby">Sort by <select name="sort">${shown.map(
    ([value, label]) =>
      html`<option value="${value}"${value === chosen ? html` selected` : null}>${label}</option>`,
  )}</select></label>`;
}

/** The active filters as chips that remove themselves, and what the page adds. */
export function activeFilters(
  form: Pick<FilterForm, 'path' | 'operation'>,
  sent: Sent,
  summary: HtmlValue,
  end: HtmlValue,
): Html {
  const chips = filterChips(form, sent);
  return html`<div class="fbar chipsbar"><span class="mut" id="count" data-live>${summary}</span>${chips}${chips.length > 0 ? html`<a class="lnk" href="${form.path}">Clear all</a>` : null}<span class="end">${end}</span></div>`;
}

/** One chip for each active filter. `linkOf` is the address without it. */
export function filterChips(
  { path, operation }: Pick<FilterForm, 'path' | 'operation'>,
  sent: Sent,
  linkOf: (name: string) => string = (name) => linkWithout(path, sent, [name]),
): Html[] {
  const active = filtersOf(operation).filter(({ name }) => sent.has(name));
  return active.map(({ name }) => chip(filterText(name, sent.get(name)?.join(',') ?? ''), linkOf(name)));
}

export function chip(words: string, href: string): Html {
  return html`<a class="rm" href="${href}" aria-label="Remove filter: ${words}">${words}${icon('x')}</a>`;
}

const COINS_LIST = 'coin-names';
const VENUES_LIST = 'venue-names';

const keptLists = new WeakMap<readonly string[], Html>();

function datalists({ coins, exchanges }: FilterChoices): Html {
  const list = (id: string, names: readonly string[]) => {
    let made = keptLists.get(names);
    if (!made) {
      made = flat(
        html`<datalist id="${id}">${names.map((name) => html`<option value="${name}">`)}</datalist>`,
      );
      keptLists.set(names, made);
    }
    return made;
  };
  return html`${list(COINS_LIST, coins)}${list(VENUES_LIST, exchanges)}`;
}

function mainField(parameter: Parameter, sent: Sent, isFirst: boolean): Html {
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

function drawerFields(parameters: readonly Parameter[], sent: Sent): Html[] {
  const fields: Html[] = [];
  const done = new Set<string>();
  for (const parameter of parameters) {
    const range = rangeOf(parameter.name);
    const base = range?.base ?? parameter.name;
    if (done.has(base)) continue;
    done.add(base);
    const ends = range ? parameters.filter((one) => rangeOf(one.name)?.base === base) : [parameter];
    const label = labelOf(parameter.name, parameter.description);
    const shownValue = ({ name }: Parameter) => sent.get(name)?.join(', ') ?? '';
    fields.push(
      range
        ? html`<fieldset class="fld"><legend>${label}</legend><span class="rng">${ends.map(
            (one, i) => html`${i > 0 ? ' to ' : null}${rangeInput(one, shownValue(one), label)}`,
          )}</span></fieldset>`
        : html`<div class="fld"><label for="f-${parameter.name}"><b>${label}</b></label>${control(parameter, shownValue(parameter), true)}</div>`,
    );
  }
  return fields;
}

function rangeInput({ name }: Parameter, value: string, label: string): Html {
  const words = rangeOf(name)?.end === 'max' ? 'at most' : 'at least';
  return html`<input id="f-${name}" name="${name}" value="${value}" inputmode="decimal" autocomplete="off" aria-label="${label}, ${words}" placeholder="${words}">`;
}

function control(parameter: Parameter, value: string, isWide: boolean): Html {
  const { name, schema } = parameter;
  const choices =
    schema.type === 'boolean'
      ? ['true', 'false']
      : Array.isArray(schema.enum)
        ? schema.enum.map(String)
        : null;
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
