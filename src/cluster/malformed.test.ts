import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { silentReport } from '../venues/health.ts';
import { emptyBatch } from '../venues/observations.ts';
import { pack, unpack } from './envelope.ts';
import { decodeFrames, encodeFrames } from './frames.ts';
import { parseLeaseRound } from './lease-script.ts';
import { decodeVenueMessage, encodeVenueMessage } from './observations.ts';
import { decodePairReply, encodePairReply } from './pair-calls.ts';
import { MalformedMessageError } from './shape.ts';

const refused = (error: unknown) => error instanceof MalformedMessageError;

describe('unpack', () => {
  const bad: [string, Buffer][] = [
    ['a head that is a list', pack([])],
    ['a head that is no JSON', Buffer.concat([pack({}).subarray(0, 6), Buffer.from('{]')])],
  ];
  for (const [name, bytes] of bad) test(`refuses ${name}`, () => assert.equal(unpack(bytes), null));
});

describe('decodeFrames', () => {
  const head = { series: 'funding', asOfMs: 10, beforeMs: null, bytes: 3 };
  const body = Uint8Array.of(1, 2, 3);
  const decoded = (fence: unknown, frames: unknown, bytes: Uint8Array = body) => {
    const message = unpack(pack({ kind: 'frames', fence, frames }, bytes));
    return message && decodeFrames(message);
  };

  test('reads a well-formed message', () => assert.equal(decoded(1, [head])?.frames.length, 1));
  test('a message of another kind is none', () => {
    const message = unpack(pack({ kind: 'pair' }));
    assert.equal(message && decodeFrames(message), null);
  });

  const bad: [string, unknown, unknown, Uint8Array?][] = [
    ['a missing fencing number', undefined, [head]],
    ['a fencing number that is text', '1', [head]],
    ['a negative fencing number', -1, [head]],
    ['frames that are no list', 1, head],
    ['a message without a frame', 1, [], new Uint8Array(0)],
    ['a frame that is null', 1, [null]],
    ['a frame without a series', 1, [{ ...head, series: undefined }]],
    ['a time that is text', 1, [{ ...head, asOfMs: '10' }]],
    ['a previous time that is missing', 1, [{ ...head, beforeMs: undefined }]],
    ['a length that is negative', 1, [{ ...head, bytes: -3 }]],
    ['a length beyond the message', 1, [{ ...head, bytes: 4 }]],
    ['bytes that belong to no frame', 1, [{ ...head, bytes: 2 }]],
  ];
  for (const [name, fence, frames, bytes] of bad)
    test(`refuses ${name}`, () => assert.throws(() => decoded(fence, frames, bytes), refused));
});

describe('decodeVenueMessage', () => {
  const report = silentReport({ slug: 'okx', facts: { exchange: 'OKX' } as never });
  const head = { slug: 'okx', fence: 1, number: 0, report };
  const quote = { venueSymbol: 'A', ratePct: 0.01, intervalHours: null, venueTimeMs: null };
  const contract = {
    venueSymbol: 'A',
    base: 'A',
    quote: 'USDT',
    settle: 'USDT',
    isInverse: false,
    contractSize: 1,
    status: 'trading',
    venueStatus: 'live',
    assetClass: 'crypto',
    listedAtMs: null,
    delistsAtMs: null,
    maxLeverage: null,
    intervalHours: 8,
  };
  const decoded = (changedHead: object, content: unknown) => {
    const bytes = pack(
      { kind: 'observed', ...head, ...changedHead },
      zstdCompressSync(JSON.stringify(content)),
    );
    const message = unpack(bytes);
    return message && decodeVenueMessage(message);
  };
  const batch = (given: object) => [{ receivedAtMs: 5, batch: given }];
  const list = (given: object) => batch({ contractList: { part: 'linear', contracts: [given] } });

  test('reads a well-formed message', () => {
    const message = decoded({}, [...batch({ fundingQuotes: [quote] }), ...list(contract)]);
    assert.ok(message?.news.kind === 'observed');
    assert.deepEqual(message.news.observed[0]?.batch, { ...emptyBatch(), fundingQuotes: [quote] });
    assert.deepEqual(message.news.observed[1]?.batch.contractList?.contracts, [contract]);
  });
  test('drops fields that the shape does not name', () => {
    const message = decoded({}, batch({ fundingQuotes: [{ ...quote, key: 'other' }] }));
    assert.ok(message?.news.kind === 'observed');
    assert.deepEqual(message.news.observed[0]?.batch.fundingQuotes, [quote]);
  });
  test('a message of another kind is none', () => assert.equal(decoded({ kind: 'frames' }, []), null));

  const badHeads: [string, object][] = [
    ['a missing slug', { slug: undefined }],
    ['a slug that is a number', { slug: 7 }],
    ['a fencing number that is text', { fence: '1' }],
    ['a fractional message number', { number: 0.5 }],
    ['a missing report', { report: undefined }],
    ['a report without its sources', { report: { ...report, sources: null } }],
  ];
  for (const [name, changed] of badHeads)
    test(`refuses ${name}`, () => assert.throws(() => decoded(changed, []), refused));

  const badBodies: [string, unknown][] = [
    ['a body that is no list', { receivedAtMs: 5 }],
    ['an observation without a time', [{ batch: {} }]],
    ['an observation without a batch', [{ receivedAtMs: 5 }]],
    ['quotes that are no list', batch({ fundingQuotes: quote })],
    ['a rate that is text', batch({ fundingQuotes: [{ ...quote, ratePct: '0.01' }] })],
    ['a rate that is null', batch({ fundingQuotes: [{ ...quote, ratePct: null }] })],
    ['a book top without prices', batch({ bookTops: [{ venueSymbol: 'A' }] })],
    [
      'a book level of one number',
      batch({ depths: [{ venueSymbol: 'A', bids: [[1]], asks: [], venueTimeMs: null }] }),
    ],
    ['a contract with an unknown status', list({ ...contract, status: 'asleep' })],
    ['a contract with an unknown asset class', list({ ...contract, assetClass: 'art' })],
    ['a contract whose inverse flag is a number', list({ ...contract, isInverse: 0 })],
    ['an announcement without a time', batch({ announcements: [{ id: 'a', title: 't' }] })],
  ];
  for (const [name, content] of badBodies)
    test(`refuses ${name}`, () => assert.throws(() => decoded({}, content), refused));

  const values = { venueSymbol: 'A', rateAtMs: 1, rolls: [], intervalAtMs: 1, topAtMs: 1 };
  const badKnowledge: [string, unknown][] = [
    ['knowledge that is null', null],
    ['knowledge without values', { parts: [] }],
    ['knowledge whose values miss fields', { parts: [], values: [values] }],
    ['knowledge with a part without a time', { parts: [{ part: 'linear', contracts: [] }], values: [] }],
  ];
  for (const [name, content] of badKnowledge)
    test(`refuses ${name}`, () => assert.throws(() => decoded({ kind: 'knowledge' }, content), refused));

  test('refuses a body that is not compressed', () => {
    const message = unpack(pack({ kind: 'observed', ...head }, Buffer.from('[]')));
    assert.ok(message);
    assert.throws(() => decodeVenueMessage(message));
  });
  test('what the sender encodes is well-formed', () => {
    const message = unpack(encodeVenueMessage({ ...head, news: { kind: 'observed', observed: [] } }));
    assert.equal(message && decodeVenueMessage(message)?.slug, 'okx');
  });
});

describe('decodePairReply', () => {
  const view = {
    fromMinute: 5,
    cycles: [{ direction: 0, openMinute: 1, closeMinute: 2, profitPct: 0.5 }],
    recent: [],
  };
  const body = new Uint8Array(8);

  test('reads a well-formed reply', () =>
    assert.equal(
      decodePairReply(encodePairReply('a', { ...view, spreadsPct: Float32Array.of(1) }))?.id,
      'a',
    ));
  test('a message of another kind is none', () =>
    assert.equal(decodePairReply(pack({ kind: 'frames' })), null));

  const bad: [string, object, Uint8Array?][] = [
    ['a missing id', { view }],
    ['an id that is a number', { id: 7, view }],
    ['a missing view', { id: 'a' }],
    ['a view that is a list', { id: 'a', view: [] }],
    ['a first minute that is text', { id: 'a', view: { ...view, fromMinute: '5' } }],
    ['cycles that are no list', { id: 'a', view: { ...view, cycles: {} } }],
    ['a cycle without its profit', { id: 'a', view: { ...view, cycles: [{ direction: 0 }] } }],
    ['spreads that end in the middle of a number', { id: 'a', view }, new Uint8Array(7)],
  ];
  for (const [name, head, bytes = body] of bad)
    test(`refuses ${name}`, () =>
      assert.throws(() => decodePairReply(pack({ kind: 'pair', ...head }, bytes)), refused));
});

describe('parseLeaseRound', () => {
  test('reads a well-formed reply', () =>
    assert.deepEqual(parseLeaseRound(['2', 'a', '17', '', '0'], 2), {
      liveCollectors: 2,
      leases: [
        { holder: 'a', fence: 17 },
        { holder: '', fence: 0 },
      ],
    }));

  const bad: [string, unknown][] = [
    ['nothing', null],
    ['a text', 'OK'],
    ['too few leases', ['2', 'a', '17']],
    ['too many leases', ['2', 'a', '17', 'b', '18', 'c', '19']],
    ['a count that is no number', ['two', 'a', '17', '', '0']],
    ['a holder that is a number', ['2', 7, '17', '', '0']],
    ['a holder that is null', ['2', null, '17', '', '0']],
    ['a fencing number that is a word', ['2', 'a', 'x', '', '0']],
    ['a negative fencing number', ['2', 'a', '-1', '', '0']],
    ['a fencing number of too many digits', ['2', 'a', '12345678901234567890', '', '0']],
  ];
  for (const [name, reply] of bad)
    test(`refuses ${name}`, () => assert.equal(parseLeaseRound(reply, 2), null));
});

test('encoded frames are well-formed', () => {
  const frames = [{ series: 'funding', asOfMs: 10, beforeMs: 5, frame: Uint8Array.of(1) }];
  const message = unpack(encodeFrames({ fence: 3, frames }));
  assert.deepEqual(message && decodeFrames(message), { fence: 3, frames });
});
