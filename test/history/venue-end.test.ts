import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MINUTE_MS } from '../../src/base/times.ts';
import type { ContractNames } from '../../src/history/settlements/directory.ts';
import { SettlementKeeper } from '../../src/history/settlements/keeper.ts';
import { endedAtMsOf } from '../../src/venues/registry.ts';
import { onBothDatabases, silentLog } from '../storage/databases.ts';
import { keeping, minuteOf, NOW_MS } from './keeping.ts';

const NAMES: ContractNames = {
  exchange: 'CoinEx',
  venueSymbol: 'BTCUSDT',
  symbol: 'BTC-USDT',
  coin: 'BTC',
  isInverse: false,
  listedAtMs: null,
};
const ENDED_MS = Date.UTC(2026, 8, 22, 3, 18);
const FIRST_MS = Date.UTC(2026, 7, 1);
/** Every 8 h from 2026-08-01, with a hole after the end; the prints after the end are -0.375 %, as the venue writes them. */
const PRINTS = Array.from({ length: 240 }, (_, i) => {
  const minute = minuteOf('2026-08-01T00:00Z') + i * 480;
  return { minute, ratePct: minute * MINUTE_MS > ENDED_MS ? -0.375 : 0.01 };
}).filter(({ minute }) => minute !== minuteOf('2026-10-01T00:00Z'));
const KEPT = PRINTS.filter(({ minute }) => minute * MINUTE_MS <= ENDED_MS);
const EVERYTHING = {
  names: NAMES,
  prints: PRINTS,
  walked: { fromMs: FIRST_MS, toMs: NOW_MS },
  onConflict: 'replace',
} as const;

/** All that is stored of the contract, but its number and revision. */
async function storedOf(keeper: SettlementKeeper) {
  const contract = keeper.directory.find(NAMES.exchange, NAMES.venueSymbol);
  assert.ok(contract);
  const { id, revision: _, ...facts } = contract;
  const { minutes, ratesPct, intervalMinutes } = await keeper.reader.prints(id, 0, 2 ** 31);
  return {
    facts,
    prints: minutes.map((minute, i) => ({ minute, ratePct: ratesPct[i] })),
    intervalMinutes: [...intervalMinutes],
    days: await keeper.reader.days([id], 0, 40_000),
    gaps: await keeper.gaps.due(Number.MAX_SAFE_INTEGER),
  };
}

suite('prints of Coinbase International, which ended on 2026-10-01 at 09:00:29 UTC', () => {
  onBothDatabases((fresh) => {
    test('the prints of its last nine hours are stored, the one of 10:00 is refused', async (t) => {
      const { keeper } = await keeping(t, fresh);
      const hours = Array.from({ length: 12 }, (_, i) => minuteOf('2026-09-30T23:00Z') + i * 60);
      const { added, contract } = await keeper.submit({
        names: { ...NAMES, exchange: 'CoinbaseIntl', venueSymbol: 'BTC-PERP', symbol: 'BTC-USDC' },
        prints: hours.map((minute) => ({ minute, ratePct: 0.0011 })),
        walked: { fromMs: FIRST_MS, toMs: NOW_MS },
        onConflict: 'replace',
      });
      assert.equal(added.length, 11);
      assert.equal(contract.lastPrintMs, Date.UTC(2026, 9, 1, 9));
      assert.equal(contract.walkedToMs, Date.UTC(2026, 9, 1, 9, 0, 29));
    });
  });
});

suite('prints of CoinEx, which ended on 2026-09-22 at 03:18 UTC', () => {
  test('its end is a fact of the venue', () => assert.equal(endedAtMsOf('CoinEx'), ENDED_MS));

  onBothDatabases((fresh) => {
    test('prints after the end are refused, those before are stored', async (t) => {
      const { keeper } = await keeping(t, fresh);
      const { added, contract } = await keeper.submit(EVERYTHING);
      assert.deepEqual(added, KEPT);
      assert.equal(contract.lastPrintMs, Date.UTC(2026, 8, 22));
      assert.equal(contract.walkedToMs, ENDED_MS);
    });

    test('the same prints of another venue are stored', async (t) => {
      const { keeper } = await keeping(t, fresh);
      const { added } = await keeper.submit({ ...EVERYTHING, names: { ...NAMES, exchange: 'Bybit' } });
      assert.equal(added.length, PRINTS.length);
    });

    test('prints that were stored before the end was known are cut when the store is opened; a second time changes nothing', async (t) => {
      const clean = await keeping(t, fresh);
      await clean.keeper.submit(EVERYTHING);
      const wanted = await storedOf(clean.keeper);
      assert.deepEqual(wanted.prints, KEPT);

      const late = await keeping(t, fresh);
      const { contract } = await late.keeper.submit({
        ...EVERYTHING,
        names: { ...NAMES, exchange: 'Bybit' },
      });
      assert.equal((await late.keeper.gaps.due(Number.MAX_SAFE_INTEGER)).length, 1);
      // As a version stored them that did not know of the end.
      await late.storage.db
        .updateTable('settlement_contracts')
        .set({ exchange: 'CoinEx' })
        .where('id', '=', contract.id)
        .execute();
      const revisions: number[] = [];
      for (const time of ['first', 'second']) {
        const reopened = await SettlementKeeper.open({ ...late, log: silentLog });
        t.after(() => reopened.close());
        assert.deepEqual(await storedOf(reopened), wanted, time);
        revisions.push(reopened.directory.find('CoinEx', 'BTCUSDT')?.revision ?? 0);
      }
      assert.ok((revisions[0] ?? 0) > contract.revision, 'other processes read it again');
      assert.equal(revisions[1], revisions[0]);
    });
  });
});
