import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { createLog } from '../../base/log.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { loadCoinSplits, saveCoinSplits } from '../../storage/coin-splits.ts';
import { ALWAYS_HELD } from '../../storage/engine-lease.ts';
import { openStorage, type Storage } from '../../storage/storage.ts';
import { CoinSplitKeeper, readSplits } from './split-keeper.ts';
import type { StoredSplits } from './stored-splits.ts';

const log = createLog('silent');
const STORED: StoredSplits = {
  checkedAtMs: 2,
  coins: [{ key: 'OKX/QNT', ticker: 'QNT', coin: 'QNT.STOCK', sinceMs: 1 }],
  pending: [{ key: 'BTSE/QNT', coin: 'QNT.STOCK', sinceMs: 1 }],
  tickers: [
    {
      ticker: 'QNT',
      sinceMs: 1,
      coins: [
        { coin: 'QNT', assetClass: null, priceUsd: 64.32, exchanges: ['XT'] },
        { coin: 'QNT.STOCK', assetClass: 'stock', priceUsd: 48.73, exchanges: ['OKX'] },
      ],
    },
  ],
};

suite('stored tickers of more than one coin', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-splits-'));
  let storage: Storage;
  before(async () => {
    storage = await openStorage({ databaseUrl: null, sqliteFile: join(folder, 'splits.sqlite'), log });
  });
  after(async () => {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('nothing is stored at first', async () => assert.equal(await readSplits(storage, log), null));

  test('what was saved last is read', async () => {
    await saveCoinSplits(storage, { ...STORED, checkedAtMs: 1 }, 1, null);
    await saveCoinSplits(storage, STORED, 2, null);
    assert.deepEqual(await readSplits(storage, log), STORED);
  });

  test('the holder of the lease goes on from what is stored, and stores what it knows when it stops', async () => {
    const clock = new ManualClock(5 * MINUTE_MS);
    const context = { storage, clock, log };
    const other = await CoinSplitKeeper.open({
      ...context,
      engineLease: { isHeld: () => false, fence: () => null },
    });
    assert.equal(other.splits.coinOf('OKX/QNT', 'QNT'), 'QNT.STOCK');
    await saveCoinSplits(storage, { ...STORED, coins: [] }, 3, null);
    await other.stop();
    assert.deepEqual((await readSplits(storage, log))?.coins, [], 'without the lease it stores nothing');
    const keeper = await CoinSplitKeeper.open({ ...context, engineLease: ALWAYS_HELD });
    await saveCoinSplits(storage, STORED, 4, null);
    await keeper.stop();
    assert.deepEqual((await readSplits(storage, log))?.coins, []);
  });

  for (const [what, value] of [
    ['a list', []],
    ['no time of the last check', { ...STORED, checkedAtMs: null }],
    ['a coin without a ticker', { ...STORED, coins: [{ key: 'OKX/QNT', coin: 'QNT.STOCK', sinceMs: 1 }] }],
    ['a pending contract without a time', { ...STORED, pending: [{ key: 'BTSE/QNT', coin: 'QNT.STOCK' }] }],
    [
      'a class that does not exist',
      {
        ...STORED,
        tickers: [
          { ticker: 'Q', sinceMs: 1, coins: [{ coin: 'Q', assetClass: 'art', priceUsd: 1, exchanges: [] }] },
        ],
      },
    ],
    [
      'a venue that is no text',
      {
        ...STORED,
        tickers: [
          { ticker: 'Q', sinceMs: 1, coins: [{ coin: 'Q', assetClass: null, priceUsd: 1, exchanges: [1] }] },
        ],
      },
    ],
  ] as const)
    test(`a document with ${what} counts as none`, async () => {
      await saveCoinSplits(storage, value, 3, null);
      assert.notEqual(await loadCoinSplits(storage), null);
      assert.equal(await readSplits(storage, log), null);
    });
});
