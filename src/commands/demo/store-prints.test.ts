import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { suite, test } from 'node:test';
import { Universe } from '../../../sim/contracts.ts';
import { readPrintsQuestion, sendPrints } from '../../../sim/prints.ts';
import { SIM_VENUES } from '../../../sim/venues/registry.ts';
import { viewAt } from '../../../sim/view.ts';
import { DAY_MS, MINUTE_MS } from '../../base/times.ts';
import { pastPrints } from './store-prints.ts';

const NOW_MS = Date.UTC(2026, 10, 1, 12, 30);
const universe = new Universe(1, 6);
const viewOf = (slug: string) => {
  const venue = SIM_VENUES.find(({ profile }) => profile.slug === slug);
  assert.ok(venue);
  return viewAt(universe, venue.profile, NOW_MS);
};

async function sent(slugs: readonly string[], days: number): Promise<Buffer> {
  const venues = SIM_VENUES.filter(({ profile }) => slugs.includes(profile.slug));
  const parts: Buffer[] = [];
  const response = {
    writeHead: () => undefined,
    write: (bytes: Buffer) => parts.push(bytes) > 0,
    end: () => undefined,
  } as unknown as ServerResponse;
  await sendPrints(response, { fromMs: NOW_MS - days * DAY_MS, toMs: NOW_MS }, venues, viewOf);
  return Buffer.concat(parts);
}

suite('prints that the simulator sends in bulk', () => {
  test('every contract has its settlements, in percent', async () => {
    const contracts = [...pastPrints(await sent(['binance', 'hyperliquid'], 2))];
    const { contracts: listed } = viewOf('binance');
    assert.equal(contracts.filter(({ slug }) => slug === 'binance').length, listed.length);
    for (const { slug, venueSymbol, prints } of contracts) {
      const view = viewOf(slug);
      const contract = view.find(venueSymbol);
      assert.ok(contract);
      assert.deepEqual(
        prints,
        view
          .settlements(contract, NOW_MS - 2 * DAY_MS, NOW_MS)
          .map(({ settledAtMs, rateE8 }) => ({ minute: settledAtMs / MINUTE_MS, ratePct: rateE8 / 1e6 })),
      );
    }
    assert.ok(
      contracts.some(({ prints }) => prints.length === 48),
      'hourly ones have 48',
    );
  });

  test('a venue that rounds its prints, or prints less often than it settles, sends what it publishes', async () => {
    for (const slug of ['lighter', 'paradex']) {
      const venue = SIM_VENUES.find(({ profile }) => profile.slug === slug);
      const [first] = pastPrints(await sent([slug], 2));
      const contract = viewOf(slug).find(first?.venueSymbol ?? '');
      assert.ok(contract && first && first.prints.length > 0);
      const published = venue?.settledPrints?.(contract, viewOf(slug), NOW_MS - 2 * DAY_MS, NOW_MS) ?? [];
      assert.deepEqual(
        first.prints.map(({ ratePct }) => ratePct),
        published.map(({ ratePct }) => ratePct),
      );
    }
  });

  test('a reply that is cut off is refused', async () => {
    const whole = await sent(['binance'], 1);
    assert.throws(() => [...pastPrints(whole.subarray(0, whole.length - 1))], RangeError);
  });

  for (const [name, list] of [
    ['an object', '{}'],
    ['a text', '"x"'],
    ['no number of prints', '["binance","BTCUSDT"]'],
  ] as const) {
    test(`a contract named by ${name} is refused`, () => {
      const bytes = Buffer.concat([Buffer.from([list.length, 0, 0, 0]), Buffer.from(list)]);
      assert.throws(() => [...pastPrints(bytes)], /head of the prints/);
    });
  }

  for (const query of ['', 'from_ms=1', 'from_ms=a&to_ms=2', 'from_ms=-1&to_ms=2', 'from_ms=1.5&to_ms=2']) {
    test(`the simulator refuses the times "${query}"`, () => {
      assert.throws(() => readPrintsQuestion(new URLSearchParams(query)), /must be a time in milliseconds/);
    });
  }
});
