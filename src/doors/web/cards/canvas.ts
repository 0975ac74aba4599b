import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { pngFile } from '../site/png.ts';
import { Coverage } from './coverage.ts';
import { glyphOf, type Weight } from './glyphs.ts';

/** The colours of the dark theme. */
const PAPER = 0x0f1217;
const INKS = {
  ink: 0xeef1f5,
  quiet: 0x8b95a5,
  line: 0x323a46,
  accent: 0x8aa4ff,
  pos: 0x38d0b0,
  neg: 0xff8690,
} as const;
export type Ink = keyof typeof INKS;
const INK_NAMES = Object.keys(INKS) as readonly Ink[];
/** Steps from the paper to each ink, for smooth edges. */
const STEPS = 24;
const CIRCLE_EDGES = 48;

/** `size` is the height of the em in pixels. */
export interface TextStyle {
  size: number;
  weight: Weight;
  ink: Ink;
}

export function textWidth(text: string, { size, weight }: Pick<TextStyle, 'size' | 'weight'>): number {
  return [...text].reduce((sum, character) => sum + glyphOf(character, weight).advance * size, 0);
}

/** A picture with a palette: one paper, a few inks. A byte for each pixel, so that it is small and quick to compress. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  /** One line after the other; each starts with a zero, the filter type of PNG. */
  readonly #lines: Uint8Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#lines = new Uint8Array((width + 1) * height);
  }

  #paint(x: number, y: number, ink: Ink, share: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    const step = Math.round(share * STEPS);
    if (step > 0) this.#lines[y * (this.width + 1) + x + 1] = 1 + INK_NAMES.indexOf(ink) * STEPS + step - 1;
  }

  rectangle(left: number, top: number, width: number, height: number, ink: Ink): void {
    for (let y = top; y < top + height; y++)
      for (let x = left; x < left + width; x++) this.#paint(x, y, ink, 1);
  }

  disc(centreX: number, centreY: number, radius: number, ink: Ink): void {
    const side = Math.ceil(radius * 2) + 2;
    const coverage = new Coverage(side, side);
    const points: number[] = [];
    for (let i = 0; i < CIRCLE_EDGES; i++) {
      const angle = (2 * Math.PI * i) / CIRCLE_EDGES;
      points.push(side / 2 + radius * Math.cos(angle), side / 2 + radius * Math.sin(angle));
    }
    coverage.add(points);
    const [left, top] = [Math.round(centreX - side / 2), Math.round(centreY - side / 2)];
    coverage.paint((x, y, share) => this.#paint(left + x, top + y, ink, share));
  }

  /** `x` is the left end, `y` the line on which the letters stand. */
  text(words: string, x: number, y: number, { size, weight, ink }: TextStyle): void {
    let at = x;
    for (const character of words) {
      const { advance, contours } = glyphOf(character, weight);
      const left = Math.floor(at) - 2;
      const coverage = new Coverage(Math.ceil(advance * size) + 8, Math.ceil(size * 1.5));
      const base = Math.ceil(size * 1.1);
      for (const contour of contours)
        coverage.add(
          contour.map((value, i) => (i % 2 === 0 ? at - left + value * size : base - value * size)),
        );
      coverage.paint((dx, dy, share) => this.#paint(left + dx, y - base + dy, ink, share));
      at += advance * size;
    }
  }

  /** `x` is the right end. */
  textBefore(words: string, x: number, y: number, style: TextStyle): void {
    this.text(words, x - textWidth(words, style), y, style);
  }

  async png(): Promise<Buffer> {
    const data = await promisify(deflate)(this.#lines);
    return pngFile({ width: this.width, height: this.height, kind: 'palette', palette: palette(), data });
  }
}

function palette(): Buffer {
  const colours = [PAPER];
  for (const name of INK_NAMES)
    for (let step = 1; step <= STEPS; step++) colours.push(mixed(PAPER, INKS[name], step / STEPS));
  return Buffer.from(colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
}

function mixed(from: number, to: number, share: number): number {
  const channel = (shift: number) => {
    const [a, b] = [(from >> shift) & 255, (to >> shift) & 255];
    return Math.round(a + (b - a) * share) << shift;
  };
  return channel(16) | channel(8) | channel(0);
}
