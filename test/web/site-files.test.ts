import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { OAUTH_PATHS } from '../../src/oauth/protocol.ts';
import { type Running, runService } from '../support/service.ts';
import { MARKET_PATHS } from './market-paths.ts';

/** Whether a robot that follows RFC 9309 may read the path: the longest matching rule decides. */
function mayRead(robots: string, path: string): boolean {
  const rules = [...robots.matchAll(/^(Allow|Disallow): (\S+)$/gm)]
    .map(([, kind, pattern = '']) => ({ isAllowed: kind === 'Allow', pattern }))
    .filter(({ pattern }) => {
      const parts = pattern.split('*').map((part) => part.replaceAll(/[.?+^$[\](){}|\\]/g, '\\$&'));
      return new RegExp(`^${parts.join('.*')}`).test(path);
    })
    .toSorted((a, b) => b.pattern.length - a.pattern.length);
  return rules[0]?.isAllowed ?? true;
}

suite('files that browsers and robots request without a link', () => {
  let running: Running;
  before(async () => {
    running = await runService({ venues: ['binance'], coins: 3 });
  });
  after(() => running.stop());

  const at = async (path: string, method = 'GET') => {
    const reply = await fetch(`${running.service.baseUrl}${path}`, { method });
    assert.equal(reply.status, 200, path);
    assert.match(reply.headers.get('cache-control') ?? '', /^public, max-age=\d+$/);
    return { type: reply.headers.get('content-type'), bytes: Buffer.from(await reply.arrayBuffer()) };
  };

  test('/favicon.ico is an icon with one picture of 32 × 32 pixels, neither empty nor of one colour', async () => {
    const { type, bytes } = await at('/favicon.ico');
    assert.equal(type, 'image/x-icon');
    assert.deepEqual([...bytes.subarray(0, 8)], [0, 0, 1, 0, 1, 0, 32, 32]);
    const [length, offset] = [bytes.readUInt32LE(14), bytes.readUInt32LE(18)];
    assert.equal(offset + length, bytes.length);
    const png = bytes.subarray(offset);
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [32, 32]);
    const dataAt = png.indexOf('IDAT');
    const lines = inflateSync(png.subarray(dataAt + 4, dataAt + 4 + png.readUInt32BE(dataAt - 4)));
    assert.equal(lines.length, 32 * (1 + 32 * 4));
    const pixelAt = (x: number, y: number) => [...lines.subarray(y * 129 + 1 + x * 4).subarray(0, 4)];
    assert.equal(pixelAt(0, 0)[3], 0, 'the corner is clear');
    assert.deepEqual(pixelAt(12, 16), [255, 255, 255, 255], 'the stem of the letter');
    assert.deepEqual(pixelAt(5, 16), [44, 87, 150, 255], 'the disc');
  });

  test('the icon that pages link to exists, and HEAD has no body', async () => {
    assert.equal((await at('/icon.svg')).type, 'image/svg+xml');
    assert.equal((await at('/favicon.ico', 'HEAD')).bytes.length, 0);
  });

  test('/robots.txt allows pages and disallows account pages and endpoints', async () => {
    const { type, bytes } = await at('/robots.txt');
    assert.equal(type, 'text/plain; charset=utf-8');
    const robots = bytes.toString();
    assert.match(robots, /^User-agent: \*$/m);
    assert.ok(robots.includes(`\nSitemap: ${running.service.baseUrl}/sitemap.xml\n`));
    const pages = [...MARKET_PATHS, '/developers/rules', '/plans', '/llms.txt', '/funding?coin=BTC'];
    for (const path of pages) assert.ok(mayRead(robots, path), path);
    const others = ['/account/keys', '/sign-in', '/sign-up', '/forgot-password', '/api/v1/funding', '/mcp'];
    for (const path of [...others, ...Object.values(OAUTH_PATHS), '/funding?coin=BTC&cursor=abc'])
      assert.ok(!mayRead(robots, path), path);
  });
});
