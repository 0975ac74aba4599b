import { crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BITS_PER_CHANNEL = 8;
/** The colour types of PNG that we write. */
const COLOUR_TYPES = { palette: 3, rgba: 6 } as const;

export interface PngParts {
  width: number;
  height: number;
  kind: keyof typeof COLOUR_TYPES;
  /** Red, green and blue of each colour; for `palette`. */
  palette?: Buffer;
  /** The compressed lines. Each line begins with its filter type; 0 is none. */
  data: Buffer;
}

export function pngFile({ width, height, kind, palette, data }: PngParts): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([BITS_PER_CHANNEL, COLOUR_TYPES[kind]], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    ...(palette ? [chunk('PLTE', palette)] : []),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
