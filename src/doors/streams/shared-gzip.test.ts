import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { GZIP_HEADER, type GzipPart, GzipTrailer, gzipPart } from './shared-gzip.ts';

const TEXTS = [
  '',
  'a',
  'event: heartbeat\n\n',
  'x'.repeat(100_000),
  '€ûü'.repeat(999),
  '{"rows":[1,2,3]}'.repeat(5_000),
];
const PARTS = TEXTS.map((text) => gzipPart(Buffer.from(text)));

const fileOf = (parts: readonly GzipPart[]): Buffer => {
  const trailer = new GzipTrailer();
  for (const part of parts) trailer.add(part);
  return Buffer.concat([GZIP_HEADER, ...parts.map(({ bytes }) => bytes), trailer.bytes()]);
};

suite('gzip of shared parts', () => {
  test('the same parts in any order are a valid file with a correct checksum', () => {
    for (let first = 0; first < PARTS.length; first++) {
      const order = PARTS.map((_, i) => (i * 5 + first) % PARTS.length);
      const file = fileOf([...order, first, first].map((i) => PARTS[i] as GzipPart));
      const expected = [...order, first, first].map((i) => TEXTS[i]).join('');
      assert.equal(gunzipSync(file).toString(), expected);
    }
  });

  test('no parts are an empty file', () => assert.equal(gunzipSync(fileOf([])).length, 0));

  test('a wrong checksum is refused, so the one above was checked', () => {
    const file = fileOf(PARTS);
    file[file.length - 6] = (file[file.length - 6] ?? 0) ^ 1;
    assert.throws(() => gunzipSync(file), /incorrect data check/);
  });

  test('a part is compressed', () => assert.ok((PARTS[5]?.bytes.length ?? 0) < 1_000));
});
