import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeContract, fakeVenue } from '../../test/venues/fake-venue.ts';
import { createLog } from '../base/log.ts';
import { createMetrics } from '../base/metrics.ts';
import { MINUTE_MS } from '../base/times.ts';
import { type Batch, emptyBatch, type MarketFigures } from '../venues/observations.ts';
import { MarketIntake } from './intake.ts';
import { decodeKnowledge, encodeKnowledge } from './knowledge/codec.ts';
import { LatestMarket } from './latest.ts';
import { type Session, sessionsOf } from './session.ts';

const START_MS = Date.UTC(2026, 10, 16, 20);
const venue = fakeVenue();
const contracts = [{ ...fakeContract('TSLA'), assetClass: 'stock' as const }, fakeContract('BTC')];

/** A venue with a share and a coin, read once a minute. Times are minutes after the start. */
class Read {
  readonly market = new LatestMarket(createMetrics(), createLog('silent'));
  readonly intake = new MarketIntake(this.market);

  list(listed = contracts): this {
    const contractList = { part: 'linear', contracts: listed };
    this.intake.accept(venue, { ...emptyBatch(), contractList }, START_MS);
    return this;
  }

  /** A null index of the coin: it is missing from the reply. */
  at(minute: number, share: number | Partial<MarketFigures>, coin: number | null = minute): Session | null {
    const row = typeof share === 'number' ? { indexPrice: share } : share;
    const empty = { markPrice: null, indexPrice: null, openInterestUsdt: null };
    const marketFigures = [
      { ...empty, venueSymbol: 'TSLA', ...row },
      { ...empty, venueSymbol: 'BTC', indexPrice: coin === null ? null : coin + 100_000 },
    ];
    const batch: Batch = { ...emptyBatch(), marketFigures };
    this.intake.accept(venue, batch, START_MS + minute * MINUTE_MS);
    return this.sessionAt(minute);
  }

  /** Another venue has a coin whose index moves. */
  coinElsewhere(minute: number): void {
    const other = { ...venue, slug: 'other' };
    const contractList = { part: 'linear', contracts: contracts.slice(1) };
    const row = { venueSymbol: 'BTC', markPrice: null, indexPrice: 100_000 + minute, openInterestUsdt: null };
    const batch: Batch = { ...emptyBatch(), contractList, marketFigures: [row] };
    this.intake.accept(other, batch, START_MS + minute * MINUTE_MS);
  }

  sessionAt(minute: number, symbol = 'TSLA'): Session | null {
    const sessions = sessionsOf(this.market.states(), new Map(), START_MS + minute * MINUTE_MS);
    return sessions.get(`Fake/${symbol}`) ?? null;
  }
}

suite('the session of a contract on something else than a coin', () => {
  test('it is unknown at first, and open from the second value of the index on', () => {
    const read = new Read().list();
    assert.equal(read.at(0, 400), null);
    assert.equal(read.at(1, 401), 'open');
    assert.equal(read.sessionAt(1, 'BTC'), null);
  });

  test('it is closed once the index has stood still for 15 minutes while the coins move', () => {
    const read = new Read().list();
    read.at(0, 400);
    read.at(1, 401);
    for (let minute = 2; minute <= 15; minute++) assert.equal(read.at(minute, 401), 'open', `${minute}`);
    assert.equal(read.at(16, 401), 'closed');
    assert.equal(read.at(3000, 401), 'closed');
  });

  test('after a rest one change of the index does not open it, the second does', () => {
    const read = new Read().list();
    for (let minute = 0; minute <= 20; minute++) read.at(minute, 401);
    assert.equal(read.at(21, 402), 'closed');
    assert.equal(read.at(22, 402), 'closed');
    assert.equal(read.at(23, 403), 'open');
  });

  test('where the coins stand still too, the venue stands still and nothing is known', () => {
    const read = new Read().list();
    for (let minute = 0; minute <= 20; minute++) read.at(minute, 401, 0);
    assert.equal(read.sessionAt(20), null);
  });

  test('while nothing is received an index does not stand still, and after ten minutes nothing is known', () => {
    const read = new Read().list();
    for (let minute = 0; minute <= 8; minute++) read.at(minute, 401 + minute);
    assert.equal(read.sessionAt(17), 'open');
    assert.equal(read.sessionAt(19), null);
    assert.equal(read.at(30, 420), 'open');
  });

  test('a venue that was down and repeats its last values first is not closed by that', () => {
    const read = new Read().list();
    for (let minute = 0; minute <= 8; minute++) read.at(minute, 401 + minute);
    assert.equal(read.at(60, 409, 8), 'open');
    assert.equal(read.at(61, 409, 61), 'open');
    assert.equal(read.at(62, 410), 'open');
  });

  test('one that was down through the last change of the day is closed after 15 minutes of answers', () => {
    const read = new Read().list();
    for (let minute = 0; minute <= 8; minute++) read.at(minute, 401 + minute);
    for (let minute = 60; minute <= 74; minute++) assert.equal(read.at(minute, 409), 'open', `${minute}`);
    assert.equal(read.at(75, 409), 'closed');
  });

  test('one that was closed before it was down is still closed', () => {
    const read = new Read().list();
    for (let minute = 0; minute <= 20; minute++) read.at(minute, 401);
    assert.equal(read.sessionAt(31), null, 'while it is down');
    assert.equal(read.at(600, 401), 'closed');
  });

  test('a venue without coins that comes back after an outage is not closed because coins move elsewhere', () => {
    const read = new Read().list(contracts.slice(0, 1));
    const hear = (minute: number, share: number) => {
      read.coinElsewhere(minute);
      return read.at(minute, share);
    };
    for (let minute = 0; minute <= 5; minute++) hear(minute, 401 + minute);
    for (let minute = 6; minute <= 40; minute++) read.coinElsewhere(minute);
    assert.equal(read.sessionAt(40), null, 'while it is down');
    assert.equal(hear(41, 406), 'open');
    for (let minute = 42; minute <= 56; minute++) hear(minute, 406);
    assert.equal(read.sessionAt(56), 'closed', 'after 15 minutes of answers');
  });

  test('where the indices of the venue’s own coins are missing, those of other venues prove nothing', () => {
    const read = new Read().list();
    for (let minute = 0; minute <= 20; minute++) {
      read.at(minute, 401, minute <= 5 ? minute : null);
      read.coinElsewhere(minute);
    }
    assert.equal(read.sessionAt(15), 'closed');
    assert.equal(read.sessionAt(20), null);
  });

  test('a coin has no session, whatever its index does and whatever flag the venue gives it', () => {
    const read = new Read().list();
    const flagged = { ...emptyBatch(), marketFigures: [] as MarketFigures[] };
    for (let minute = 0; minute <= 30; minute++) {
      read.at(minute, 401 + minute, 0);
      const row = { venueSymbol: 'BTC', markPrice: null, indexPrice: null, openInterestUsdt: null };
      flagged.marketFigures = [{ ...row, isMarketClosed: true }];
      read.intake.accept(venue, flagged, START_MS + minute * MINUTE_MS);
      assert.equal(read.sessionAt(minute, 'BTC'), null, `${minute}`);
    }
  });

  test("the venue's own flag decides, whatever the index does, until it is ten minutes old", () => {
    const read = new Read().list();
    assert.equal(read.at(0, { indexPrice: 400, isMarketClosed: true }), 'closed');
    assert.equal(read.at(1, { indexPrice: 401, isMarketClosed: true }), 'closed');
    for (let minute = 2; minute <= 30; minute++) read.at(minute, { indexPrice: 401, isMarketClosed: false });
    assert.equal(read.sessionAt(30), 'open');
    assert.equal(read.at(41, { indexPrice: 401 }), 'closed');
  });

  test('a contract whose coin is a share by the judgement of other venues has a session', () => {
    const read = new Read().list();
    read.at(0, 400);
    read.at(1, 401);
    const states = read.market.states();
    const identities = new Map([['Fake/BTC', { assetClass: 'index' as const }]]);
    assert.deepEqual(sessionsOf(states, identities, START_MS + MINUTE_MS).get('Fake/BTC'), 'open');
  });

  test('a restart goes on from what was stored: a closed market stays closed, an open one open', async () => {
    const [closed, open] = [new Read().list(), new Read().list()];
    for (let minute = 0; minute <= 20; minute++) {
      closed.at(minute, 401);
      open.at(minute, 401 + minute);
    }
    for (const [read, session] of [
      [closed, 'closed'],
      [open, 'open'],
    ] as const) {
      const stored = await encodeKnowledge(read.intake.knowledgeOf(venue));
      const next = new Read();
      next.intake.learn(venue, await decodeKnowledge(stored), START_MS + 24 * MINUTE_MS);
      assert.equal(next.sessionAt(24), session);
      assert.equal(next.at(25, session === 'open' ? 430 : 401), session);
    }
  });

  test('a clock that is set changes no session', () => {
    const read = new Read().list();
    for (let minute = 0; minute <= 20; minute++) read.at(minute, { indexPrice: 401 });
    read.intake.shiftTimes(60 * MINUTE_MS, START_MS + 80 * MINUTE_MS);
    assert.equal(read.sessionAt(80), 'closed');
    assert.equal(read.at(81, 401), 'closed');
  });
});
