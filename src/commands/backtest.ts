import { randomUUID } from 'node:crypto';
import { isoTime } from '../base/times.ts';
import { backtestBasis } from '../engines/backtest/running/basis.ts';
import { LocalBacktest } from '../engines/backtest/running/host.ts';
import { BacktestRun } from '../engines/backtest/running/run.ts';
import { CheckpointStore } from '../history/samples/checkpoints.ts';
import { msOfMinute } from '../history/samples/model.ts';
import { SampleStore } from '../history/samples/store.ts';
import { processEnvironment, readSettings } from '../settings.ts';
import type { Storage } from '../storage/storage.ts';
import type { Command } from './command.ts';
import { actionOf, flagsOf, refuseMore } from './flags.ts';
import { STORAGE_HELP, STORE_OPTIONS, withStorage } from './stores.ts';

const HELP = `perpwire backtest rebuild [flags]

Computes the backtest again from all stored depth samples, without the results of earlier runs. A service that runs on
the same data uses the new result within a minute; a service that starts later continues from it.

  --backtest-days  scan window in days (default 7); must be the same as the service's BACKTEST_DAYS
${STORAGE_HELP}`;

const PROGRESS_STEP_PERCENT = 5;

export const backtestCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, {
      ...STORE_OPTIONS,
      'backtest-days': { type: 'string' },
    });
    actionOf('backtest', positionals[0], ['rebuild']);
    refuseMore('backtest rebuild', positionals.slice(1));
    const given = (['data-dir', 'database-url', 'backtest-days'] as const).flatMap((name) =>
      values[name] === undefined ? [] : [`--${name}`, values[name]],
    );
    const settings = readSettings(given, processEnvironment());
    await withStorage(settings, (storage) => rebuild(storage, settings.backtestDays));
  },
};

async function rebuild(storage: Storage, windowDays: number): Promise<void> {
  const samples = new SampleStore(storage);
  await samples.open();
  const span = await samples.span();
  if (!span) {
    console.log('There are no depth samples yet. A running service takes them once a minute.');
    return;
  }
  console.log(
    `Samples from ${isoTime(msOfMinute(span.firstMinute))} to ${isoTime(msOfMinute(span.lastMinute))}, ${samples.contracts.length} contracts`,
  );
  const host = new LocalBacktest();
  let shownPercent = 0;
  const run = new BacktestRun(host, {
    basis: backtestBasis(windowDays),
    samples,
    checkpoints: new CheckpointStore(storage),
    writer: randomUUID(),
    onProgress: (share) => {
      const percent = Math.floor(share * 100);
      if (percent < shownPercent + PROGRESS_STEP_PERCENT && percent < 100) return;
      shownPercent = percent;
      console.log(`${String(percent).padStart(3)} %`);
    },
    onDamage: (startMinute, damage) =>
      console.error(`${isoTime(msOfMinute(startMinute))}: skipped an unreadable block of samples: ${damage}`),
  });
  await run.rebuild();
  await run.catchUp({});
  await run.checkpoint();
  const { minute, sizes } = await host.report();
  console.log(`Done up to ${isoTime(msOfMinute(minute))}`);
  for (const { sizeUsd, rowCount } of sizes)
    console.log(`${String(sizeUsd).padStart(4)} USD: ${rowCount} rows`);
}
