import type { Meta } from '../../../../operations/answer/meta.ts';
import { grouped, nounFor } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { linkWith, linkWithout } from '../../markup/page-links.ts';

type Sent = ReadonlyMap<string, readonly string[]>;

/** Where a page of a list stands among the others. */
export interface PagePlace {
  /** From 1. */
  page: number;
  rowsPerPage: number;
  count: number;
  total: number;
  hasNext: boolean;
}

/** The number in `page`, from 1; other text counts as 1. */
export function pageNumber(sent: Sent): number {
  const text = sent.get('page')?.[0] ?? '1';
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 1;
}

export function placeOf(
  { count, total, next_cursor: next }: Meta,
  page: number,
  rowsPerPage: number,
): PagePlace {
  return { page, rowsPerPage, count: count ?? 0, total: total ?? count ?? 0, hasNext: next !== undefined };
}

/** `51–100 of 812 coins`, with links to the pages before and after. */
export function pager(path: string, sent: Sent, place: PagePlace, noun: string): Html {
  const { page, rowsPerPage, count, total, hasNext } = place;
  const from = (page - 1) * rowsPerPage;
  const range =
    count === 0
      ? `0 of ${grouped(total)}`
      : `${grouped(from + 1)}–${grouped(from + count)} of ${grouped(total)}`;
  const to = (target: number) =>
    target === 1 ? linkWithout(path, sent, ['page']) : linkWith(path, sent, { page: String(target) });
  const previous = html`<a class="btn" rel="prev" href="${to(page - 1)}">
    ${icon('left')}Previous <span class="d">${rowsPerPage}</span>
  </a>`;
  const next = html`<a class="btn" rel="next" href="${to(page + 1)}">
    Next <span class="d">${Math.min(rowsPerPage, total - from - count)}</span>${icon('right')}
  </a>`;
  return html`<nav class="end" aria-label="Pages">
    <span class="nw">${range} ${nounFor(total, noun)}</span>
    ${page > 1 ? previous : null}
    ${hasNext ? next : null}
  </nav>`;
}
