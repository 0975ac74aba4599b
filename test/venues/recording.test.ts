import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { RecordedCall, Recording } from '../../scripts/recording.ts';
import { trimmed } from '../../scripts/recording-trim.ts';
import { type SimServer, startSimServer } from '../../sim/server.ts';
import { type Contract, emptyBatch } from '../../src/venues/observations.ts';
import { VENUES } from '../../src/venues/registry.ts';
import type { SendRequest, Venue } from '../../src/venues/venue.ts';

const ROOT = join(import.meta.dirname, '../..');
const ROWS = 12;

function record(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'scripts/venues-record.ts'), ...args]);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.on('exit', (code) => resolve({ code, stdout, stderr })));
}

/** Answers a venue's requests from a recording, as a later test of the venue would. */
function askRecording(folder: string, calls: readonly RecordedCall[]): SendRequest {
  return async (request) => {
    const requested = JSON.parse(JSON.stringify(request));
    const exact = calls.find((call) => isDeepStrictEqual(call.request, requested));
    // A list that was cut seems to continue; its next page, which was not recorded, is empty.
    const page = calls.find((call) => 'path' in call.request && call.request.path === requested.path);
    const found = exact ?? page;
    if (!found) throw new Error(`not recorded: ${JSON.stringify(requested)}`);
    const payload: unknown = JSON.parse(readFileSync(join(folder, found.file), 'utf8'));
    return { payload: exact ? payload : trimmed(payload, 0), receivedAtMs: Date.parse(found.receivedAt) };
  };
}

async function replay(venue: Venue, folder: string, { calls }: Recording) {
  const contracts = new Map<string, Contract>();
  const send = askRecording(folder, calls);
  const all = emptyBatch();
  const lists = venue.polls.filter((poll) => poll.gives.includes('contracts'));
  const others = venue.polls.filter((poll) => !poll.gives.includes('contracts'));
  for (const poll of [...lists, ...others]) {
    if (poll.kind !== 'bulk') continue;
    const batch = await poll.collect({ send, contracts });
    for (const contract of batch.contractList?.contracts ?? []) contracts.set(contract.venueSymbol, contract);
    all.fundingQuotes.push(...batch.fundingQuotes);
    all.dayVolumes.push(...batch.dayVolumes);
    all.rejected.push(...batch.rejected);
  }
  return { contracts, batch: all };
}

suite('npm run venues:record, on the simulator', () => {
  let sim: SimServer;
  const parent = mkdtempSync(join(tmpdir(), 'perpwire-recordings-'));
  before(async () => {
    sim = await startSimServer({ seed: 1, coins: 40, venues: [], port: 0, pushEveryMs: 200 });
    const done = await record(
      'all',
      '--venues-url',
      sim.url,
      '--out',
      parent,
      '--rows',
      String(ROWS),
      '--seconds',
      '1',
    );
    assert.equal(done.code, 0, done.stdout + done.stderr);
  });
  after(async () => {
    await sim.close();
    rmSync(parent, { recursive: true, force: true });
  });

  for (const venue of VENUES.filter(({ facts }) => !facts.endedAt)) {
    test(`${venue.facts.exchange}: every call is recorded, small, dated, and parses again`, async () => {
      const folder = join(parent, venue.slug);
      const recording = JSON.parse(readFileSync(join(folder, 'recording.json'), 'utf8')) as Recording;
      assert.deepEqual(recording.failures, []);
      const recorded = new Set(recording.calls.map((call) => call.source));
      for (const source of [...venue.polls, ...venue.streams])
        assert.ok(recorded.has(source.name), `${source.name} is recorded`);
      assert.ok(recorded.has('settled history') && recorded.has('order book'));
      const day = recording.recordedAt.slice(0, 10);
      assert.match(day, /^20\d\d-\d\d-\d\d$/);
      for (const file of readdirSync(folder).filter((name) => name !== 'recording.json')) {
        assert.ok(file.startsWith(`${day}-`), `${file} is dated`);
        assert.ok(statSync(join(folder, file)).size < 60_000, `${file} is small`);
      }
      const { contracts, batch } = await replay(venue, folder, recording);
      assert.ok(contracts.size >= 1 && contracts.size <= 3 * ROWS, `${contracts.size} contracts`);
      const hasBulkRates = venue.polls.some((poll) => poll.kind === 'bulk' && poll.gives.includes('rate'));
      assert.equal(batch.fundingQuotes.length > 0, hasBulkRates);
      assert.ok(batch.dayVolumes.length > 0);
      assert.deepEqual(batch.rejected, []);
    });
  }

  test('a folder of one venue is the named one', async () => {
    const folder = join(parent, 'mine');
    const done = await record('okx', '--venues-url', sim.url, '--out', folder, '--seconds', '1');
    assert.equal(done.code, 0);
    assert.match(done.stdout, /OKX: \d+ replies in .*mine/);
    assert.ok(readdirSync(folder).includes('recording.json'));
  });

  test('a call that fails is reported, the others are kept', async () => {
    sim.setFaults('bybit', { errorStatus: 500, share: 0.5 });
    const folder = join(parent, 'half');
    let done = await record('bybit', '--venues-url', sim.url, '--out', folder, '--seconds', '1');
    for (let again = 0; done.code === 0 && again < 5; again++)
      done = await record('bybit', '--venues-url', sim.url, '--out', folder, '--seconds', '1');
    sim.setFaults('bybit', {});
    assert.equal(done.code, 1);
    assert.match(done.stdout, /Bybit .*: could not be recorded: HTTP 500/);
  });

  test('without a network it says what could not be reached', async () => {
    const done = await record('woox', '--venues-url', 'http://127.0.0.1:9', '--out', join(parent, 'none'));
    assert.equal(done.code, 1);
    assert.match(done.stdout, /WOOX instruments: could not be recorded: ECONNREFUSED/);
    assert.match(done.stdout, /WOOX could not be reached at http:\/\/127\.0\.0\.1:9/);
  });

  for (const [name, args, message] of [
    ['no venue', [], /name a venue/],
    ['an unknown venue', ['nyse'], /there is no venue "nyse"; there are binance/],
    ['--rows that is no number', ['okx', '--rows', 'many'], /--rows takes a whole number from 1 to 9999/],
    ['an unknown flag', ['okx', '--everything'], /Unknown option '--everything'/],
  ] as const) {
    test(`${name} is named, without a stack`, async () => {
      const done = await record(...args);
      assert.equal(done.code, 1);
      assert.match(done.stderr, message);
      assert.doesNotMatch(done.stderr, /\n\s+at /);
    });
  }
});

test('a reply is cut in its lists and maps of rows, and stays whole otherwise', () => {
  const row = { a: 1, b: '2', c: null };
  const map = Object.fromEntries(['x', 'y', 'z'].map((name) => [name, row]));
  assert.deepEqual(trimmed({ code: 0, data: [row, row, row], markets: map, row }, 2), {
    code: 0,
    data: [row, row],
    markets: { x: row, y: row },
    row,
  });
});
