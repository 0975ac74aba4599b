import type { ListingEntry } from './entry.ts';

const LINE_OCTETS = 75;

/** Escapes backslash, comma, semicolon and line breaks in a text value (RFC 5545, 3.3.11). */
function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, (mark) => `\\${mark}`).replaceAll(/\r?\n/g, '\\n');
}

/** Folds lines of more than 75 octets, never inside a character (RFC 5545, 3.1). */
function folded(line: string): string {
  const parts: string[] = [];
  let part = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LINE_OCTETS) {
      parts.push(part);
      part = ' ';
      octets = 1;
    }
    part += character;
    octets += size;
  }
  return [...parts, part].join('\r\n');
}

/** `20261101T080000Z`. */
function calendarTime(isoTime: string): string {
  return `${isoTime.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** Writes the rows as calendar events. Rows without a time are left out. */
export function icalendar(entries: readonly ListingEntry[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Perpwire//Listings//EN',
    'NAME:Perpwire listings',
    'X-WR-CALNAME:Perpwire listings',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
  ];
  for (const entry of entries) {
    if (entry.effectiveAt === null) continue;
    lines.push(
      'BEGIN:VEVENT',
      `UID:${entry.id}`,
      `DTSTAMP:${calendarTime(entry.detectedAt)}`,
      `DTSTART:${calendarTime(entry.effectiveAt)}`,
      `SUMMARY:${escaped(entry.title)}`,
      `DESCRIPTION:${escaped(entry.text)}`,
      `URL:${entry.link}`,
      `CATEGORIES:${escaped(entry.exchange)},${escaped(entry.kind)}`,
      `STATUS:${entry.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    );
  }
  lines.push('END:VCALENDAR');
  return `${lines.map(folded).join('\r\n')}\r\n`;
}
