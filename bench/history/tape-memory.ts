import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import { fundingTable } from '../../src/engines/funding/table.ts';
import { TapeRecorder } from '../../src/engines/tape/recorder.ts';
import type { FrozenContract } from '../../src/market/freeze.ts';
import { ALWAYS_HELD } from '../../src/storage/engine-lease.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { peakResidentMbOf } from '../processes.ts';

/**
 * Makes the table of /funding for each minute around a midnight and, with --tape, records it: minutes, the end of an hour
 * and of a day. Prints the peak of its resident memory.
 */
const { values } = parseArgs({
  options: { tape: { type: 'boolean', default: false }, contracts: { type: 'string', default: '9000' } },
});
const VENUES = 35;
const FROM_MINUTE = Math.floor(Date.UTC(2026, 10, 14, 22, 55) / MINUTE_MS);
const MINUTES = 70;

function contractAt(place: number, minute: number): FrozenContract {
  const name = `C${place}`;
  const priceUsd = 10 + (place % 977);
  const swing = Math.sin(minute / 50 + place);
  return {
    ...{ key: name, exchange: `V${place % VENUES}`, venueSymbol: name, symbol: `${name}-USDT`, coin: name },
    ...{ multiplier: 1, quote: 'USDT', isInverse: false, assetClass: 'crypto', isPriceOutlier: false },
    ...{ takerFeePct: 0.05, maxLeverage: 50, rateAtMs: minute * MINUTE_MS, intervalHours: 8, session: null },
    ratePct: Math.round(swing * 1e4) / 1e6,
    nextFundingAtMs: (Math.floor(minute / 480) + 1) * 480 * MINUTE_MS,
    ...{ markPrice: priceUsd * (1 + swing / 1e3), indexPrice: priceUsd },
    ...{ openInterestUsdt: 1e6 * (2 + swing), volume24hUsdt: 1e7 * (2 + swing) },
  };
}

const folder = mkdtempSync(join(tmpdir(), 'perpwire-bench-tape-'));
const log = createLog('silent');
const storage = await openStorage({ databaseUrl: null, sqliteFile: join(folder, 'tape.sqlite'), log });
const recorder = values.tape
  ? new TapeRecorder({
      ...{ storage, days: 180, engineLease: ALWAYS_HELD, log, metrics: createMetrics() },
      clockWatch: { onStep: () => () => undefined },
    })
  : null;
for (let minute = FROM_MINUTE; minute < FROM_MINUTE + MINUTES; minute++) {
  const asOfMs = minute * MINUTE_MS;
  const contracts = Array.from({ length: Number(values.contracts) }, (_, place) => contractAt(place, minute));
  const market = { asOfMs, states: [], identities: new Map(), contracts, curves: new Map() };
  const table = fundingTable(market, new Map());
  await recorder?.observe(asOfMs, table);
}
console.log(JSON.stringify({ peakMb: peakResidentMbOf(process.pid) }));
await storage.close();
rmSync(folder, { recursive: true, force: true });
