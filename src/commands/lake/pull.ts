import { systemClock } from '../../base/clock.ts';
import { createHttpClient } from '../../base/http/http-client.ts';
import { createLog } from '../../base/log.ts';
import { createMetrics } from '../../base/metrics.ts';
import type { RequestBudget } from '../../base/request-budget.ts';
import { isoTime, MINUTE_MS } from '../../base/times.ts';
import type { ContractNames } from '../../history/settlements/directory.ts';
import { SettlementKeeper } from '../../history/settlements/keeper.ts';
import type { ManifestDay } from '../../lake/files/manifest.ts';
import type { LakeStore } from '../../lake/files/store.ts';
import { isContradicted, SampleComparison, type VenueComparison } from '../../lake/pull/compare.ts';
import { importPrints } from '../../lake/pull/import.ts';
import { type PullProgress, pullLake } from '../../lake/pull/pull.ts';
import { RemoteLake } from '../../lake/pull/remote.ts';
import type { Settings } from '../../settings.ts';
import { Collector } from '../../venues/collecting/collector.ts';
import { chosenVenues } from '../../wiring/chosen-venues.ts';
import { UsageError, untilStopped } from '../command.ts';
import { redraw } from '../history/progress-bar.ts';
import { collectLists } from '../history/venue-lists.ts';
import { withStorage } from '../stores.ts';

interface PullFlags {
  url: string;
  sinceDay: string | null;
  /** Import also what could not be compared. */
  isTrusted: boolean;
  /** Import prints also of venues whose sample differs. */
  isAccepting: boolean;
}

const SHOWN_DIFFERENCES = 5;
const count = (value: number) => value.toLocaleString('en-US');

/** Takes the files of another installation, compares a sample with the venues, and stores the prints. */
export async function pull(settings: Settings, store: LakeStore, flags: PullFlags): Promise<void> {
  const { url, sinceDay } = flags;
  if (!/^https?:\/\//.test(url))
    throw new UsageError(`lake pull takes an http or https address; it is "${url}"`);
  if (settings.lakeKey === '')
    throw new UsageError('lake pull needs a key of the other installation, with history:read: set LAKE_KEY');
  const stopping = new AbortController();
  const { signal } = stopping;
  void untilStopped().then(() => stopping.abort());
  try {
    const remote = new RemoteLake(url, settings.lakeKey);
    const onProgress = progressOn(process.stderr);
    const days = await pullLake({ remote, store, sinceDay, clock: systemClock, signal, onProgress });
    console.log(
      `${count(days.length)} days of ${remote.where} are in ${store.where}; every hash and the chain fit`,
    );
    if (days.length === 0) return;
    const comparisons = await compareWithVenues(settings, store, days, signal);
    const compared = new Map(comparisons.map((comparison) => [comparison.exchange, comparison]));
    const leftOut: LeftOut = { contradicted: new Set(), notCompared: new Set(), contracts: new Set() };
    const isWanted = (names: ContractNames) =>
      isWantedOf(names, compared.get(names.exchange), flags, leftOut);
    await storePrints(settings, store, days, isWanted, signal);
    sayLeftOut(leftOut);
  } catch (error) {
    if (!signal.aborted) throw error;
    console.error('Stopped. The next run goes on from here.');
    process.exitCode = 1;
  }
}

interface LeftOut {
  contradicted: Set<string>;
  notCompared: Set<string>;
  /** Of venues that were compared; each as venue and symbol. */
  contracts: Set<string>;
}

const MOST_NAMED = 10_000;
const SERVED = new Set(chosenVenues([]).map(({ facts }) => facts.exchange));

/** What could not be compared is not stored, unless the operator trusts the other installation. */
function isWantedOf(
  { exchange, venueSymbol }: ContractNames,
  comparison: VenueComparison | undefined,
  { isTrusted, isAccepting }: PullFlags,
  leftOut: LeftOut,
): boolean {
  if (!SERVED.has(exchange)) return false;
  const isCompared = comparison !== undefined && comparison.compared > 0;
  if (isCompared && isContradicted(comparison) && !isAccepting) leftOut.contradicted.add(exchange);
  else if (isTrusted) return true;
  else if (!isCompared) leftOut.notCompared.add(exchange);
  else if (!comparison.listed.has(venueSymbol)) noteContract(leftOut, `${exchange} ${venueSymbol}`);
  else return true;
  return false;
}

/** The names come from the other installation, so not all of them are kept. */
function noteContract({ contracts }: LeftOut, contract: string): void {
  if (contracts.size < MOST_NAMED) contracts.add(contract);
}

function sayLeftOut({ contradicted, notCompared, contracts }: LeftOut): void {
  const names = (found: ReadonlySet<string>) => [...found].sort().join(', ');
  if (contradicted.size > 0)
    console.error(
      `Prints of ${names(contradicted)} were not stored, because the venue says otherwise; --accept-differences stores them.`,
    );
  if (notCompared.size > 0)
    console.error(
      `Prints of ${names(notCompared)} were not stored, because they could not be compared; --trust stores them.`,
    );
  if (contracts.size > 0)
    console.error(
      `Prints of ${contracts.size === MOST_NAMED ? 'at least ' : ''}${count(contracts.size)} contracts, such as ${[...contracts][0]}, were not stored, because their venue does not list them now; --trust stores them.`,
    );
  if (contradicted.size + notCompared.size + contracts.size > 0) process.exitCode = 1;
}

async function compareWithVenues(
  settings: Settings,
  store: LakeStore,
  days: readonly ManifestDay[],
  signal: AbortSignal,
): Promise<VenueComparison[]> {
  const [log, metrics, http, clock] = [createLog('error'), createMetrics(), createHttpClient(), systemClock];
  const comparison = await SampleComparison.read({ store, days, clock, log, metrics, signal });
  const venues = chosenVenues(settings.venues).filter(({ facts }) =>
    comparison.exchanges.includes(facts.exchange),
  );
  const sharedBudgets = new Map<string, RequestBudget>();
  const isPaced = settings.venuesUrl === null || settings.historyPaced;
  try {
    return await Promise.all(
      venues.map(async (venue) => {
        const common = { venue, http, clock, log, metrics, simUrl: settings.venuesUrl, isPaced };
        const collector = new Collector({ ...common, sharedBudgets, accept: () => undefined });
        await collectLists(collector, 'contracts', signal);
        await collector.stop();
        const found = await comparison.compare({
          venue,
          contracts: collector.contracts,
          sender: (priority, abort) => collector.caller.sender(priority, abort),
          volumeOf: () => 0,
        });
        console.log(comparisonText(found));
        return found;
      }),
    );
  } finally {
    await http.close();
  }
}

export function comparisonText({ exchange, compared, differences, reason }: VenueComparison): string {
  if (reason !== null) return `${exchange}: not compared, ${reason}`;
  const lines = differences
    .slice(0, SHOWN_DIFFERENCES)
    .map(
      ({ venueSymbol, minute, oursPct, venuePct }) =>
        `  ${venueSymbol} ${isoTime(minute * MINUTE_MS)}: ${oursPct ?? 'nothing'} in the lake, ${venuePct ?? 'nothing'} at the venue`,
    );
  if (differences.length > SHOWN_DIFFERENCES)
    lines.push(`  and ${differences.length - SHOWN_DIFFERENCES} more`);
  const outcome = differences.length === 0 ? 'all the same' : `${count(differences.length)} differ`;
  return [`${exchange}: ${count(compared)} prints compared with the venue, ${outcome}`, ...lines].join('\n');
}

async function storePrints(
  settings: Settings,
  store: LakeStore,
  days: readonly ManifestDay[],
  isWanted: (names: ContractNames) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const files = days.flatMap((day) => day.files.filter(({ dataset }) => dataset === 'prints'));
  await withStorage(settings, async (storage) => {
    const options = { storage, clock: systemClock, log: createLog('error'), metrics: createMetrics() };
    const keeper = await SettlementKeeper.open({ ...options, batchWaitMs: 0, isReader: true });
    let done = 0;
    const onFile = (prints: number) => {
      done++;
      if (process.stderr.isTTY)
        process.stderr.write(
          redraw([`${count(prints)} prints of ${done}/${files.length} files read`], done > 1 ? 1 : 0, 80),
        );
    };
    const report = await importPrints({ store, keeper, files, isWanted, clock: systemClock, onFile, signal });
    await keeper.close();
    console.log(
      `${count(report.prints)} prints read: ${count(report.added)} added, ${count(report.differing)} differ from stored ones, which stay, ${count(report.leftOut)} left out`,
    );
  });
}

const LINE_EVERY_MS = 10_000;
const REDRAW_EVERY_MS = 200;

/** Redraws a line on a terminal; elsewhere prints one from time to time. */
function progressOn(out: NodeJS.WriteStream): (progress: PullProgress) => void {
  let [shownAtMs, drawn] = [0, 0];
  return ({ files, totalFiles, bytes, totalBytes }) => {
    const nowMs = performance.now();
    if (files < totalFiles && nowMs - shownAtMs < (out.isTTY ? REDRAW_EVERY_MS : LINE_EVERY_MS)) return;
    shownAtMs = nowMs;
    const line = `${count(files)}/${count(totalFiles)} files  ${(bytes / 1e6).toFixed(1)}/${(totalBytes / 1e6).toFixed(1)} MB`;
    out.write(out.isTTY ? redraw([line], drawn, out.columns) : `${line}\n`);
    drawn = 1;
  };
}
