import { isoTime } from '../../../../base/times.ts';
import { findingOf } from '../../../../engines/audit/notices.ts';
import type { VenueAccuracy } from '../../../../engines/audit/report.ts';
import type { SidesText } from '../../../../venues/counting/texts.ts';
import { escapeMarkdown } from '../../../documents/markdown.ts';
import { outside } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';

type OwnNotices = VenueAccuracy['notices'];

const UNKNOWN_TITLE = 'What no source confirms';

/** The notices of the audit about one venue, for its page. */
export function noticesHtml(notices: OwnNotices): Html {
  return html`${notices.map((notice) => html`<p class="say">${noticeText(notice)}</p>`)}`;
}

export function noticesMarkdown(notices: OwnNotices): string {
  return notices.map((notice) => `\n${escapeMarkdown(noticeText(notice))}\n`).join('');
}

function noticeText(notice: OwnNotices[number]): string {
  return `Notice: ${findingOf(notice)} (${notice.evidence}), since ${isoTime(notice.sinceMs)}.`;
}

const COUNTS_TITLE = 'One side or both';

/** What its open interest and its volume count, with the evidence. */
export function countsHtml(texts: readonly SidesText[]): Html | null {
  if (texts.length === 0) return null;
  return html`<section class="card mt" id="counts">
    <header><h2>${COUNTS_TITLE}</h2><a class="lnk" href="/developers/venues#one-side-or-both">All venues</a></header>
    ${texts.map(
      ({ sentence, date, source }) =>
        html`<p class="say">${sentence} ${outside(source, `Source, ${date}`)}</p>\n`,
    )}
  </section>`;
}

export function countsMarkdown(texts: readonly SidesText[]): string {
  if (texts.length === 0) return '';
  const lines = texts.map(
    ({ sentence, date, source }) => `- ${escapeMarkdown(sentence)} [Source, ${date}](${source})\n`,
  );
  return `\n## ${COUNTS_TITLE}\n\n${lines.join('')}`;
}

/** What the venue does not publish, or no source confirms. */
export function unknownHtml(unknown: readonly string[]): Html | null {
  if (unknown.length === 0) return null;
  return html`<section class="card mt">
    <header><h2>${UNKNOWN_TITLE}</h2><a class="lnk" href="/developers/venues">All venues</a></header>
    ${unknown.map((sentence) => html`<p class="say">${sentence}</p>\n`)}
  </section>`;
}

export function unknownMarkdown(unknown: readonly string[]): string {
  if (unknown.length === 0) return '';
  return `\n## ${UNKNOWN_TITLE}\n\n${unknown.map((sentence) => `- ${escapeMarkdown(sentence)}\n`).join('')}`;
}
