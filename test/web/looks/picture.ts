import { constants, deflateSync, inflateSync } from 'node:zlib';
import { pngFile } from './png.ts';

/** Pixels as red, green and blue, one line after the other. */
export interface Picture {
  width: number;
  height: number;
  rgb: Uint8Array;
}

const MOST_COLOURS = 256;

/** Reads a PNG of 8 bits a channel without interlacing: with a palette, or with three or four channels. */
export function readPng(png: Buffer): Picture {
  const chunks = chunksOf(png);
  const head = chunks.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(13);
  const [width, height, colourType] = [head.readUInt32BE(0), head.readUInt32BE(4), head.readUInt8(9)];
  const channels = colourType === 6 ? 4 : colourType === 2 ? 3 : 1;
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((one) => one.data));
  const pixels = unfiltered(inflateSync(data), width * channels, height, channels);
  const palette = chunks.find(({ type }) => type === 'PLTE')?.data;
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++)
    for (let c = 0; c < 3; c++)
      rgb[i * 3 + c] = (palette ? palette[(pixels[i] ?? 0) * 3 + c] : pixels[i * channels + c]) ?? 0;
  return { width, height, rgb };
}

function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  const chunks = [];
  for (let at = 8; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += length + 12;
  }
  return chunks;
}

/** Undoes the filters of PNG: each byte is stored as the difference from its neighbours. */
function unfiltered(lines: Buffer, lineBytes: number, height: number, step: number): Uint8Array {
  const out = new Uint8Array(lineBytes * height);
  for (let y = 0; y < height; y++) {
    const filter = lines[y * (lineBytes + 1)] ?? 0;
    for (let x = 0; x < lineBytes; x++) {
      const left = x >= step ? (out[y * lineBytes + x - step] ?? 0) : 0;
      const up = y > 0 ? (out[(y - 1) * lineBytes + x] ?? 0) : 0;
      const corner = x >= step && y > 0 ? (out[(y - 1) * lineBytes + x - step] ?? 0) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      out[y * lineBytes + x] = (lines[y * (lineBytes + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const near = left + up - corner;
  const [byLeft, byUp, byCorner] = [Math.abs(near - left), Math.abs(near - up), Math.abs(near - corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

/** Half as wide and as high: each pixel is the average of four. */
export function halved({ width, height, rgb }: Picture): Picture {
  const [halfWidth, halfHeight] = [width >> 1, height >> 1];
  const half = new Uint8Array(halfWidth * halfHeight * 3);
  for (let y = 0; y < halfHeight; y++)
    for (let x = 0; x < halfWidth; x++)
      for (let c = 0; c < 3; c++) {
        const at = (dx: number, dy: number) => rgb[((y * 2 + dy) * width + x * 2 + dx) * 3 + c] ?? 0;
        half[(y * halfWidth + x) * 3 + c] = (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1) + 2) >> 2;
      }
  return { width: halfWidth, height: halfHeight, rgb: half };
}

/** A small PNG: at most 256 colours, the most frequent ones, each of 4 bits a channel. */
export function smallPng({ width, height, rgb }: Picture): Buffer {
  const keyAt = (i: number) =>
    ((rgb[i * 3] ?? 0) >> 4) * 256 + ((rgb[i * 3 + 1] ?? 0) >> 4) * 16 + ((rgb[i * 3 + 2] ?? 0) >> 4);
  const counts = new Map<number, { count: number; sum: [number, number, number] }>();
  for (let i = 0; i < width * height; i++) {
    const known = counts.get(keyAt(i)) ?? { count: 0, sum: [0, 0, 0] };
    known.count++;
    for (const c of [0, 1, 2] as const) known.sum[c] += rgb[i * 3 + c] ?? 0;
    counts.set(keyAt(i), known);
  }
  const kept = [...counts].sort(([, a], [, b]) => b.count - a.count).slice(0, MOST_COLOURS);
  const colours = kept.map(([, { count, sum }]) => sum.map((one) => Math.round(one / count)));
  const places = new Map(kept.map(([key], place) => [key, place]));
  const nearest = (i: number) => {
    let [best, least] = [0, Number.POSITIVE_INFINITY];
    for (const [place, colour] of colours.entries()) {
      const distance = colour.reduce((sum, one, c) => sum + Math.abs(one - (rgb[i * 3 + c] ?? 0)), 0);
      if (distance < least) [best, least] = [place, distance];
    }
    return best;
  };
  const lines = new Uint8Array((width + 1) * height);
  for (let i = 0; i < width * height; i++) {
    let place = places.get(keyAt(i));
    if (place === undefined) {
      place = nearest(i);
      places.set(keyAt(i), place);
    }
    lines[Math.floor(i / width) * (width + 1) + 1 + (i % width)] = place;
  }
  const data = deflateSync(lines, { level: constants.Z_BEST_COMPRESSION, memLevel: 9 });
  return pngFile({ width, height, kind: 'palette', palette: Buffer.from(colours.flat()), data });
}

/** A pixel differs if a channel does by more than this: colours are rounded, and edges of letters may vary a little. */
const CHANNEL_TOLERANCE = 56;

export interface Difference {
  /** Share of the pixels that differ; 1 if the sizes do. */
  share: number;
  /** The approved picture, pale, with what differs in red. */
  picture: Picture;
}

export function differenceOf(approved: Picture, now: Picture): Difference {
  const { width, height } = approved;
  if (width !== now.width || height !== now.height) return { share: 1, picture: now };
  const rgb = new Uint8Array(width * height * 3);
  let count = 0;
  for (let i = 0; i < width * height; i++) {
    const channels = [0, 1, 2].map((c) => [approved.rgb[i * 3 + c] ?? 0, now.rgb[i * 3 + c] ?? 0] as const);
    const isDifferent = channels.some(([a, b]) => Math.abs(a - b) > CHANNEL_TOLERANCE);
    if (isDifferent) count++;
    rgb.set(isDifferent ? [220, 0, 0] : channels.map(([a]) => 170 + (a >> 2)), i * 3);
  }
  return { share: count / (width * height), picture: { width, height, rgb } };
}
