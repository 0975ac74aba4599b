import { contractsIn, type NamedContract } from './symbols.ts';
import { type TimeToken, timesIn } from './times.ts';
import { rolesOf, type TimeRole } from './words.ts';

/** A part of a sentence with some contracts and at most one time. */
export interface Clause {
  text: string;
  /** The text before the time; the whole text if there is no time. */
  lead: string;
  contracts: readonly NamedContract[];
  time: TimeToken | null;
  roles: readonly TimeRole[];
}

/** Where a clause may end, the most reliable boundary first. */
const BOUNDARIES = [/;|\||\(/g, /, (?:and|then|while) /g, /, /g, / (?:and|then|while|with|before) /g];

/** Splits a sentence between its times, so that each clause has one. */
export function clausesOf(sentence: string, publishedAtMs: number, zoneOffsetMs: number | null): Clause[] {
  const times = timesIn(sentence, publishedAtMs, zoneOffsetMs);
  const cuts = [0];
  for (const [i, time] of times.entries()) {
    const next = times[i + 1];
    if (next) cuts.push(cutBetween(sentence, cuts.at(-1) ?? 0, time, next));
  }
  return cuts.map((start, i) => {
    const end = cuts[i + 1] ?? sentence.length;
    const text = sentence.slice(start, end);
    const time = times[i] ?? null;
    const lead = time === null ? text : sentence.slice(start, time.start);
    const roles = rolesOf(time === null ? lead : `${lead} ${sentence.slice(time.end, end)}`);
    return { text, lead, contracts: contractsIn(text), time, roles };
  });
}

/** If a time starts its clause ("At 08:00, ..."), the words after it belong to it; otherwise to the next time. */
function cutBetween(sentence: string, from: number, time: TimeToken, next: TimeToken): number {
  const isLeading =
    !/[A-Za-z]{5,}/.test(sentence.slice(from, time.start)) &&
    contractsIn(sentence.slice(from, time.start)).length === 0;
  const gap = sentence.slice(time.end, next.start);
  for (const boundary of BOUNDARIES) {
    const places = [...gap.matchAll(boundary)].map((match) => match.index + match[0].length);
    const chosen = isLeading ? places.at(-1) : places[0];
    if (chosen !== undefined) return time.end + chosen;
  }
  return next.start;
}
