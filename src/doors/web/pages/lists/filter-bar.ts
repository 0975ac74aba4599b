import { perSnapshot } from '../../../../base/per-snapshot.ts';
import type { AnyOperation } from '../../../../operations/operation.ts';
import type { Parameter } from '../../../../query/parameter.ts';
import { grouped, nounFor } from '../../markup/grouped.ts';
import { type Html, type HtmlValue, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { linkWithout } from '../../markup/page-links.ts';
import { COINS_LIST, drawerFields, mainField, VENUES_LIST } from './filter-fields.ts';
import { filterText } from './labels.ts';

type Sent = ReadonlyMap<string, readonly string[]>;

export interface FilterForm {
  path: string;
  operation: AnyOperation;
  /** Parameters on the bar, in this order; all others are in the drawer. */
  mainParameters: readonly string[];
  /** Parameters for which the page has controls of its own on the bar. */
  ownParameters?: readonly string[];
  /** Values that apply without a choice; they are not counted as filters. */
  usual?: Readonly<Record<string, string>>;
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
export function filtersOf(operation: AnyOperation): Parameter[] {
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
  const { path, mainParameters, ownParameters = [], viewParameters = [] } = form;
  const filters = filtersOf(form.operation);
  const main = mainParameters.flatMap((name) => filters.filter((one) => one.name === name));
  const others = filters.filter(
    ({ name }) => !mainParameters.includes(name) && !ownParameters.includes(name),
  );
  const hidden = [...(form.sorts ? [] : ['sort']), ...viewParameters].filter((name) => sent.has(name));
  const [first, ...rest] = main;
  return html`<form class="fbar" method="get" action="${path}">
${hidden.map((name) => html`<input type="hidden" name="${name}" value="${sent.get(name)?.join(',')}">`)}
    ${first ? mainField(first, sent, true) : null}
<span class="mainf">${rest.map((one) => mainField(one, sent, false))}</span>
    ${more.start}
    ${form.sorts ? sortField(form.sorts, sent) : null}
<button class="btn apply" type="submit">Apply</button>
${others.length === 0 ? null : drawer(form, others, sent, total)}
<span class="end">${more.end}</span>
${datalist(COINS_LIST, choices.coins)}${datalist(VENUES_LIST, choices.exchanges)}</form>`;
}

/** Without scripts the summary closes the drawer. */
export const DRAWER_CLOSE = html`<button class="ib" type="button" data-close aria-label="Close">${icon('x')}</button>`;

function drawer(
  { path, operation, noun = 'rows', usual = {} }: FilterForm,
  filters: readonly Parameter[],
  sent: Sent,
  total: number | null,
): Html {
  const isChosen = ({ name }: Parameter) => sent.has(name) && sent.get(name)?.[0] !== usual[name];
  const active = filters.filter(isChosen).length;
  return html`<details class="more">
    <summary class="btn">
      ${icon('sliders')}
      <span class="d">More filters</span>
      <span class="m">Filters</span>
      ${active > 0 ? html`<span class="n">${active}</span>` : null}
    </summary>
    <div class="drawer">
      <header><h2>More filters</h2>${DRAWER_CLOSE}</header>
      <div class="body">${drawerFields(operation, filters, sent)}</div>
      <footer>
        <a class="btn ghost" href="${path}">Clear</a>
        <button class="btn pri" type="submit">${total === null ? 'Apply' : `Show ${grouped(total)} ${nounFor(total, noun)}`}</button>
      </footer>
    </div>
  </details>`;
}

function sortField(sorts: readonly (readonly [string, string])[], sent: Sent): Html {
  const chosen = sent.get('sort')?.[0] ?? sorts[0]?.[0] ?? '';
  const shown = sorts.some(([value]) => value === chosen)
    ? sorts
    : [...sorts, [chosen, 'As chosen'] as const];
  const option = ([value, label]: readonly [string, string]) =>
    html`<option value="${value}"${value === chosen ? html` selected` : null}>${label}</option>`;
  return html`<label class="lab sortby">Sort by <select name="sort">${shown.map(option)}</select></label>`;
}

/** The active filters as chips that remove themselves, and what the page adds. */
export function activeFilters(
  form: Pick<FilterForm, 'path' | 'operation'>,
  sent: Sent,
  summary: HtmlValue,
  end: HtmlValue,
): Html {
  const chips = filterChips(form, sent);
  return html`<div class="fbar chipsbar">
    <span class="mut" id="count" data-live>${summary}</span>
    ${chips}
    ${chips.length > 0 ? html`<a class="lnk" href="${form.path}">Clear all</a>` : null}
    <span class="end">${end}</span>
  </div>`;
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

/** Of a list that is the same for all requests of a snapshot. */
const optionsOf = perSnapshot(
  (names: readonly string[]) => html`${names.map((name) => html`<option value="${name}">`)}`,
);

function datalist(id: string, names: readonly string[]): Html {
  return html`<datalist id="${id}">${optionsOf(names)}</datalist>`;
}
