import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeContract, fakeVenue } from '../../test/venues/fake-venue.ts';
import { createLog } from '../base/log.ts';
import { createMetrics } from '../base/metrics.ts';
import { MarketIntake } from '../market/intake.ts';
import { LatestMarket } from '../market/latest.ts';
import type { Redis } from '../storage/redis/redis.ts';
import { silentReport } from '../venues/health.ts';
import { type Batch, emptyBatch } from '../venues/observations.ts';
import { pack, unpack } from './envelope.ts';
import { decodeFrames, encodeFrames } from './frames.ts';
import { decodeVenueMessage, encodeVenueMessage, type VenueMessage } from './observations.ts';
import { decodePairReply, encodePairReply } from './pair-calls.ts';
import { VenueReceiver } from './venue-receiver.ts';

const NOW_MS = Date.UTC(2026, 10, 15, 7);
const venue = fakeVenue({});
const metrics = createMetrics();
const log = createLog('silent');

function batchOf(part: string, ...symbols: string[]): Batch {
  return {
    ...emptyBatch(),
    contractList: { part, contracts: symbols.map((symbol) => fakeContract(symbol)) },
  };
}

function messageOf(given: Partial<VenueMessage>): VenueMessage {
  return {
    slug: venue.slug,
    fence: 1,
    number: 0,
    report: silentReport(venue),
    news: { kind: 'observed', observed: [] },
    ...given,
  };
}

suite('messages between processes', () => {
  test('a decoded batch equals the encoded one, and values a venue does not give stay undefined', () => {
    const batch: Batch = {
      ...batchOf('linear', 'A', 'B'),
      fundingQuotes: [
        {
          venueSymbol: 'A',
          ratePct: 0.01,
          nextFundingAtMs: undefined,
          intervalHours: null,
          venueTimeMs: null,
        },
      ],
      bookTops: [
        { venueSymbol: 'A', bidPrice: 1.5, bidSize: null, askPrice: 1.6, askSize: 0, venueTimeMs: NOW_MS },
      ],
      marketFigures: [{ venueSymbol: 'A', markPrice: 1.55, indexPrice: null, openInterestUsdt: 0 }],
      depths: [{ venueSymbol: 'B', bids: [[1, 2]], asks: [[3, 4]], venueTimeMs: null }],
    };
    const sent = messageOf({ news: { kind: 'observed', observed: [{ receivedAtMs: NOW_MS, batch }] } });
    const unpacked = unpack(encodeVenueMessage(sent));
    const received = unpacked && decodeVenueMessage(unpacked);
    assert.ok(received?.news.kind === 'observed');
    assert.equal(received.fence, 1);
    const [observed] = received.news.observed;
    assert.equal(observed?.receivedAtMs, NOW_MS);
    const [quote] = observed?.batch.fundingQuotes ?? [];
    assert.equal(quote?.nextFundingAtMs, undefined);
    assert.equal(quote?.intervalHours, null);
    assert.deepEqual(observed?.batch.bookTops, batch.bookTops);
    assert.deepEqual(observed?.batch.depths, batch.depths);
    assert.deepEqual(observed?.batch.marketFigures, batch.marketFigures);
    assert.deepEqual(observed?.batch.contractList, batch.contractList);
    assert.deepEqual(observed?.batch.announcements, []);
  });

  test('decoded frames equal the encoded ones and share no memory with the message', () => {
    const frames = [
      { series: 'funding', asOfMs: NOW_MS, beforeMs: null, frame: Uint8Array.of(1, 2, 3) },
      { series: 'spreads', asOfMs: NOW_MS, beforeMs: NOW_MS - 5, frame: Uint8Array.of(4) },
    ];
    const message = unpack(encodeFrames({ fence: 7, frames }));
    const decoded = message && decodeFrames(message);
    assert.deepEqual(decoded, { fence: 7, frames });
    assert.equal(decoded?.frames[1]?.frame.buffer.byteLength, 1);
  });

  test('a decoded pair keeps the gaps in its spreads', () => {
    const spreadsPct = Float32Array.of(0.5, Number.NaN, -1);
    const cycle = { openMinute: 1, closeMinute: 2, direction: 0 as const, profitPct: 0.25 };
    const changes = { dayChangeAPct: 1.5, dayChangeBPct: null };
    const prices = { buyA: 1.5, sellA: null, buyB: 2, sellB: 1.75 };
    const minute = { minute: 11, ...prices, usualExitAPct: -0.25, usualExitBPct: null, ...changes };
    const view = { fromMinute: 9, spreadsPct, cycles: [cycle], recent: [minute] };
    assert.deepEqual(decodePairReply(encodePairReply('x', view)), { id: 'x', view });
    assert.deepEqual(decodePairReply(encodePairReply('y', null)), { id: 'y', view: null });
  });

  test('a pair of an earlier version has no change of the price', () => {
    const prices = { buyA: 1.5, sellA: null, buyB: 2, sellB: 1.75 };
    const minute = { minute: 11, ...prices, usualExitAPct: null, usualExitBPct: null };
    const view = { fromMinute: 9, cycles: [], recent: [minute] };
    const spreadsPct = new Float32Array(0);
    const decoded = decodePairReply(pack({ kind: 'pair', id: 'x', view }, new Uint8Array(spreadsPct.buffer)));
    assert.deepEqual(decoded?.view?.recent, [{ ...minute, dayChangeAPct: null, dayChangeBPct: null }]);
  });

  const wrong = pack({ kind: 'frames' });
  const another = Buffer.from(wrong);
  another[1] = 2;
  for (const [what, bytes] of [
    ['another version', another],
    ['nothing', Buffer.alloc(0)],
    ['another program', Buffer.from('hello, is this Redis?')],
    ['a message that was cut', wrong.subarray(0, wrong.length - 1)],
  ] as const) {
    test(`${what} is not a message`, () => assert.equal(unpack(bytes), null));
  }
});

interface Receiving {
  send(bytes: Buffer): void;
  receiver: VenueReceiver;
  intake: MarketIntake;
  market: LatestMarket;
  requested: (string | null)[];
  outcomes(): Promise<Record<string, number>>;
}

async function receiving(): Promise<Receiving> {
  const own = createMetrics();
  const market = new LatestMarket(metrics, log);
  const intake = new MarketIntake(market);
  const requested: (string | null)[] = [];
  let send: (bytes: Buffer) => void = () => undefined;
  const subscribe: Redis['subscribe'] = async (_channel, onMessage) => {
    send = onMessage;
    return { close: async () => undefined };
  };
  const receiver = new VenueReceiver({
    redis: { subscribe } as Redis,
    channel: '',
    venues: [venue],
    log,
    metrics: own,
    accept: (from, batch, atMs) => intake.accept(from, batch, atMs),
    learn: (from, knowledge) => intake.learn(from, knowledge, NOW_MS),
    askForKnowledge: (slug) => requested.push(slug),
  });
  await receiver.start();
  const outcomes = async () =>
    Object.fromEntries(
      (await own.clusterMessages.get()).values.map(({ labels, value }) => [String(labels.outcome), value]),
    );
  return { send: (bytes) => send(bytes), receiver, intake, market, requested, outcomes };
}

const observed = (batch: Batch) =>
  ({ kind: 'observed', observed: [{ receivedAtMs: NOW_MS, batch }] }) as const;

suite('the engine receives observations', () => {
  test('it requests everything at first, and again for a venue whose messages have a gap', async () => {
    const { send, requested, outcomes } = await receiving();
    assert.deepEqual(requested, [null]);
    send(encodeVenueMessage(messageOf({ number: 0, news: observed(batchOf('linear', 'A')) })));
    send(encodeVenueMessage(messageOf({ number: 1, news: observed(batchOf('linear', 'A')) })));
    assert.deepEqual(requested, [null]);
    send(encodeVenueMessage(messageOf({ number: 3, news: observed(batchOf('linear', 'A')) })));
    assert.deepEqual(requested, [null, venue.slug]);
    assert.deepEqual(await outcomes(), { received: 2, 'received after a gap': 1 });
  });

  test('messages of a former owner are dropped', async () => {
    const { send, market, receiver, outcomes } = await receiving();
    send(encodeVenueMessage(messageOf({ fence: 5, news: observed(batchOf('linear', 'A')) })));
    send(encodeVenueMessage(messageOf({ fence: 4, news: observed(batchOf('linear', 'B')) })));
    assert.deepEqual(
      market.states().map(({ contract }) => contract.venueSymbol),
      ['A'],
    );
    receiver.noteOwn(venue.slug, 6);
    send(encodeVenueMessage(messageOf({ fence: 5, number: 1, news: observed(batchOf('linear', 'C')) })));
    assert.deepEqual(await outcomes(), { received: 1, outdated: 2 });
  });

  test('messages of another version, of unknown venues and malformed ones are dropped and counted', async () => {
    const { send, market, outcomes } = await receiving();
    const good = encodeVenueMessage(messageOf({ news: observed(batchOf('linear', 'A')) }));
    const newer = Buffer.from(good);
    newer[1] = 9;
    send(newer);
    send(encodeVenueMessage(messageOf({ slug: 'elsewhere' })));
    send(pack({ kind: 'observed', slug: venue.slug, fence: 1, number: 0 }, Buffer.from('not compressed')));
    send(pack({ kind: 'observed', slug: venue.slug, fence: 'high', number: 0 }, good));
    assert.equal(market.states().length, 0);
    assert.deepEqual(await outcomes(), { 'unknown version': 1, 'unknown venue': 1, unreadable: 2 });
    send(good);
    assert.equal(market.states().length, 1, 'the next good message is received');
  });

  test('a new owner that has read one part of the lists does not remove the other', async () => {
    const { send, market } = await receiving();
    send(encodeVenueMessage(messageOf({ news: observed(batchOf('linear', 'A')) })));
    send(encodeVenueMessage(messageOf({ number: 1, news: observed(batchOf('inverse', 'X')) })));
    send(encodeVenueMessage(messageOf({ fence: 2, news: observed(batchOf('linear', 'A', 'B')) })));
    const symbols = market.states().map(({ contract }) => contract.venueSymbol);
    assert.deepEqual(symbols.sort(), ['A', 'B', 'X']);
  });

  test('knowledge carries the newest values with their true ages', async () => {
    const [here, there] = [await receiving(), await receiving()];
    const quote = {
      venueSymbol: 'A',
      ratePct: 0.02,
      nextFundingAtMs: null,
      intervalHours: 8,
      venueTimeMs: null,
    };
    const figures = { venueSymbol: 'A', markPrice: 1.5, indexPrice: null, openInterestUsdt: 0 };
    const batch: Batch = { ...batchOf('linear', 'A'), fundingQuotes: [quote], marketFigures: [figures] };
    here.intake.accept(venue, batch, NOW_MS - 60_000);
    const knowledge = here.intake.knowledgeOf(venue);
    there.send(encodeVenueMessage(messageOf({ news: { kind: 'knowledge', knowledge } })));
    const [state] = there.market.states();
    assert.deepEqual(state, here.market.states()[0]);
    assert.equal(state?.rateAtMs, NOW_MS - 60_000);
    assert.deepEqual(state?.figures?.markPrice, { value: 1.5, atMs: NOW_MS - 60_000 });
    const newer = { ...emptyBatch(), fundingQuotes: [{ ...quote, ratePct: 0.03 }] };
    there.intake.accept(venue, newer, NOW_MS);
    there.intake.learn(venue, knowledge, NOW_MS);
    assert.equal(there.market.states()[0]?.ratePct, 0.03, 'the newer value stays');
  });

  test('open interest carries its count, and whether a call or a stream gave it', async () => {
    const [here, there] = [await receiving(), await receiving()];
    const figures = { venueSymbol: 'A', markPrice: null, indexPrice: null, openInterestUsdt: 2e7 };
    const listed = { ...batchOf('linear', 'A'), marketFigures: [{ ...figures, openInterestCount: 7 }] };
    const streamed: Batch = {
      ...emptyBatch(),
      marketFigures: [{ ...figures, openInterestUsdt: 3e7 }],
      isStreamed: true,
    };
    const volume = { venueSymbol: 'A', volume24hUsdt: 5e6, referencePrice: null, volumeCount: 11 };
    const batches = [listed, streamed, { ...emptyBatch(), dayVolumes: [volume] }];
    const observed = batches.map((batch) => ({ receivedAtMs: NOW_MS, batch }));
    there.send(encodeVenueMessage(messageOf({ news: { kind: 'observed', observed } })));
    for (const batch of batches) here.intake.accept(venue, batch, NOW_MS);
    const [state] = there.market.states();
    assert.deepEqual(state?.figures?.openInterestUsdt, {
      ...{ value: 3e7, atMs: NOW_MS, count: 7, isStreamed: true },
      otherSource: { value: 2e7, atMs: NOW_MS },
    });
    assert.equal(state?.volumeCount, 11);
    assert.deepEqual(state, here.market.states()[0]);
    const later = await receiving();
    const knowledge = here.intake.knowledgeOf(venue);
    later.send(encodeVenueMessage(messageOf({ news: { kind: 'knowledge', knowledge } })));
    assert.deepEqual(later.market.states()[0], state);
  });

  test('knowledge of a machine whose clock is ahead has no time after now', async () => {
    const [here, there] = [await receiving(), await receiving()];
    const top = { venueSymbol: 'A', bidPrice: 1, bidSize: 1, askPrice: 1.1, askSize: 1, venueTimeMs: null };
    const figures = { venueSymbol: 'A', markPrice: 1.5, indexPrice: null, openInterestUsdt: 0 };
    const batch: Batch = { ...batchOf('linear', 'A'), bookTops: [top], marketFigures: [figures] };
    here.intake.accept(venue, batch, NOW_MS + 700);
    const knowledge = here.intake.knowledgeOf(venue);
    there.send(encodeVenueMessage(messageOf({ news: { kind: 'knowledge', knowledge } })));
    const [state] = there.market.states();
    assert.equal(state?.topAtMs, NOW_MS);
    assert.equal(state?.figures?.markPrice?.atMs, NOW_MS);
  });
});
