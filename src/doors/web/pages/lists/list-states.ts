import type { Problem } from '../../../../base/problems.ts';
import { type Html, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { linkWithout } from '../../markup/page-links.ts';
import { chip, type FilterForm, filtersOf } from './filter-bar.ts';
import { filterText, labelOf, rangeOf } from './labels.ts';

type Sent = ReadonlyMap<string, readonly string[]>;

/** No row matches: offers to take one filter off. */
export function emptyList({ path, operation, noun = 'rows' }: FilterForm, sent: Sent): Html {
  const active = filtersOf(operation).filter(({ name }) => sent.has(name));
  const chips = active.map(({ name }) =>
    chip(filterText(name, sent.get(name)?.join(',') ?? ''), linkWithout(path, sent, [name])),
  );
  return html`<div class="empty">
    ${icon('search')}
    <h2>No ${noun} match</h2>
    ${
      chips.length === 0
        ? html`<p>There is nothing to show yet.</p>`
        : html`<p>Take one filter off:</p><p class="acts">${chips}</p>`
    }
  </div>`;
}

/** A filter that does not work, in words, above the form's own content. */
export function wrongFilter(problem: Problem, path: string): Html {
  const { suggestions = [] } = problem;
  const better = suggestions.length === 0 ? null : html` Did you mean ${suggestions.join(', ')}?`;
  return html`<div class="ban bad" role="alert">
    ${icon('warn')}
    <p><b>That filter does not work:</b> ${inWords(problem.detail)}${better}</p>
    <a class="btn" href="${path}">Clear filters</a>
  </div>`;
}

const CROSSED = /^"min_(\w+)" \((.+)\) must not be above "max_\w+" \((.+)\)\.$/;

/** Such as "The lowest 24 h volume ($10) is above the highest ($1)." */
function crossedWords([, name = '', low = '', high = '']: RegExpExecArray): string {
  const [, label = name, unit = ''] = /^(.*?)(?:, ([%$]))?$/.exec(labelOf(name)) ?? [];
  const amount = (value: string) => (unit === '$' ? `$${value}` : unit === '%' ? `${value} %` : value);
  return `The lowest ${decapitalized(label)} (${amount(low)}) is above the highest (${amount(high)}).`;
}

/** "APR" keeps its capitals. */
function decapitalized(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? `${label.charAt(0).toLowerCase()}${label.slice(1)}` : label;
}

/** Details name parameters in quotes; people see labels. */
function inWords(detail: string): string {
  const crossed = CROSSED.exec(detail);
  if (crossed) return crossedWords(crossed);
  const words = detail.replace(/; names are case-sensitive.*/, '.');
  return words.replaceAll(/"((?:min_|max_)?[a-z]\w*)"(?=[ ,;:(])/g, (quoted, name: string) => {
    const label = labelOf(name);
    if (label === '') return quoted;
    const end = rangeOf(name)?.end;
    if (end === undefined) return label;
    return `${end === 'min' ? 'least' : 'most'} ${decapitalized(label)}`;
  });
}
