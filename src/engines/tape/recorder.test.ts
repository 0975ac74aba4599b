import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import type { ClockWatch } from '../../base/clock-steps.ts';
import { createLog } from '../../base/log.ts';
import { createMetrics } from '../../base/metrics.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { TapeStore } from '../../history/tape/store.ts';
import { storedFrames } from '../../market/frame-store.ts';
import type { FrozenContract, FrozenMarket } from '../../market/freeze.ts';
import { encodeTable } from '../../market/tables/table-codec.ts';
import { ALWAYS_HELD } from '../../storage/engine-lease.ts';
import { FencedError } from '../../storage/fences.ts';
import { openStorage, type Storage } from '../../storage/storage.ts';
import { FUNDING_TABLE, fundingTable } from '../funding/table.ts';
import { TapeRecorder } from './recorder.ts';

const log = createLog('silent');
const START = Math.floor(Date.UTC(2026, 10, 14, 7, 50) / MINUTE_MS);
const { NaN: UNKNOWN } = Number;
const BTC = { exchange: 'OKX', venueSymbol: 'BTC-USDT-SWAP' };

const CONTRACT: FrozenContract = {
  ...{ key: 'okx/BTC-USDT-SWAP', ...BTC, symbol: 'BTC-USDT', coin: 'BTC', multiplier: 1, quote: 'USDT' },
  ...{ isInverse: false, assetClass: 'crypto', isPriceOutlier: false, takerFeePct: 0.05, maxLeverage: 100 },
  ...{ ratePct: 0.01, rateAtMs: 0, intervalHours: 8, nextFundingAtMs: (START + 10) * MINUTE_MS },
  ...{
    volume24hUsdt: 123_456.78,
    markPrice: 100.05,
    indexPrice: 100,
    openInterestUsdt: 98_765.43,
    session: null,
  },
};

function table(ratePct: number, others: Partial<FrozenContract> = {}) {
  const contracts = [{ ...CONTRACT, ratePct, ...others }];
  const market: FrozenMarket = {
    ...{ asOfMs: 0, states: [], identities: new Map(), curves: new Map() },
    contracts,
  };
  return fundingTable(market, new Map());
}

suite('recording the tape', () => {
  let folder: string;
  let storage: Storage;
  let step: Parameters<ClockWatch['onStep']>[0];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'perpwire-recorder-'));
    storage = await openStorage({ databaseUrl: null, sqliteFile: join(folder, 'data.sqlite'), log });
  });
  afterEach(async () => {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const made = (days = 180, engineLease = ALWAYS_HELD) =>
    new TapeRecorder({
      ...{ storage, days, engineLease, log, metrics: createMetrics() },
      clockWatch: {
        onStep: (listener) => {
          step = listener;
          return () => undefined;
        },
      },
    });
  /** Publishes a snapshot as the service does: the frame is stored, then the recorder sees it. */
  const publish = async (recorder: TapeRecorder | null, minute: number, seconds: number, ratePct: number) => {
    const asOfMs = minute * MINUTE_MS + seconds * 1000;
    const frame = encodeTable(table(ratePct));
    await storedFrames(storage).saveAll([{ series: FUNDING_TABLE.name, asOfMs, frame }], null);
    await recorder?.observe(asOfMs, table(ratePct));
  };
  const rates = async (fromMinute: number, toMinute: number) => [
    ...(await new TapeStore(storage, log).series(BTC, fromMinute, toMinute)).column('ratePct'),
  ];

  test('a minute is what its last snapshot said, and is stored once it is over', async () => {
    const recorder = made();
    await publish(recorder, START, 40, 0.01);
    await publish(recorder, START, 50, 0.02);
    assert.deepEqual(await rates(START, START), [UNKNOWN]);
    await publish(recorder, START + 1, 0, 0.03);
    await publish(recorder, START + 1, 10, 0.04);
    await publish(recorder, START + 3, 0, 0.05);
    assert.deepEqual(await rates(START, START + 3), [0.02, 0.04, UNKNOWN, UNKNOWN]);
  });

  test('the figures of the snapshot: the premium is the mark price against the index price', async () => {
    const recorder = made();
    await publish(recorder, START + 4, 0, 0.01);
    await publish(recorder, START + 5, 0, 0.01);
    const series = await new TapeStore(storage, log).series(BTC, START, START + 4);
    const last = (name: Parameters<typeof series.column>[0]) => series.column(name).at(-1);
    assert.deepEqual(
      [last('intervalHours'), last('nextFundingAtMs'), last('premiumPct')],
      [8, (START + 10) * MINUTE_MS, 0.05],
    );
    assert.deepEqual(
      [last('markPrice'), last('openInterestUsdt'), last('volume24hUsdt')],
      [100.05, 98_765, 123_460],
    );
  });

  test('unknown figures stay unknown', async () => {
    const recorder = made();
    const unknown = {
      ...{ intervalHours: null, nextFundingAtMs: null, markPrice: null, openInterestUsdt: null },
    };
    await recorder.observe(START * MINUTE_MS, table(0.01, unknown));
    await recorder.observe((START + 1) * MINUTE_MS, table(0.01, unknown));
    const series = await new TapeStore(storage, log).series(BTC, START, START);
    for (const name of [
      'intervalHours',
      'nextFundingAtMs',
      'premiumPct',
      'markPrice',
      'openInterestUsdt',
    ] as const)
      assert.ok(Number.isNaN(series.column(name)[0]), name);
    assert.equal(series.column('ratePct')[0], 0.01);
  });

  test('after a kill, the minute that was not stored is that of the last stored frame', async () => {
    const killed = made();
    await publish(killed, START, 50, 0.01);
    await publish(killed, START + 1, 0, 0.02);
    await publish(killed, START + 1, 10, 0.03);
    // A snapshot that was published and that nobody recorded.
    await publish(null, START + 1, 20, 0.04);
    const next = made();
    await publish(next, START + 7, 0, 0.05);
    assert.deepEqual(await rates(START, START + 2), [0.01, 0.04, UNKNOWN]);
    await publish(next, START + 8, 0, 0.06);
    assert.deepEqual(await rates(START + 1, START + 7), [0.04, ...Array(5).fill(UNKNOWN), 0.05]);
  });

  test('started again within the minute, it goes on with it', async () => {
    await publish(made(), START, 20, 0.01);
    const next = made();
    await publish(next, START, 40, 0.02);
    await publish(next, START + 1, 0, 0.03);
    assert.deepEqual(await rates(START, START), [0.02]);
  });

  test('minutes that the database refused are stored when it is back, from the frames', async () => {
    let isRefused = false;
    const lease = {
      isHeld: () => true,
      fence: () => {
        if (isRefused) throw new FencedError('away');
        return null;
      },
    };
    const recorder = made(180, lease);
    await publish(recorder, START, 0, 0.01);
    isRefused = true;
    for (let minute = START + 1; minute <= START + 4; minute++)
      await publish(recorder, minute, 0, minute / 1e9);
    isRefused = false;
    await publish(recorder, START + 5, 0, 0.05);
    assert.deepEqual(await rates(START, START + 4), [
      0.01,
      ...[1, 2, 3, 4].map((minute) => (START + minute) / 1e9),
    ]);
  });

  test('what a clock that ran ahead has dated is deleted when it is set back', async () => {
    const recorder = made();
    await publish(recorder, START, 0, 0.01);
    // Set forward by an hour, and back after two minutes.
    await publish(recorder, START + 61, 0, 0.02);
    await publish(recorder, START + 62, 0, 0.03);
    await publish(recorder, START + 63, 0, 0.04);
    step({ byMs: -60 * MINUTE_MS, nowMs: (START + 3) * MINUTE_MS, wrongFromMs: (START + 61) * MINUTE_MS });
    await storedFrames(storage).deleteAfter((START + 3) * MINUTE_MS);
    await publish(recorder, START + 3, 0, 0.05);
    await publish(recorder, START + 4, 0, 0.06);
    assert.deepEqual(await rates(START, START + 4), [0.01, UNKNOWN, UNKNOWN, 0.05, UNKNOWN]);
    assert.ok((await rates(START + 5, START + 70)).every(Number.isNaN));
  });

  test('set back for an unknown reason, the minutes that are stored stay as they are', async () => {
    const recorder = made();
    await publish(recorder, START + 1, 0, 0.01);
    await publish(recorder, START + 2, 0, 0.02);
    step({ byMs: -MINUTE_MS, nowMs: (START + 1) * MINUTE_MS, wrongFromMs: null });
    await publish(recorder, START + 1, 5, 0.99);
    await publish(recorder, START + 2, 5, 0.98);
    await publish(recorder, START + 3, 0, 0.03);
    assert.deepEqual(await rates(START + 1, START + 2), [0.01, 0.02]);
  });

  test('what an earlier process has dated after now is deleted at the start', async () => {
    const ahead = made();
    await publish(ahead, START + 500, 0, 0.01);
    await publish(ahead, START + 501, 0, 0.02);
    await storedFrames(storage).deleteAfter(START * MINUTE_MS);
    const recorder = made();
    await publish(recorder, START, 0, 0.03);
    assert.ok((await rates(START + 499, START + 502)).every(Number.isNaN));
  });

  test('minutes are packed when an hour has ended, and deleted after TAPE_DAYS', async () => {
    const recorder = made(1);
    await publish(recorder, START, 0, 0.01);
    await publish(recorder, START + 1, 0, 0.02);
    await publish(recorder, START + 12, 0, 0.03);
    const lengths = async () =>
      (await storage.db.selectFrom('tape_blocks').select('minutes').execute()).map(({ minutes }) => minutes);
    assert.deepEqual(await lengths(), [60]);
    assert.deepEqual(await rates(START, START + 1), [0.01, 0.02]);
    await publish(recorder, START + 24 * 60, 0, 0.04);
    assert.deepEqual(await rates(START, START + 1), [0.01, 0.02]);
    await publish(recorder, START + 3 * 24 * 60, 0, 0.05);
    assert.deepEqual(await rates(START, START + 1), [UNKNOWN, UNKNOWN]);
  });

  test('a process that no longer has the lock stores nothing', async () => {
    const lease = {
      isHeld: () => true,
      fence: () => {
        throw new FencedError('another process has the lock');
      },
    };
    const recorder = made(180, lease);
    await publish(recorder, START, 0, 0.01);
    await publish(recorder, START + 1, 0, 0.02);
    assert.deepEqual(await rates(START, START + 1), [UNKNOWN, UNKNOWN]);
  });
});
