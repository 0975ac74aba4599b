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

/** Details name parameters in quotes; people see labels. */
function inWords(detail: string): string {
  return detail.replaceAll(/"((?:min_|max_)?[a-z]\w*)"(?=[ ,;:(])/g, (quoted, name: string) => {
    const label = labelOf(name);
    if (label === '') return quoted;
    const end = rangeOf(name)?.end;
    if (end === undefined) return label;
    // "APR" keeps its capitals.
    const words = /^[A-Z][a-z]/.test(label) ? `${label.charAt(0).toLowerCase()}${label.slice(1)}` : label;
    return `${end === 'min' ? 'least' : 'most'} ${words}`;
  });
}
