import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Outlines of Geist in two weights, from fonts/geist-latin.woff2 (see NOTICE.txt there): for each character its advance and
 * its outline as an SVG path, 1,000 units to the em, digits of one width. Node can neither read WOFF2 nor draw text.
 */
export type Weight = 'regular' | 'bold';

export interface Glyph {
  advance: number;
  /** Closed contours of straight lines, in units of the em, y upwards: x and y in turns. */
  contours: readonly (readonly number[])[];
}

const UNITS_PER_EM = 1000;
/** Straight lines for each curve: at the size of a card no corner can be seen. */
const STEPS_PER_CURVE = 6;
const NO_BREAK_SPACE = '\u00a0';
/** For characters that the font does not have. */
const UNKNOWN = '?';

let sources: Record<Weight, Record<string, [number, string]>> | null = null;
const known = new Map<string, Glyph>();

export function glyphOf(character: string, weight: Weight): Glyph {
  const key = `${weight} ${character}`;
  const found = known.get(key);
  if (found) return found;
  sources ??= JSON.parse(readFileSync(join(import.meta.dirname, 'glyphs.json'), 'utf8'));
  const source = sources?.[weight][character === NO_BREAK_SPACE ? ' ' : character];
  if (!source) return glyphOf(UNKNOWN, weight);
  const glyph = { advance: source[0] / UNITS_PER_EM, contours: contoursOf(source[1]) };
  known.set(key, glyph);
  return glyph;
}

/** Absolute M, L, H, V, Q and Z, the commands that an outline of TrueType needs. */
function contoursOf(path: string): number[][] {
  const contours: number[][] = [];
  let points: number[] = [];
  let [x, y] = [0, 0];
  const lineTo = (toX: number, toY: number) => {
    [x, y] = [toX, toY];
    points.push(x, y);
  };
  for (const [, command = '', list = ''] of path.matchAll(/([MLHVQZ])([^MLHVQZ]*)/g)) {
    const numbers = (list.match(/-?\d+/g) ?? []).map((text) => Number(text) / UNITS_PER_EM);
    if (command === 'M') {
      points = [];
      contours.push(points);
    }
    const step = command === 'Q' ? 4 : command === 'H' || command === 'V' ? 1 : 2;
    for (let i = 0; i + step <= numbers.length; i += step) {
      const [a = 0, b = 0, c = 0, d = 0] = numbers.slice(i, i + step);
      if (command === 'H') lineTo(a, y);
      else if (command === 'V') lineTo(x, a);
      else if (command === 'Q') curve([x, y], [a, b], [c, d], lineTo);
      else lineTo(a, b);
    }
  }
  return contours;
}

type Point = readonly [number, number];

function curve(from: Point, by: Point, to: Point, lineTo: (x: number, y: number) => void): void {
  for (let step = 1; step <= STEPS_PER_CURVE; step++) {
    const t = step / STEPS_PER_CURVE;
    const at = (i: 0 | 1) => (1 - t) ** 2 * from[i] + 2 * (1 - t) * t * by[i] + t ** 2 * to[i];
    lineTo(at(0), at(1));
  }
}
