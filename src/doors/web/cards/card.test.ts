import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { CARD_HEIGHT, CARD_WIDTH, type Card, drawCard } from './card.ts';

const CARD: Card = {
  title: 'BTC funding on 5 venues',
  note: 'Per 8 h.',
  asOf: '2026-11-16 05:30 UTC',
  rows: [
    { name: 'Binance', note: 'settles every 8 h', figure: '+0.0100 %', sign: 1 },
    { name: 'OKX', note: 'settles every 8 h', figure: '−0.0100 %', sign: -1 },
  ],
};

interface Picture {
  width: number;
  height: number;
  colourAt(x: number, y: number): string;
  /** How many pixels of the rectangle are exactly of the colour. */
  count(colour: string, left: number, top: number, right: number, bottom: number): number;
}

/** Reads what `pngFile` writes: a palette and unfiltered lines. */
function read(png: Buffer): Picture {
  const chunkOf = (type: string) => {
    const at = png.indexOf(type);
    return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
  };
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const [palette, lines] = [chunkOf('PLTE'), inflateSync(chunkOf('IDAT'))];
  assert.equal(lines.length, (width + 1) * height);
  const colourAt = (x: number, y: number) => {
    const index = lines[y * (width + 1) + 1 + x] ?? 0;
    return palette.subarray(index * 3, index * 3 + 3).toString('hex');
  };
  const count = (colour: string, left: number, top: number, right: number, bottom: number) => {
    let found = 0;
    for (let y = top; y < bottom; y++)
      for (let x = left; x < right; x++) if (colourAt(x, y) === colour) found++;
    return found;
  };
  return { width, height, colourAt, count };
}

const [PAPER, INK, POSITIVE, NEGATIVE] = ['0f1217', 'eef1f5', '38d0b0', 'ff8690'];
const FIGURES = [860, 280, 1128, 404] as const;

suite('the picture of a link', () => {
  test('it has the size that social networks ask for, paper around, and ink', async () => {
    const picture = read(await drawCard(CARD));
    assert.deepEqual([picture.width, picture.height], [CARD_WIDTH, CARD_HEIGHT]);
    assert.equal(picture.colourAt(5, 5), PAPER);
    assert.equal(picture.colourAt(1195, 625), PAPER);
    // The first letter of the title is a B, with its stem at the left.
    assert.equal(picture.colourAt(80, 172), INK);
    assert.equal(picture.count(INK, 0, 120, 60, 630), 0, 'nothing in the margin');
  });

  test('a positive figure is teal, a negative one red, each in its own row', async () => {
    const picture = read(await drawCard(CARD));
    const [left, , right] = FIGURES;
    assert.ok(picture.count(POSITIVE, left, 290, right, 330) > 200);
    assert.equal(picture.count(NEGATIVE, left, 290, right, 330), 0);
    assert.ok(picture.count(NEGATIVE, left, 350, right, 392) > 200);
    assert.equal(picture.count(POSITIVE, left, 350, right, 392), 0);
  });

  test('other figures give another picture, the same figures the same one', async () => {
    const other = { ...CARD, rows: CARD.rows.map((row) => ({ ...row, figure: '+0.0200 %' })) };
    assert.deepEqual(await drawCard(CARD), await drawCard(CARD));
    assert.notDeepEqual(await drawCard(CARD), await drawCard(other));
  });

  test('a text that is too long ends before the margin', async () => {
    const picture = read(await drawCard({ ...CARD, title: 'W'.repeat(300), rows: [] }));
    assert.ok(picture.count(INK, 1000, 140, 1128, 200) > 100);
    assert.equal(picture.count(INK, 1130, 140, 1200, 200), 0);
  });

  test('characters that the font does not have are drawn as question marks', async () => {
    const drawn = (title: string) => drawCard({ ...CARD, title });
    assert.deepEqual(await drawn('龙 coin'), await drawn('? coin'));
    assert.notDeepEqual(await drawn('A coin'), await drawn('? coin'));
  });

  test('a no-break space is a space', async () => {
    const drawn = (note: string) => drawCard({ ...CARD, note });
    assert.deepEqual(await drawn('$2.4\u00a0B'), await drawn('$2.4 B'));
  });

  test('at most five rows', async () => {
    const row = { name: 'Binance', note: '', figure: '+1.0 %', sign: 1 as const };
    const rows = (count: number) => drawCard({ ...CARD, rows: Array.from({ length: count }, () => row) });
    assert.deepEqual(await rows(9), await rows(5));
    assert.notDeepEqual(await rows(4), await rows(5));
  });
});
