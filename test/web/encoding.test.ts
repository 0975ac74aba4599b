import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { assetPath } from '../../src/doors/web/markup/assets.ts';
import { rawRequest } from '../support/raw-http.ts';
import { type Running, runService } from '../support/service.ts';

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: (bytes) => brotliDecompressSync(bytes),
  gzip: (bytes) => gunzipSync(bytes),
  zstd: (bytes) => zstdDecompressSync(bytes),
  none: (bytes) => bytes,
};

/** Everything that one block of code sends: assets, text pages, their twins, REST documents, the bundle, feeds. */
const PATHS = [
  assetPath('style.css'),
  assetPath('line-chart.js'),
  '/plans',
  '/developers.md',
  '/api/v1/openapi.json',
  '/developers/reference',
  '/',
];

suite('content encoding, ETag and 304', () => {
  let running: Running;
  before(async () => {
    running = await runService({ venues: ['binance'], coins: 3 });
  });
  after(() => running.stop());

  const get = (path: string, headers: Record<string, string>) =>
    rawRequest(`${running.service.baseUrl}${path}`, { headers });

  for (const path of PATHS) {
    for (const [accepted, encoding] of [
      ['br;q=0, gzip', 'gzip'],
      ['gzip;q=0.5, br', 'br'],
      // Files are compressed once, so their encoding is the smallest; that of answers takes least time.
      ['gzip, deflate, br, zstd', path.startsWith('/assets/') ? 'br' : 'zstd'],
      ['*;q=0', 'none'],
      ['identity', 'none'],
      ['', 'none'],
    ] as const) {
      test(`${path} with Accept-Encoding "${accepted}" is sent with encoding ${encoding}`, async () => {
        const plain = await get(path, {});
        const reply = await get(path, { 'accept-encoding': accepted });
        assert.equal(reply.status, 200);
        assert.equal(reply.headers.get('content-encoding') ?? 'none', encoding);
        assert.match(reply.headers.get('vary') ?? '', /Accept-Encoding/);
        assert.equal(reply.headers.get('content-length'), String(reply.bytes.length));
        assert.ok(DECODERS[encoding]?.(reply.bytes).equals(plain.bytes), 'the same bytes');
      });
    }

    test(`${path} answers HEAD with the headers of GET and no body`, async () => {
      const headers = { 'accept-encoding': 'gzip' };
      const whole = await get(path, headers);
      const head = await rawRequest(`${running.service.baseUrl}${path}`, { method: 'HEAD', headers });
      assert.equal(head.status, 200);
      assert.equal(head.bytes.length, 0);
      for (const name of ['content-type', 'content-length', 'content-encoding', 'etag', 'cache-control'])
        assert.equal(head.headers.get(name), whole.headers.get(name), name);
    });

    test(`${path} answers 304 without a body to its own ETag, whatever encoding it was sent in`, async () => {
      const first = await get(path, { 'accept-encoding': 'gzip' });
      const tag = first.headers.get('etag') ?? '';
      assert.match(tag, /^"[\w-]+-gzip"$/);
      for (const accepted of ['gzip', 'br', 'identity']) {
        const again = await get(path, { 'accept-encoding': accepted, 'if-none-match': tag });
        assert.equal(again.status, 304);
        assert.equal(again.bytes.length, 0);
        assert.equal(again.headers.get('cache-control'), first.headers.get('cache-control'));
      }
      assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200);
    });
  }
});
