import type { ListingEntry } from './entry.ts';

const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Also drops characters that XML does not allow. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"]/g, (mark) => MARKS[mark] ?? mark);
}

export interface AtomFeed {
  /** The URL of this feed with its filters. */
  address: string;
  page: string;
  asOf: string;
}

export function atom(entries: readonly ListingEntry[], { address, page, asOf }: AtomFeed): string {
  const newest = entries
    .map((entry) => entry.detectedAt)
    .sort()
    .at(-1);
  const items = entries.map(
    (entry) => `  <entry>
    <id>urn:perpwire:listing:${escaped(encodeURIComponent(entry.id))}</id>
    <title>${escaped(entry.title)}</title>
    <published>${entry.detectedAt}</published>
    <updated>${entry.detectedAt}</updated>
    <link rel="alternate" href="${escaped(entry.link)}"/>
    <category term="${escaped(entry.kind)}"/>
    <category term="${escaped(entry.exchange)}"/>
    <summary>${escaped(entry.text)}</summary>
  </entry>\n`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escaped(address)}</id>
  <title>Perpwire: listings and delistings of perpetual futures</title>
  <updated>${newest ?? asOf}</updated>
  <author><name>Perpwire</name></author>
  <link rel="self" type="application/atom+xml" href="${escaped(address)}"/>
  <link rel="alternate" type="text/html" href="${escaped(page)}"/>
${items.join('')}</feed>
`;
}
