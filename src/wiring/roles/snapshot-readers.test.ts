import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { madeHistories, madeLegs } from '../../../test/operations/made-arbitrage.ts';
import { ManualClock } from '../../base/clock.ts';
import { createLog } from '../../base/log.ts';
import { createMetrics } from '../../base/metrics.ts';
import { PAIR_HISTORIES_TABLE } from '../../engines/arbitrage/histories.ts';
import { ARBITRAGE_LEGS_TABLE } from '../../engines/arbitrage/legs.ts';
import { DEFAULT_VIEW } from '../../engines/arbitrage/source.ts';
import { encodeTable } from '../../market/tables/table-codec.ts';
import { arbitrage } from '../../operations/arbitrage/arbitrage.ts';
import { readSettings } from '../../settings.ts';
import { openSeries } from '../market/series.ts';
import { snapshotReaders } from './snapshot-readers.ts';

const AS_OF_MS = Date.UTC(2026, 10, 14, 17, 5);
const STORE = { save: async () => undefined, load: async () => [], deleteBefore: async () => undefined };
const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-readers-'));
after(() => rmSync(dataDir, { recursive: true }));

const series = openSeries(STORE, {
  clock: new ManualClock(AS_OF_MS),
  log: createLog('silent'),
  metrics: createMetrics(),
  settings: { ...readSettings([], {}), dataDir },
});
after(() => series.close());

suite('what an API process prepares of the snapshots that it receives', () => {
  const readers = snapshotReaders(series);
  const legs = madeLegs({ coins: ['BTC', 'ETH', 'SOL'], exchanges: ['Binance', 'OKX'], asOfMs: AS_OF_MS });

  test('every series is decoded in turns', () => {
    assert.deepEqual([...readers.keys()].sort(), [...series.byName.keys()].sort());
  });

  test('rows of arbitrage, with the 30-day figures and the default order', async () => {
    series.byName.get(PAIR_HISTORIES_TABLE.name)?.take(AS_OF_MS, encodeTable(madeHistories(legs)), AS_OF_MS);
    await readers.get(ARBITRAGE_LEGS_TABLE.name)?.prepare({ asOfMs: AS_OF_MS, table: legs });
    const table = series.preparedArbitrage.get(legs)?.table(DEFAULT_VIEW) ?? assert.fail('not prepared');
    assert.ok(table.rowCount > 0);
    const [figure] = table.numbers('positive_hours_30d_pct');
    assert.ok(Number.isFinite(figure), `${figure}`);
    const order = arbitrage.rows?.defaultSort ?? '';
    table.permutation(order, () => assert.fail('the order is not prepared'));
  });
});
