import type { AnyOperation } from '../../operations/operation.ts';
import type { Parameter } from '../../query/parameter.ts';
import { flat, type Html, html } from './html.ts';

export interface FilterForm {
  path: string;
  operation: AnyOperation;
  /** Parameters that the form shows first; all others follow. */
  mainParameters: readonly string[];
  /** The filters are open from the start. */
  isSearch?: boolean;
  /** Parameters of the page that the operation does not have; the form keeps their values. */
  viewParameters?: readonly string[];
}

/** A filter and its HTML without a value, which most filters have. */
interface Filter {
  parameter: Parameter;
  empty: Html;
}

const HIDDEN = new Set(['cursor', 'fields', 'limit', 'sort']);
const known = new WeakMap<FilterForm['mainParameters'], readonly Filter[]>();

function filtersOf({ operation, mainParameters }: FilterForm): readonly Filter[] {
  let filters = known.get(mainParameters);
  if (!filters) {
    const rank = (one: Parameter) =>
      mainParameters.includes(one.name) ? mainParameters.indexOf(one.name) : 1000;
    filters = Object.values(operation.parameters)
      .filter((one) => !HIDDEN.has(one.name) && one.in === 'query')
      .toSorted((a, b) => rank(a) - rank(b))
      .map((parameter) => ({ parameter, empty: flat(field(parameter, '')) }));
    known.set(mainParameters, filters);
  }
  return filters;
}

/** A form with all filters of the operation, in plain HTML that needs no scripts. */
export function filterForm(form: FilterForm, sent: ReadonlyMap<string, readonly string[]>): Html {
  const { path, viewParameters = [], isSearch = false } = form;
  const filters = filtersOf(form);
  const isFiltered = filters.some(({ parameter }) => sent.has(parameter.name));
  const kept = ['sort', ...viewParameters].filter((name) => sent.has(name));
  const shown = ({ parameter, empty }: Filter) => {
    const values = sent.get(parameter.name);
    return values ? field(parameter, values.join(',')) : empty;
  };
  return html`<details class="filters"${isFiltered || isSearch ? html` open` : null}><summary>Filters${isFiltered ? ' (active)' : ''}</summary>
<form method="get" action="${path}">
${filters.map(shown)}
${kept.map((name) => html`<input type="hidden" name="${name}" value="${sent.get(name)?.join(',')}">`)}
<div><button type="submit">Apply</button> <a href="${path}">Clear</a></div>
</form></details>`;
}

function field(parameter: Parameter, value: string): Html {
  const { name, description, schema } = parameter;
  const id = `f-${name}`;
  const label = html`<label for="${id}" title="${description}">${labelOf(name)}</label>`;
  const choices =
    schema.type === 'boolean'
      ? ['true', 'false']
      : Array.isArray(schema.enum)
        ? schema.enum.map(String)
        : null;
  if (choices) {
    const option = (choice: string) =>
      html`<option value="${choice}"${choice === value ? html` selected` : null}>${choice || 'not set'}</option>`;
    return html`<div>${label}<select id="${id}" name="${name}">${['', ...choices].map(option)}</select></div>\n`;
  }
  const isNumber = schema.type === 'number' || schema.type === 'integer';
  return html`<div>${label}<input id="${id}" name="${name}" value="${value}"${isNumber ? html` inputmode="decimal"` : null} autocomplete="off"></div>\n`;
}

/** The parameter's own name, so that readers learn the API, with units as people write them. */
function labelOf(name: string): string {
  if (name === 'q') return 'search';
  const words = name.replaceAll('_', ' ');
  return words
    .replace(/ pct$/, ' (%)')
    .replace(/ (usdt|usd)$/, (_whole, unit: string) => ` (${unit.toUpperCase()})`);
}
