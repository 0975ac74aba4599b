import { systemClock } from '../../base/clock.ts';
import { createMetrics } from '../../base/metrics.ts';
import { SettlementKeeper } from '../../history/settlements/keeper.ts';
import { buildLake, dayText } from '../../lake/build.ts';
import { dayStartMs, type LakeFile } from '../../lake/files/manifest.ts';
import type { LakeStore } from '../../lake/files/store.ts';
import { openLake } from '../../lake/open.ts';
import { firstPrintDayMs, lakeSources } from '../../lake/sources.ts';
import type { Settings } from '../../settings.ts';
import { type Command, UsageError, untilStopped } from '../command.ts';
import { actionOf, flagsOf, refuseMore } from '../flags.ts';
import { STORAGE_HELP, STORE_OPTIONS, storeSettings, withStorage } from '../stores.ts';
import { prune, verify } from './checks.ts';
import { pull } from './pull.ts';

const HELP = `perpwire lake build [--day DAY]
perpwire lake pull URL [--since DAY] [--trust] [--accept-differences]
perpwire lake verify
perpwire lake prune [--before DAY]

Parquet files of the stored history, one for each day and dataset, with a list of their hashes: docs/lake.md.

build   writes the files of all days that are over and not built yet. Files never change: what is learned later is in the
        file of a later day. A build that is interrupted leaves no incomplete file; the next one goes on.
pull    takes the files of another installation (a URL such as https://perpwire.example and a key of it in LAKE_KEY), checks
        every hash and the chain, compares a sample of each venue with what the venue itself still has, and stores the
        prints that could be compared. It goes on where it was interrupted. Prints that are stored already are not changed.
verify  reads every file and checks sizes, hashes and the chain of days. Exit code 1 if a file is damaged.
prune   deletes the files of days before a day, and files that a build left when it was killed

  --day           the last day to build, such as 2026-11-17; by default yesterday (UTC)
  --since         the first day to take
  --trust         store also what could not be compared: prints of venues that did not answer, and of contracts that their
                  venue does not list now
  --accept-differences  store prints also of venues whose sample differs
  --before        the first day that stays; without it no day is deleted
  --lake-url      folder of the files, or bucket such as s3://bucket/prefix (default LAKE_URL, else the folder lake of the data)
${STORAGE_HELP}`;

const OPTIONS = {
  ...STORE_OPTIONS,
  'lake-url': { type: 'string' },
  day: { type: 'string' },
  before: { type: 'string' },
  since: { type: 'string' },
  'venues-url': { type: 'string' },
  trust: { type: 'boolean', default: false },
  'accept-differences': { type: 'boolean', default: false },
} as const;

type Flags = ReturnType<typeof flagsOf<typeof OPTIONS>>['values'];

export const lakeCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, OPTIONS);
    const action = actionOf('lake', positionals[0], ['build', 'pull', 'verify', 'prune']);
    const [, url, ...more] = positionals;
    refuseMore(`lake ${action}`, action === 'pull' || url === undefined ? more : [url]);
    const settings = settingsOf(values);
    const store = openLake(settings);
    const [lastDayMs, beforeMs] = [dayMsOf('day', values.day), dayMsOf('before', values.before)];
    if (action === 'build') await build(settings, store, lastDayMs);
    else if (action === 'pull') await pull(settings, store, pullFlagsOf(url, values));
    else if (action === 'verify') await verify(store);
    else await prune(store, beforeMs === undefined ? null : dayText(beforeMs));
  },
};

function settingsOf(flags: Flags): Settings {
  const more = (['lake-url', 'venues-url'] as const).flatMap((name) =>
    flags[name] === undefined ? [] : [`--${name}`, flags[name]],
  );
  return storeSettings(flags, more);
}

function pullFlagsOf(url: string | undefined, flags: Flags) {
  if (url === undefined) throw new UsageError('lake pull needs URL: the address of another installation');
  const sinceMs = dayMsOf('since', flags.since);
  return {
    url,
    sinceDay: sinceMs === undefined ? null : dayText(sinceMs),
    isTrusted: flags.trust,
    isAccepting: flags['accept-differences'],
  };
}

function dayMsOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const timeMs = dayStartMs(text);
  if (timeMs === null) throw new UsageError(`--${name} takes a day such as 2026-11-17; it is "${text}"`);
  return timeMs;
}

async function build(settings: Settings, store: LakeStore, lastDayMs: number | undefined): Promise<void> {
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort());
  await withStorage(settings, async (storage, log) => {
    const options = { storage, clock: systemClock, log, metrics: createMetrics(), isReader: true };
    const keeper = await SettlementKeeper.open(options);
    const built = await buildLake({
      store,
      sources: lakeSources(storage, keeper, log),
      nowMs: systemClock.nowMs(),
      firstDayMs: () => firstPrintDayMs(keeper),
      lastDayMs,
      onDay: (day, files) => console.log(dayLine(day, files)),
      signal: stopping.signal,
    });
    await keeper.close();
    console.log(
      stopping.signal.aborted
        ? 'Stopped. The next run goes on from here.'
        : `${built.length} ${built.length === 1 ? 'day' : 'days'} built in ${store.where}`,
    );
  });
}

function dayLine(day: string, files: readonly LakeFile[]): string {
  const parts = files.map(
    ({ dataset, rows, bytes }) =>
      `${dataset} ${rows.toLocaleString('en-US')} rows, ${Math.ceil(bytes / 1000).toLocaleString('en-US')} kB`,
  );
  return `${day}  ${parts.length === 0 ? 'nothing was stored' : parts.join('; ')}`;
}
