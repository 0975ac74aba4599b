import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { afterEach, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Clock, ManualClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { StreamRunner } from '../../src/venues/collecting/stream-runner.ts';
import type { SourceHealth } from '../../src/venues/health.ts';
import { type Batch, type Contract, emptyBatch } from '../../src/venues/observations.ts';
import { isRow } from '../../src/venues/reading.ts';
import type { Stream } from '../../src/venues/venue.ts';
import { until } from '../support/until.ts';
import { fakeContract, fakeVenue } from './fake-venue.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);

interface Session {
  socket: WebSocket;
  received: string[];
  userAgent: string | undefined;
  isOpen: boolean;
}

interface Staged {
  sessions: Session[];
  open(): Session[];
  contracts: Map<string, Contract>;
  messages: unknown[];
  receivedAt: number[];
  batches: Batch[];
  clock: ManualClock;
  health: SourceHealth;
  delays: number[];
  timers: { nowMs: number };
  runner: StreamRunner;
}

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A stream on a real socket server. Retries wait 5 ms; silence is measured with a clock that the test moves. */
async function stage(symbols: readonly string[], given: Partial<Stream> = {}): Promise<Staged> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const sessions: Session[] = [];
  server.on('connection', (socket, request) => {
    const userAgent = request.headers['user-agent'];
    const session: Session = { socket, received: [], userAgent, isOpen: true };
    sessions.push(session);
    socket.on('message', (data) => session.received.push(String(data)));
    socket.on('close', () => {
      session.isOpen = false;
    });
  });
  const contracts = new Map(symbols.map((symbol) => [symbol, fakeContract(symbol)]));
  const messages: unknown[] = [];
  const receivedAt: number[] = [];
  const batches: Batch[] = [];
  const clock = new ManualClock(START_MS);
  const stream: Stream = {
    name: 'tops',
    gives: ['bid and ask'],
    host: 'ws',
    path: '/stream',
    call: 'tops',
    contractsPerSocket: 10,
    applies: () => true,
    open: (wanted) => ({
      opening: wanted.map((contract) => `subscribe ${contract.venueSymbol}`),
      receive: (message) => {
        if (message === 'spoil') throw new Error('sequence gap');
        messages.push(message);
        const batch = emptyBatch();
        if (isRow(message) && typeof message.bid === 'number') batch.bookTops.push(topOf(message.bid));
        return { batch, ...(message === 'ping' ? { replies: ['pong'] } : {}) };
      },
    }),
    heartbeat: null,
    silenceSeconds: 30,
    ...given,
  };
  const delays: number[] = [];
  const timers = { nowMs: START_MS };
  const timersClock: Clock = {
    nowMs: () => timers.nowMs,
    monotonicMs: () => timers.nowMs,
    sleep: (delayMs) => {
      delays.push(delayMs);
      return new Promise((resolve) => setImmediate(resolve));
    },
  };
  const health: SourceHealth = { name: 'tops', lastGoodAtMs: null, failuresInARow: 0, lastFailure: null };
  const port = (server.address() as AddressInfo).port;
  const runner = new StreamRunner({
    venue: fakeVenue({ hosts: { rest: 'http://127.0.0.1:9', ws: `ws://127.0.0.1:${port}` } }),
    stream,
    clock,
    timers: timersClock,
    log: createLog('silent'),
    metrics: createMetrics(),
    simUrl: null,
    contracts,
    accept: (batch, receivedAtMs) => {
      batches.push(batch);
      receivedAt.push(receivedAtMs);
    },
    health,
  });
  stops.push(() => {
    runner.stop();
    for (const { socket } of sessions) socket.terminate();
    server.close();
  });
  runner.update();
  const open = () => sessions.filter((session) => session.isOpen);
  return { sessions, open, contracts, messages, receivedAt, batches, clock, health, delays, timers, runner };
}

const isOpenWith = (staged: Staged, count: number) => () =>
  staged.open().length === count && staged.open().every((session) => session.received.length > 0);

async function opened(symbols: readonly string[], count: number, given: Partial<Stream> = {}) {
  const staged = await stage(symbols, given);
  await until(isOpenWith(staged, count), 'the sockets opening');
  return staged;
}

/** A top of contract A. */
const topOf = (bidPrice: number) => ({
  ...{ venueSymbol: 'A', bidPrice, bidSize: 1, askPrice: bidPrice + 1, askSize: 1, venueTimeMs: null },
});

suite('one connection', () => {
  test('a confirmation of a subscription is no good data yet', async () => {
    const staged = await opened(['A'], 1);
    staged.sessions[0]?.socket.send('{"subscribed":"A"}');
    await until(() => staged.messages.length === 1);
    assert.equal(staged.health.lastGoodAtMs, null);
    staged.sessions[0]?.socket.send('{"bid":1}');
    await until(() => staged.messages.length === 2);
    assert.equal(staged.health.lastGoodAtMs, START_MS);
  });

  test('subscribes, and passes messages on with their receive time', async () => {
    const staged = await opened(['A', 'B'], 1);
    assert.deepEqual(staged.sessions[0]?.received, ['subscribe A', 'subscribe B']);
    staged.sessions[0]?.socket.send('{"bid":1}');
    await until(() => staged.messages.length === 1);
    assert.deepEqual(staged.messages, [{ bid: 1 }]);
    assert.deepEqual(staged.receivedAt, [START_MS]);
    assert.equal(staged.health.lastGoodAtMs, START_MS);
  });

  test('names itself with a User-Agent, without which Extended answers 403', async () => {
    const staged = await opened(['A'], 1);
    assert.equal(staged.sessions[0]?.userAgent, 'perpwire');
  });

  test('a stream that sends only changes: any message repeats the held tops, and every batch is marked as streamed', async () => {
    const top = { venueSymbol: 'A', bidPrice: 1, bidSize: 1, askPrice: 2, askSize: 1, venueTimeMs: null };
    const staged = await opened(['A'], 1, {
      sendsOnlyChanges: true,
      open: () => ({
        opening: ['subscribe A'],
        receive: (message) => ({ batch: { ...emptyBatch(), bookTops: message === 'top' ? [top] : [] } }),
      }),
    });
    const send = async (text: string, advanceMs: number) => {
      const before = staged.batches.length;
      staged.clock.advanceMs(advanceMs);
      staged.sessions[0]?.socket.send(text);
      await until(() => staged.batches.length === before + 1);
    };
    await send('top', 0);
    await send('pong', 5000);
    await send('pong', 15_000);
    assert.deepEqual(
      staged.batches.map((batch) => [batch.bookTops, batch.isStreamed]),
      [
        [[top], true],
        [[], true],
        [[top], true],
      ],
    );
  });

  test('gzip frames are unpacked; text that is no JSON stays text', async () => {
    const staged = await opened(['A'], 1);
    staged.sessions[0]?.socket.send(gzipSync('{"zipped":true}'));
    staged.sessions[0]?.socket.send(Buffer.from('{"plain":true}'));
    staged.sessions[0]?.socket.send('hello');
    await until(() => staged.messages.length === 3);
    assert.deepEqual(staged.messages, [{ zipped: true }, { plain: true }, 'hello']);
  });

  test('short decimals are parsed as numbers only where a stream says that it sends many', async () => {
    const message = '{"id":"7","levels":[["0.84299","1500"],["12345.67891","0"]]}';
    const plain = await opened(['A'], 1);
    plain.sessions[0]?.socket.send(message);
    const numbers = await opened(['A'], 1, { sendsDecimalTexts: true });
    numbers.sessions[0]?.socket.send(message);
    await until(() => plain.messages.length === 1 && numbers.messages.length === 1);
    assert.deepEqual(plain.messages, [JSON.parse(message)]);
    const levels = [
      [0.84299, 1500],
      ['12345.67891', 0],
    ];
    assert.deepEqual(numbers.messages, [{ id: '7', levels }]);
  });

  test('a gzip frame that unpacks to more than 16 MB makes it reconnect', async () => {
    const staged = await stage(['A']);
    await until(() => staged.open().length === 1);
    staged.sessions[0]?.socket.send(gzipSync(Buffer.alloc(17 * 1024 * 1024, ' ')));
    await until(() => staged.sessions.length === 2);
    assert.equal(staged.health.lastFailure, 'the reply has more than 16 MB');
    assert.deepEqual(staged.messages, []);
  });

  test('a broken gzip frame makes it reconnect, not crash', async () => {
    const staged = await opened(['A'], 1);
    staged.sessions[0]?.socket.send(Buffer.from([0x1f, 0x8b, 1, 2, 3]));
    await until(() => staged.sessions.length === 2);
    assert.match(staged.health.lastFailure ?? '', /./);
  });

  test('sends the replies that the session returns', async () => {
    const staged = await opened(['A'], 1);
    staged.sessions[0]?.socket.send('ping');
    await until(() => staged.sessions[0]?.received.includes('pong') === true);
  });

  test('sends its heartbeat', async () => {
    const heartbeat = { everySeconds: 0.02, message: (nowMs: number) => `beat ${nowMs}` };
    const staged = await opened(['A'], 1, { heartbeat });
    await until(
      () => (staged.sessions[0]?.received.filter((text) => text === `beat ${START_MS}`).length ?? 0) >= 2,
    );
  });
});

suite('reconnecting', () => {
  test('closed by the venue: opened and subscribed again', async () => {
    const staged = await opened(['A'], 1);
    staged.sessions[0]?.socket.close();
    await until(() => staged.sessions.length === 2 && staged.sessions[1]?.received[0] === 'subscribe A');
    assert.equal(staged.health.lastFailure, 'closed by the venue');
    assert.equal(staged.health.failuresInARow, 1);
    staged.sessions[1]?.socket.send('{}');
    await until(() => staged.health.failuresInARow === 0);
  });

  test('a message that the session rejects (a gap in a book) causes a reconnect', async () => {
    const staged = await opened(['A'], 1);
    staged.sessions[0]?.socket.send('spoil');
    await until(() => staged.sessions.length === 2);
    assert.equal(staged.health.lastFailure, 'sequence gap');
  });

  test('silence for longer than the stream allows causes a reconnect', async () => {
    const staged = await opened(['A'], 1);
    staged.timers.nowMs += 31_000;
    await until(() => staged.sessions.length === 2);
    assert.equal(staged.health.lastFailure, 'silent for 30 s');
  });

  test('a socket that keeps failing is opened with growing delays', async () => {
    const staged = await stage(['A']);
    staged.sessions.length = 0;
    const spoil = setInterval(() => {
      for (const { socket } of staged.open()) socket.terminate();
    }, 2);
    await until(() => staged.delays.length >= 7);
    clearInterval(spoil);
    assert.equal(staged.delays[0], 1000);
    assert.ok((staged.delays[6] ?? 0) > 20_000, `${staged.delays}`);
  });

  test('a closed port is a failure with a cause', async () => {
    const staged = await stage(['A'], { host: 'rest', path: '/' });
    await until(() => staged.delays.length >= 2);
    assert.match(staged.health.lastFailure ?? '', /ECONNREFUSED|Invalid URL|protocol/);
  });
});

suite('contracts and sockets', () => {
  test('as many contracts on a socket as the venue allows', async () => {
    const staged = await opened(['A', 'B', 'C', 'D', 'E'], 3, { contractsPerSocket: 2 });
    const received = staged.open().map((session) => session.received.length);
    assert.deepEqual(received.sort(), [1, 2, 2]);
  });

  test('a new listing gets a socket of its own, the others are not interrupted', async () => {
    const staged = await opened(['A', 'B'], 1);
    staged.contracts.set('NEW', fakeContract('NEW'));
    staged.runner.update();
    await until(isOpenWith(staged, 2));
    assert.deepEqual(staged.sessions[1]?.received, ['subscribe NEW']);
    assert.deepEqual(staged.sessions[0]?.received, ['subscribe A', 'subscribe B']);
    assert.equal(staged.sessions[0]?.isOpen, true);
  });

  test('an update without changes opens nothing', async () => {
    const staged = await opened(['A'], 1);
    staged.runner.update();
    staged.runner.update();
    staged.sessions[0]?.socket.send('{}');
    await until(() => staged.messages.length === 1);
    assert.equal(staged.sessions.length, 1);
  });

  test('many small sockets are merged into full ones', async () => {
    const staged = await opened(['A'], 1);
    for (const symbol of ['B', 'C']) {
      staged.contracts.set(symbol, fakeContract(symbol));
      staged.runner.update();
    }
    await until(isOpenWith(staged, 3));
    staged.contracts.set('D', fakeContract('D'));
    staged.runner.update();
    await until(isOpenWith(staged, 1));
    assert.deepEqual(staged.open()[0]?.received, [
      'subscribe A',
      'subscribe B',
      'subscribe C',
      'subscribe D',
    ]);
  });

  test('a socket whose contracts are all delisted is closed', async () => {
    const staged = await opened(['A', 'B'], 2, { contractsPerSocket: 1 });
    staged.contracts.delete('A');
    staged.runner.update();
    await until(() => staged.open().length === 1);
    assert.deepEqual(staged.open()[0]?.received, ['subscribe B']);
  });

  test('a reconnect asks only for what the list still has: some venues close a socket that asks for more', async () => {
    const staged = await opened(['A', 'B'], 1);
    staged.contracts.delete('A');
    staged.runner.update();
    staged.sessions[0]?.socket.close();
    await until(() => staged.sessions.length === 2 && isOpenWith(staged, 1)());
    assert.deepEqual(staged.sessions[1]?.received, ['subscribe B']);
  });

  test('a halted contract is left out of a reconnect, and gets a socket when it trades again', async () => {
    const staged = await opened(['A', 'B'], 1, { applies: ({ status }) => status === 'trading' });
    staged.contracts.set('A', { ...fakeContract('A'), status: 'halted' });
    staged.runner.update();
    staged.sessions[0]?.socket.close();
    await until(() => staged.sessions.length === 2 && isOpenWith(staged, 1)());
    assert.deepEqual(staged.sessions[1]?.received, ['subscribe B']);
    staged.contracts.set('A', fakeContract('A'));
    staged.runner.update();
    await until(isOpenWith(staged, 2));
    assert.deepEqual(staged.sessions[2]?.received, ['subscribe A']);
  });

  test('a reconnect asks for contracts as the newest list has them', async () => {
    const staged = await opened(['A'], 1, {
      open: (wanted) => ({
        opening: wanted.map(({ venueSymbol, contractSize }) => `${venueSymbol} of ${contractSize}`),
        receive: () => ({ batch: emptyBatch() }),
      }),
    });
    staged.contracts.set('A', { ...fakeContract('A'), contractSize: 10 });
    staged.runner.update();
    staged.sessions[0]?.socket.close();
    await until(() => staged.sessions.length === 2 && isOpenWith(staged, 1)());
    assert.deepEqual(staged.sessions[1]?.received, ['A of 10']);
  });

  test('stop closes all and opens none again', async () => {
    const staged = await opened(['A', 'B'], 2, { contractsPerSocket: 1 });
    staged.runner.stop();
    await until(() => staged.open().length === 0);
    assert.equal(staged.sessions.length, 2);
    assert.deepEqual(staged.delays, []);
  });
});
