import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { heldPrints, keeping, minuteOf, NOW_MS } from '../../../test/history/keeping.ts';
import { freshSqlite, silentLog } from '../../../test/storage/sqlite.ts';
import { DAY_MS, MINUTE_MS } from '../../base/times.ts';
import { settlementBlockId } from '../../storage/blocks.ts';
import { endedAtMsOf } from '../../venues/registry.ts';
import type { ContractNames } from './directory.ts';
import { SettlementKeeper } from './keeper.ts';
import { mergePrints } from './merge.ts';

const NAMES: ContractNames = {
  exchange: 'CoinEx',
  venueSymbol: 'BTCUSDT',
  symbol: 'BTC-USDT',
  coin: 'BTC',
  isInverse: false,
  listedAtMs: null,
};
const ENDED_MS = Date.UTC(2026, 8, 22, 3, 18);
/** Every 8 h from 2026-08-01; after the end -0.375 %, as the venue writes them. */
const PRINTS = Array.from({ length: 240 }, (_, i) => {
  const minute = minuteOf('2026-08-01T00:00Z') + i * 480;
  return { minute, ratePct: minute * MINUTE_MS > ENDED_MS ? -0.375 : 0.01 };
});
const KEPT = PRINTS.filter(({ minute }) => minute * MINUTE_MS <= ENDED_MS);

suite('prints of CoinEx, which ended on 2026-09-22 at 03:18 UTC', () => {
  test('its end is a fact of the venue', () => assert.equal(endedAtMsOf('CoinEx'), ENDED_MS));

  test('prints after the end are refused, those before are stored', async (t) => {
    const kept = await keeping(t, freshSqlite);
    const walked = { fromMs: Date.UTC(2026, 7, 1), toMs: NOW_MS };
    const { added, contract } = await kept.keeper.submit({
      names: NAMES,
      prints: PRINTS,
      walked,
      onConflict: 'replace',
    });
    assert.deepEqual(added, KEPT);
    assert.equal(contract.lastPrintMs, Date.UTC(2026, 8, 22));
    assert.equal(contract.walkedToMs, ENDED_MS);
  });

  test('the same prints of another venue are stored', async (t) => {
    const kept = await keeping(t, freshSqlite);
    const names = { ...NAMES, exchange: 'Bybit' };
    const { added } = await kept.keeper.submit({
      names,
      prints: PRINTS,
      walked: null,
      onConflict: 'replace',
    });
    assert.equal(added.length, PRINTS.length);
  });

  test('prints that were stored before the end was known are cut when the store is opened; a second time changes nothing', async (t) => {
    const { storage, clock, metrics, keeper } = await keeping(t, freshSqlite);
    const { contract } = await keeper.submit({
      names: NAMES,
      prints: KEPT,
      walked: { fromMs: Date.UTC(2026, 7, 1), toMs: ENDED_MS },
      onConflict: 'replace',
    });
    const cleanDays = await keeper.reader.days([contract.id], 0, 40_000);
    // As an earlier version stored them.
    const { blocks } = mergePrints(new Map(), PRINTS, 'replace');
    for (const [number, block] of blocks) {
      const row = { id: settlementBlockId(number, contract.id), ...block };
      await storage.db
        .insertInto('settlement_blocks')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(block))
        .execute();
    }
    const lateMs = (PRINTS.at(-1)?.minute ?? 0) * MINUTE_MS;
    await storage.db
      .updateTable('settlement_contracts')
      .set({ last_print_ms: lateMs, walked_to_ms: lateMs, print_count: PRINTS.length })
      .where('id', '=', contract.id)
      .execute();
    const gap = { contract_id: contract.id, tries: 0, next_try_at_ms: null };
    const late = minuteOf('2026-10-01T00:00Z');
    await storage.db
      .insertInto('settlement_gaps')
      .values({ ...gap, after_minute: late, before_minute: late + 2000 })
      .execute();

    for (const time of ['first', 'second']) {
      const reopened = await SettlementKeeper.open({ storage, clock, log: silentLog, metrics });
      t.after(() => reopened.close());
      const held = reopened.directory.find('CoinEx', 'BTCUSDT');
      assert.ok(held);
      assert.deepEqual(
        await heldPrints(
          { storage, clock, metrics, keeper: reopened },
          'CoinEx',
          'BTCUSDT',
          0,
          NOW_MS + DAY_MS,
        ),
        KEPT.map(({ minute, ratePct }) => [minute, ratePct]),
        time,
      );
      assert.deepEqual(
        [held.lastPrintMs, held.walkedToMs, held.printCount],
        [Date.UTC(2026, 8, 22), ENDED_MS, KEPT.length],
      );
      assert.deepEqual(await reopened.reader.days([held.id], 0, 40_000), cleanDays);
      assert.deepEqual(await storage.db.selectFrom('settlement_gaps').selectAll().execute(), []);
      assert.equal(held.revision > contract.revision, true);
    }
  });
});
