import { ownValue } from '../../../base/own-value.ts';
import { DAY_MS, HOUR_MS, isPlausibleMs, MINUTE_MS } from '../../../base/times.ts';

/** A time in a text. `atMs` is null when the text gives no exact time: no hour, no zone, or a span. */
export interface TimeToken {
  start: number;
  end: number;
  atMs: number | null;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)';
const DATE = `(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|${MONTH} \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?|\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? \\d{4})?)`;
const CLOCK =
  '(?:\\d{1,2}:\\d{2}(?::\\d{2})?(?:\\.\\d{1,3})?\\s?(?:[AaPp][Mm]\\b)?|\\d{1,2}\\s?[AaPp][Mm]\\b)';
const ZONE =
  '\\(?\\s?(?:(?:UTC|GMT)(?:\\s?[+-]\\s?\\d{1,2}(?::?\\d{2})?)?|Z\\b|(?:SGT|HKT|KST|JST|EST|EDT|PST|PDT|CST|CET|CEST|IST|BST|MSK|AEST|ET|PT)\\b)\\s?(?:time)?\\)?';
const DATE_FIRST = `(?<date1>${DATE})(?:,|T|\\s|at|@|\\(|from|\\|)*(?<clock1>${CLOCK})\\s?(?<zone1>${ZONE})?`;
const CLOCK_FIRST = `(?<clock2>${CLOCK})\\s?(?<zone2>${ZONE})?(?:,|\\s|on|of|the)*(?<date2>${DATE})(?:,?\\s?(?<zone3>${ZONE}))?`;
const DAY_ONLY = `(?<day>${DATE})`;
const HOUR_ONLY = `(?<hour>${CLOCK}\\s?${ZONE})`;
const TOKEN = new RegExp(`(?<![\\w:])(?:${DATE_FIRST}|${CLOCK_FIRST}|${DAY_ONLY}|${HOUR_ONLY})`, 'g');
const SPAN_AFTER = /^\s*(?:-|~|to|and|until)\s*\d{1,2}:\d{2}/;

const ZONE_HOURS: Readonly<Record<string, number>> = { UTC: 0, GMT: 0, Z: 0, SGT: 8, HKT: 8, KST: 9, JST: 9 };

/** All times of a text, in order. `zoneOffsetMs` applies to times without a zone; null when the notice names none. */
export function timesIn(text: string, publishedAtMs: number, zoneOffsetMs: number | null): TimeToken[] {
  let isSpanOpen = false;
  return [...text.matchAll(TOKEN)].map((match) => {
    const start = match.index;
    const end = start + match[0].length;
    const groups = match.groups ?? {};
    const date = groups.date1 ?? groups.date2;
    const clock = groups.clock1 ?? groups.clock2;
    const zone = groups.zone1 ?? groups.zone2 ?? groups.zone3;
    const isInSpan = isSpanOpen || SPAN_AFTER.test(text.slice(end));
    isSpanOpen = /\bbetween\s*$/i.test(text.slice(0, start));
    if (date === undefined || clock === undefined || isInSpan || isSpanOpen)
      return { start, end, atMs: null };
    const offsetMs = zone === undefined ? zoneOffsetMs : offsetOf(zone);
    const dayMs = dayOf(date, publishedAtMs);
    const clockMs = clockOf(clock);
    if (offsetMs === null || dayMs === null || clockMs === null) return { start, end, atMs: null };
    const atMs = dayMs + clockMs - offsetMs;
    return { start, end, atMs: isPlausibleMs(atMs) ? atMs : null };
  });
}

/** The zone for times that name none: the only one that the notice uses; null when it uses none or several. */
export function onlyZoneOffset(text: string): number | null {
  const offsets = new Set(
    [...text.matchAll(/\b(?:UTC|GMT)(?:\s?[+-]\s?\d{1,2}(?::?\d{2})?)?/g)].map((match) => offsetOf(match[0])),
  );
  const [only] = offsets;
  return offsets.size === 1 && only !== undefined ? only : null;
}

function offsetOf(zone: string): number | null {
  const bare = zone.replace(/[()\s]|time/g, '');
  const [, name = '', sign, hours, minutes] = /^([A-Z]+)(?:([+-])(\d{1,2}):?(\d{2})?)?$/.exec(bare) ?? [];
  const base = ownValue(ZONE_HOURS, name);
  // Ambiguous: an abbreviation of several zones, or one that depends on daylight saving time.
  if (base === undefined) return null;
  const shiftMs = Number(hours ?? 0) * HOUR_MS + Number(minutes ?? 0) * MINUTE_MS;
  if (shiftMs > 14 * HOUR_MS) return null;
  return base * HOUR_MS + (sign === '-' ? -shiftMs : shiftMs);
}

function clockOf(clock: string): number | null {
  const [, hourText = '', minuteText = '0', secondText = '0', half] =
    /^(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?(?:\.\d+)?\s?([AaPp][Mm])?$/.exec(clock.trim()) ?? [];
  let hour = Number(hourText);
  const [minute, second] = [Number(minuteText), Number(secondText)];
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  }
  if (hourText === '' || hour > 23 || minute > 59 || second > 59) return null;
  return hour * HOUR_MS + minute * MINUTE_MS + second * 1000;
}

function dayOf(date: string, publishedAtMs: number): number | null {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(date);
  if (iso) return utcDay(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]));
  const month = MONTHS.indexOf(
    (/[A-Za-z]{3,}/.exec(date.replace(/\bof\b/, ''))?.[0] ?? '').slice(0, 3).toLowerCase(),
  );
  const day = Number(/\b(\d{1,2})(?:st|nd|rd|th)?\b/.exec(date)?.[1]);
  const year = /\b(\d{4})\b/.exec(date)?.[1];
  if (year !== undefined) return utcDay(Number(year), month, day);
  // Without a year: the day nearest to the publication, from 60 days before to 240 days after it.
  const published = new Date(publishedAtMs).getUTCFullYear();
  const near = [published - 1, published, published + 1]
    .map((candidate) => utcDay(candidate, month, day))
    .filter(
      (dayMs) =>
        dayMs !== null && dayMs > publishedAtMs - 60 * DAY_MS && dayMs < publishedAtMs + 240 * DAY_MS,
    );
  return near[0] ?? null;
}

function utcDay(year: number, month: number, day: number): number | null {
  const dayMs = Date.UTC(year, month, day);
  const made = new Date(dayMs);
  return month >= 0 && made.getUTCMonth() === month && made.getUTCDate() === day ? dayMs : null;
}
