import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../base/log.ts';
import { isoTime } from '../base/times.ts';
import { CheckpointStore } from '../history/samples/checkpoints.ts';
import { msOfMinute } from '../history/samples/model.ts';
import { SampleStore } from '../history/samples/store.ts';
import { processEnvironment, readSettings } from '../settings.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import { LocalBacktest } from '../wiring/backtest/host.ts';
import { backtestBasis } from '../wiring/backtest/part.ts';
import { BacktestRun } from '../wiring/backtest/run.ts';
import { type Command, UsageError } from './command.ts';
import { flagsOf } from './flags.ts';
import { STORAGE_HELP, STORE_OPTIONS } from './stores.ts';

const HELP = `perpwire backtest rebuild [flags]

Computes the backtest from scratch out of the stored depth samples, whatever was computed before. A service that runs
on the same data takes the result over within a minute; one that is started later goes on from it.

  --backtest-days  scan window in days (default 7; the same as the service's)
${STORAGE_HELP}`;

const PROGRESS_STEP_PERCENT = 5;

export const backtestCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, {
      ...STORE_OPTIONS,
      'backtest-days': { type: 'string' },
    });
    if (positionals[0] !== 'rebuild' || positionals.length > 1)
      throw new UsageError(`backtest has rebuild\n\n${HELP}`);
    const given = (['data-dir', 'database-url', 'backtest-days'] as const).flatMap((name) =>
      values[name] === undefined ? [] : [`--${name}`, values[name]],
    );
    const settings = readSettings(given, processEnvironment());
    mkdirSync(settings.dataDir, { recursive: true });
    const storage = await openStorage({
      databaseUrl: settings.databaseUrl,
      sqliteFile: join(settings.dataDir, 'perpwire.sqlite'),
      log: createLog('warn'),
    });
    try {
      await rebuild(storage, settings.backtestDays);
    } finally {
      await storage.close();
    }
  },
};

async function rebuild(storage: Storage, windowDays: number): Promise<void> {
  const samples = new SampleStore(storage);
  await samples.open();
  const span = await samples.span();
  if (!span) {
    console.log('There are no depth samples yet: the service takes them once a minute while it runs.');
    return;
  }
  console.log(
    `Samples from ${isoTime(msOfMinute(span.firstMinute))} to ${isoTime(msOfMinute(span.lastMinute))}, ${samples.contracts.length} contracts`,
  );
  const host = new LocalBacktest();
  let toldPercent = 0;
  const run = new BacktestRun(host, {
    basis: backtestBasis(windowDays),
    samples,
    checkpoints: new CheckpointStore(storage),
    writer: randomUUID(),
    onProgress: (share) => {
      const percent = Math.floor(share * 100);
      if (percent < toldPercent + PROGRESS_STEP_PERCENT && percent < 100) return;
      toldPercent = percent;
      console.log(`${String(percent).padStart(3)} %`);
    },
    onDamage: (startMinute, damage) =>
      console.error(`${isoTime(msOfMinute(startMinute))}: ${damage}; it is left out`),
  });
  await run.rebuild();
  await run.catchUp({});
  await run.checkpoint();
  const { minute, sizes } = await host.report();
  console.log(`Done up to ${isoTime(msOfMinute(minute))}`);
  for (const { parts } of sizes)
    console.log(`${String(parts.sizeUsd).padStart(4)} USD: ${parts.rowCount} rows`);
}
