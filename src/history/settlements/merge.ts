import { decodeDays, decodePrints, encodeDays, encodePrints } from './codec.ts';
import { type DaySum, daySums } from './days.ts';
import { decodeKnown, encodeKnown } from './known-codec.ts';
import {
  BLOCK_DAYS,
  BLOCK_MINUTES,
  blockOf,
  DAY_MINUTES,
  firstIndexFrom,
  intervalsOf,
  noPrints,
  type Prints,
  REACH_MINUTES,
} from './times.ts';

export interface Print {
  minute: number;
  ratePct: number;
  /** In seconds since 1970, if it is not now; NaN: unknown. */
  knownSeconds?: number;
}

/** The byte columns of a stored block. */
export interface PackedBlock {
  days: Uint8Array;
  prints: Uint8Array;
  known?: Uint8Array | null;
}

interface Correction {
  minute: number;
  oldRatePct: number;
  newRatePct: number;
}

/** Two consecutive stored prints of a contract between which prints are missing. */
export interface Gap {
  afterMinute: number;
  beforeMinute: number;
}

export interface Merged {
  /** The blocks to write, by block number. */
  blocks: Map<number, PackedBlock>;
  added: Print[];
  /** Prints whose rate differs from the stored one. */
  corrections: Correction[];
  /** All gaps inside `checked`; a queued gap inside it that is not listed here has been filled. */
  gaps: Gap[];
  /** The range in which gaps were looked for; null when nothing changed. */
  checked: { fromMinute: number; toMinute: number } | null;
}

/** `replace`: a venue's correction overwrites the stored rate. `keep`: an imported file only adds missing prints. */
export type OnConflict = 'replace' | 'keep';

/** The blocks needed to merge prints: their own, and neighbours that the intervals at block edges depend on. */
export function blocksAround(prints: readonly Print[]): Set<number> {
  const blocks = new Set<number>();
  let last = Number.NaN;
  for (const { minute } of prints) {
    const number = blockOf(minute);
    const inside = minute - number * BLOCK_MINUTES;
    const isNearEdge = inside < 2 * REACH_MINUTES || inside >= BLOCK_MINUTES - 2 * REACH_MINUTES;
    if (number === last && !isNearEdge) continue;
    last = number;
    for (const around of [minute - 2 * REACH_MINUTES, minute, minute + 2 * REACH_MINUTES])
      blocks.add(blockOf(around));
  }
  return blocks;
}

interface OpenBlock {
  number: number;
  prints: Prints;
  /** When each print was learned. It is written once: a correction does not change it. */
  known: number[];
  stored: PackedBlock | undefined;
  isChanged: boolean;
}

/** Merges prints into the stored ones and recomputes the day sums that can have changed. */
export function mergePrints(
  held: ReadonlyMap<number, PackedBlock>,
  prints: readonly Print[],
  onConflict: OnConflict,
  /** When the prints are learned, in seconds since 1970. */
  nowSeconds: number,
): Merged {
  const merged: Merged = { blocks: new Map(), added: [], corrections: [], gaps: [], checked: null };
  const open = new Map<number, OpenBlock>();
  for (const number of blocksAround(prints)) {
    const stored = held.get(number);
    const block: OpenBlock = { number, prints: noPrints(), known: [], stored, isChanged: false };
    const startMinute = number * BLOCK_MINUTES;
    if (stored) decodePrints(stored.prints, startMinute, block.prints);
    block.known = decodeKnown(stored?.known, block.prints.minutes, startMinute);
    open.set(number, block);
  }
  let [firstMinute, lastMinute] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  // Some venues return the newest first; in ascending order each print is appended instead of inserted at the front.
  for (const print of prints.toSorted((a, b) => a.minute - b.minute)) {
    const block = open.get(blockOf(print.minute));
    if (!block || !put(block, print, onConflict, nowSeconds, merged)) continue;
    block.isChanged = true;
    firstMinute = Math.min(firstMinute, print.minute);
    lastMinute = Math.max(lastMinute, print.minute);
  }
  if (lastMinute < firstMinute) return merged;
  merged.checked = { fromMinute: firstMinute - REACH_MINUTES, toMinute: lastMinute + REACH_MINUTES };
  const blocks = [...open.values()]
    .filter((block) => block.prints.minutes.length > 0)
    .sort((a, b) => a.number - b.number);
  for (let i = 0; i < blocks.length; ) {
    const run = [];
    do run.push(blocks[i++] as OpenBlock);
    while (i < blocks.length && blocks[i]?.number === (run.at(-1)?.number ?? 0) + 1);
    finishRun(run, merged.checked, merged);
  }
  return merged;
}

/** Inserts or corrects one print; true if the prints have changed. */
function put(
  { prints, known }: OpenBlock,
  { minute, ratePct, knownSeconds }: Print,
  onConflict: OnConflict,
  nowSeconds: number,
  merged: Merged,
): boolean {
  const { minutes, ratesPct } = prints;
  const last = minutes.at(-1);
  if (last === undefined || last < minute) {
    minutes.push(minute);
    ratesPct.push(ratePct);
    known.push(knownSeconds ?? nowSeconds);
    merged.added.push({ minute, ratePct });
    return true;
  }
  const at = firstIndexFrom(minutes, minute);
  if (minutes[at] !== minute) {
    minutes.splice(at, 0, minute);
    ratesPct.splice(at, 0, ratePct);
    known.splice(at, 0, knownSeconds ?? nowSeconds);
    merged.added.push({ minute, ratePct });
    return true;
  }
  const oldRatePct = ratesPct[at] ?? 0;
  if (oldRatePct === ratePct) return false;
  merged.corrections.push({ minute, oldRatePct, newRatePct: ratePct });
  if (onConflict === 'keep') return false;
  ratesPct[at] = ratePct;
  return true;
}

/** Finishes a run of consecutive blocks together, because intervals cross their edges. */
function finishRun(
  run: readonly OpenBlock[],
  { fromMinute, toMinute }: { fromMinute: number; toMinute: number },
  merged: Merged,
): void {
  // Only the prints that intervals in the checked range depend on: adding one print must not process the whole block.
  const minutes: number[] = [];
  const ratesPct: number[] = [];
  for (const { prints } of run) {
    const first = firstIndexFrom(prints.minutes, fromMinute - REACH_MINUTES);
    const end = firstIndexFrom(prints.minutes, toMinute + REACH_MINUTES);
    for (let i = first; i < end; i++) {
      minutes.push(prints.minutes[i] ?? 0);
      ratesPct.push(prints.ratesPct[i] ?? 0);
    }
  }
  const intervals = intervalsOf(minutes);
  for (const i of intervals.holesBefore) {
    const gap = { afterMinute: minutes[i - 1] ?? 0, beforeMinute: minutes[i] ?? 0 };
    if (gap.beforeMinute >= fromMinute && gap.afterMinute <= toMinute) merged.gaps.push(gap);
  }
  const [fromDay, toDay] = [Math.floor(fromMinute / DAY_MINUTES), Math.floor(toMinute / DAY_MINUTES)];
  for (const { number, prints, known: knownSeconds, stored, isChanged } of run) {
    const startDay = number * BLOCK_DAYS;
    const [firstDay, lastDay] = [Math.max(fromDay, startDay), Math.min(toDay, startDay + BLOCK_DAYS - 1)];
    if (firstDay > lastDay) continue;
    const fresh = daySums(
      minutes,
      ratesPct,
      intervals.minutes,
      firstIndexFrom(minutes, firstDay * DAY_MINUTES),
      firstIndexFrom(minutes, (lastDay + 1) * DAY_MINUTES),
    );
    const known: DaySum[] = [];
    if (stored) decodeDays(stored.days, startDay, known);
    const days = encodeDays(
      [...known.filter(({ day }) => day < firstDay), ...fresh, ...known.filter(({ day }) => day > lastDay)],
      startDay,
    );
    if (isChanged || !stored || Buffer.compare(days, stored.days) !== 0) {
      const startMinute = number * BLOCK_MINUTES;
      merged.blocks.set(number, {
        days,
        prints: encodePrints(prints, startMinute),
        known: encodeKnown(prints.minutes, knownSeconds, startMinute),
      });
    }
  }
}
