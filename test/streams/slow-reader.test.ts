import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { createHttpServer } from '../../src/doors/http/server.ts';
import { MAX_WAITING_BYTES } from '../../src/doors/streams/event-connection.ts';
import { streamsDoor } from '../../src/doors/streams/streams.ts';
import type { TableSpec } from '../../src/market/tables/table.ts';
import { TableBuilder } from '../../src/market/tables/table-builder.ts';
import type { TableSnapshot } from '../../src/market/timeline.ts';
import { defineList } from '../../src/operations/list/list.ts';
import { type Running, runService, until } from '../support/service.ts';
import { type OpenStream, openStream, parseEvent, type SseEvent } from './client.ts';

const text = (name: string) => ({ name, type: 'text', nullable: false, description: name }) as const;
const TABLE: TableSpec = { name: 'big', columns: [text('name'), text('value')] };
const ROWS = 500;
const START_MS = Date.UTC(2026, 10, 14);

suite('clients of one list', () => {
  let running: Running;
  let baseUrl: string;
  let close: () => Promise<unknown>;
  let pagesMade = 0;
  /** The plan whose pages take a minute each; null: none takes any time. */
  let spender: string | null = null;
  let workedMs = 0;
  let newest: TableSnapshot;
  const clock = new ManualClock(START_MS);
  const publish = () => {
    const builder = new TableBuilder(TABLE);
    const value = `${clock.nowMs()} `.repeat(40);
    for (let row = 0; row < ROWS; row++) builder.add({ name: `row ${row}`, value });
    newest = { asOfMs: clock.nowMs(), table: builder.build() };
  };
  const BIG = defineList({
    id: 'big',
    operationId: 'listBig',
    path: '/big',
    scope: null,
    summary: 'A big list',
    description: 'For a test.',
    table: TABLE,
    source: () => ({
      at: () => newest,
      exactly: (asOfMs) => (asOfMs === newest.asOfMs ? newest : null),
      after: () => null,
    }),
    shortRows: { leading: [] },
    identity: ['name'],
    filters: {},
    sorts: { name_asc: { column: 'name', direction: 'asc' } },
    defaultSort: 'name_asc',
    ties: [],
    withheld: (_table, { plan }) => {
      pagesMade++;
      if (plan.name === spender) workedMs += 60_000;
      return null;
    },
    example: [],
  });
  before(async () => {
    running = await runService({ venues: ['binance'], coins: 2, clock });
    const { entrance, metrics, log } = running.service;
    const server = createHttpServer({
      ...{ baseUrl: () => '', trustedProxies: [], log, metrics },
      budgets: {
        ...{ visitorMsPerSecond: 100, visitorsMsPerSecond: 100, accountMsPerSecond: 100, clock },
        ...{ workedMs: () => workedMs, accountOf: running.service.people.accountOf },
      },
    });
    await server.register(streamsDoor({ entrance, operations: [BIG], metrics }));
    baseUrl = await server.listen({ host: '127.0.0.1', port: 0 });
    close = () => server.close();
    publish();
  });
  after(async () => {
    await close();
    await running.stop();
  });
  const path = `/api/v1/stream/big?limit=${ROWS}`;
  const publishLater = async (reader: OpenStream) => {
    clock.advanceMs(1_000);
    publish();
    const seen = () =>
      reader.events.at(-1)?.id === new Date(newest.asOfMs).toISOString().replace('.000Z', 'Z');
    await until(() => {
      clock.advanceMs(50);
      return seen();
    }, 'the snapshot at a client that reads');
  };

  test('a page is made once for each snapshot, whatever the number of clients', async () => {
    const streams: OpenStream[] = [];
    for (let i = 0; i < 30; i++) streams.push(await openStream(`${baseUrl}${path}`, running.keys.business));
    await Promise.all(streams.map((stream) => stream.next('snapshot')));
    const before = pagesMade;
    for (let round = 0; round < 3; round++) await publishLater(streams[0] as OpenStream);
    await Promise.all(streams.map((stream) => until(() => stream.events.length >= 4)));
    assert.equal(pagesMade - before, 3);
    for (const stream of streams) stream.close();
  });

  test('a client that does not read holds at most 1 MB, and gets a snapshot when it reads again', async () => {
    const reader = await openStream(`${baseUrl}${path}`, running.keys.pro);
    const socket: Socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${running.keys.business}\r\n\r\n`);
    const { streamDrops } = running.service.metrics;
    const drops = async () => (await streamDrops.get()).values.reduce((sum, { value }) => sum + value, 0);
    let rounds = 0;
    while ((await drops()) === 0 && rounds < 200) {
      await publishLater(reader);
      rounds++;
    }
    assert.ok((await drops()) === 1, `dropped after ${rounds} snapshots`);
    const missed = rounds;
    for (let i = 0; i < 5; i++) await publishLater(reader);
    // What the kernel has taken is not ours; of what waits here there is at most 1 MB.
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
    socket.resume();
    const events = (): SseEvent[] => {
      const [, ...parts] = Buffer.concat(chunks).toString().split('\r\n\r\n').join('\n\n').split('\n\n');
      return parts.slice(0, -1).map(parseEvent);
    };
    await until(() => {
      clock.advanceMs(50);
      return events().filter(({ event }) => event === 'snapshot').length === 2;
    }, 'a second snapshot');
    const seen = events();
    const again = seen.findLast(({ event }) => event === 'snapshot');
    assert.equal(again?.id, reader.events.findLast(({ id }) => id !== null)?.id, 'the newest one');
    const changes = seen.slice(0, seen.indexOf(again as SseEvent)).filter(({ event }) => event === 'change');
    assert.ok(changes.length <= missed, 'nothing of what came later was kept');
    const eventBytes = Buffer.byteLength(JSON.stringify(again?.data));
    assert.ok(eventBytes * 5 > MAX_WAITING_BYTES, 'five snapshots would not have fitted');
    socket.destroy();
    reader.close();
  });

  test('pages of a stream use the budget of its key: with nothing left it gets a later snapshot', async () => {
    const stream = await openStream(`${baseUrl}${path}`, running.keys.developer);
    const other = await openStream(`${baseUrl}/api/v1/stream/big?limit=50`, running.keys.pro);
    await Promise.all([stream.next('snapshot'), other.next('snapshot')]);
    spender = 'developer';
    await publishLater(stream);
    spender = null;
    const eventsBefore = stream.events.length;
    // The lists of both keys are looked at in the same rounds.
    for (let i = 0; i < 3; i++) await publishLater(other);
    assert.equal(stream.events.filter(({ event }) => event === 'change').length, 1);
    assert.ok(eventsBefore >= 2);
    clock.advanceMs(3_600_000);
    await publishLater(stream);
    // After an hour a heartbeat is due, too.
    await until(
      () => stream.events.filter(({ event }) => event === 'change').length === 2,
      'a later snapshot',
    );
    for (const one of [stream, other]) one.close();
  });
});
