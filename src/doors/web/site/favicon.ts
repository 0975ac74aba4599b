import { deflateSync } from 'node:zlib';
import { pngFile } from './png.ts';

const SIDE = 32;
/** The colour of /icon.svg: hsl(216 55% 38%). */
const BLUE = [44, 87, 150] as const;
const WHITE = [255, 255, 255] as const;

/**
 * The icon for browsers and link previews that request /favicon.ico and do not support SVG: a disc with a P. It is drawn
 * in code, because a binary file could not be reviewed.
 */
export function favicon(): Buffer {
  const png = pngOf(SIDE, (x, y) => {
    const opacity = covered(SIDE / 2 - Math.hypot(x - SIDE / 2, y - SIDE / 2));
    const ink = covered(inkDepth(x, y));
    const channels = BLUE.map((blue, i) => Math.round(blue + ((WHITE[i] ?? 0) - blue) * ink));
    return [...channels, Math.round(255 * opacity)];
  });
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(SIDE, 6);
  head.writeUInt8(SIDE, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

/** The distance of a point from the edge of the letter P in pixels, positive inside. A stem and half a ring. */
function inkDepth(x: number, y: number): number {
  const stem = Math.min(x - 11, 14 - x, y - 8, 24 - y);
  const ring = 1.5 - Math.abs(Math.hypot(Math.max(0, x - 16.5), y - 12.5) - 3);
  return Math.max(stem, x < 12 ? stem : ring);
}

/** The share of a pixel that is inside (anti-aliasing). */
function covered(depth: number): number {
  return Math.min(1, Math.max(0, depth + 0.5));
}

function pngOf(side: number, pixelAt: (x: number, y: number) => readonly number[]): Buffer {
  const lines: number[] = [];
  for (let y = 0; y < side; y++) {
    // Each line starts with its filter type; 0 is none.
    lines.push(0);
    for (let x = 0; x < side; x++) lines.push(...pixelAt(x + 0.5, y + 0.5));
  }
  return pngFile({ width: side, height: side, kind: 'rgba', data: deflateSync(Buffer.from(lines)) });
}
