import { isoTime } from '../../../../base/times.ts';
import { findingOf } from '../../../../engines/audit/notices.ts';
import type { VenueAccuracy } from '../../../../engines/audit/report.ts';
import { escapeMarkdown } from '../../../documents/markdown.ts';
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
