import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLog } from '../../src/base/log.ts';
import { LocalBacktest } from '../../src/engines/backtest/running/host.ts';
import { MINUTES_PER_BLOCK } from '../../src/history/samples/model.ts';
import { SampleStore } from '../../src/history/samples/store.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { minute } from './setting.ts';

/** Writes minute by minute, packs each full hour, prints every stored minute, and runs until it is killed. */
const [sqliteFile = '', startMinute = '0'] = process.argv.slice(2);
const storage = await openStorage({ databaseUrl: null, sqliteFile, log: createLog('silent') });
const store = new SampleStore(storage);
await store.open();
await store.idsOf([{ exchange: 'Alpha', venueSymbol: 'BTCUSDT', coin: 'BTC', quote: 'USDT' }]);
const packer = new LocalBacktest();
for (let at = Number(startMinute); ; at++) {
  await store.add(minute(at, { 1: [99 + (at % 7), 101 + (at % 7)] }));
  process.stdout.write(`${at}\n`);
  // Nothing else waits: what did not fit into the pipe would never be written.
  await nextTurn();
  if (at % MINUTES_PER_BLOCK !== MINUTES_PER_BLOCK - 1) continue;
  for (const hour of await store.unpackedHours(at + 1))
    await store.replaceHour(hour, await packer.pack(await store.blocksOfHour(hour)));
}
