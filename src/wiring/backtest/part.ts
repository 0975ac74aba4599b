import { randomUUID } from 'node:crypto';
import { SECOND_MS } from '../../base/times.ts';
import type { PairName, PairView } from '../../engines/backtest/pair-view.ts';
import { tableOf } from '../../engines/backtest/rows.ts';
import { usualRule } from '../../engines/backtest/rule.ts';
import { CheckpointStore } from '../../history/samples/checkpoints.ts';
import { MINUTES_PER_BLOCK, minuteOf, msOfMinute } from '../../history/samples/model.ts';
import { VENUES } from '../../venues/registry.ts';
import type { Series } from '../market/series.ts';
import type { Part, PartContext } from '../part.ts';
import type { SamplesPart } from '../samples/part.ts';
import type { BacktestBasis, BacktestHost, BacktestReport } from './host.ts';
import { BacktestRun, retentionMinutes } from './run.ts';
import { backtestThread } from './thread.ts';

export interface BacktestPart extends Part {
  /** Computes up to the newest stored sample and publishes the result. */
  catchUp(): Promise<void>;
  /** What the figures of one pair are made from, for its chart; null when it has no row, or while nothing runs. */
  pair(name: PairName): Promise<PairView | null>;
  /** While older samples are still being stored: goes no further than the minute; null ends that. */
  limitTo(minute: number | null): void;
}

/** Delayed readers need a result of 15 minutes ago soon after a start: while catching up, every so often one is made. */
const REPORTS_FOR_DELAYED = { lastMinutes: 18, every: 4 };
const PROGRESS_EVERY_MS = 5 * SECOND_MS;

/** With the fees of all venues, watched or not: what was sampled once stays comparable. */
export function backtestBasis(windowDays: number): BacktestBasis {
  return {
    rule: usualRule(windowDays),
    takerFeesPct: Object.fromEntries(VENUES.map(({ facts }) => [facts.exchange, facts.takerFeePct.value])),
  };
}

/** Keeps the backtest up to date, in a thread of its own; meanwhile the last result is served. */
export function backtestPart(
  context: PartContext,
  samples: SamplesPart,
  { backtest: timelines }: Pick<Series, 'backtest'>,
): BacktestPart {
  const { clock, log, metrics, settings, storage, engineLease } = context;
  const basis = backtestBasis(settings.backtestDays);
  const checkpoints = new CheckpointStore(storage);
  let writer = randomUUID();
  let startedFrom: { writer: string } | null = null;
  let host: BacktestHost | null = null;
  let run: BacktestRun | null = null;
  let working: Promise<void> | null = null;
  let isWantedAgain = false;
  let lastProgressMs = 0;
  let lastMinute = Number.POSITIVE_INFINITY;
  const stopping = new AbortController();

  const publish = async ({ minute, sizes }: BacktestReport) => {
    if (!engineLease.isHeld()) return;
    const asOfMs = msOfMinute(minute);
    // All sizes become visible in the same turn, so that kept answers of one are never older than of another.
    await Promise.all(
      sizes.map(({ parts, frame }) => {
        metrics.backtestRows.set({ size_usd: parts.sizeUsd }, parts.rowCount);
        return timelines.get(parts.sizeUsd)?.publishEncoded({ asOfMs, table: tableOf(parts) }, frame);
      }),
    );
    metrics.backtestAsOf.set(asOfMs / 1000);
  };

  const showProgress = (share: number) => {
    metrics.backtestProgress.set(share);
    const nowMs = performance.now();
    if (share >= 1 || nowMs - lastProgressMs < PROGRESS_EVERY_MS) return;
    lastProgressMs = nowMs;
    log.info({ percent: Math.floor(share * 100) }, 'backtest: reading the stored samples');
  };

  const begin = async () => {
    await host?.close();
    host = backtestThread(settings.dataDir);
    writer = randomUUID();
    run = new BacktestRun(host, {
      basis,
      samples: samples.store,
      checkpoints,
      writer,
      onProgress: showProgress,
      onDamage: (startMinute, damage) =>
        log.error({ startMinute, damage }, 'a block of depth samples cannot be read and is left out'),
    });
    await run.resume();
    startedFrom = await checkpoints.newest();
    return run;
  };

  /** `perpwire backtest rebuild` leaves its result as a checkpoint: then ours is no longer the truth. */
  const isReplaced = async () => {
    const newest = await checkpoints.newest();
    return newest !== null && newest.writer !== writer && newest.writer !== startedFrom?.writer;
  };

  const work = async () => {
    const current = run && !(await isReplaced()) ? run : await begin();
    const nowMinute = minuteOf(clock.nowMs());
    const { lastMinutes, every } = REPORTS_FOR_DELAYED;
    const startedMs = performance.now();
    const hasAdvanced = await current.catchUp({
      isReportWanted: (minute) =>
        minute < nowMinute && minute >= nowMinute - lastMinutes && minute % every === 0,
      onReport: publish,
      lastMinute: () => lastMinute,
      signal: stopping.signal,
    });
    // A result of days ago would only be taken for the newest.
    if (stopping.signal.aborted || !host || Number.isFinite(lastMinute)) return;
    const hasResult = timelines.values().every((timeline) => timeline.at(0, clock.nowMs()) !== null);
    if (current.minute >= 0 && (hasAdvanced || !hasResult)) await publish(await host.report());
    if (hasAdvanced) metrics.backtestSeconds.observe((performance.now() - startedMs) / 1000);
    await tidy(current, host);
  };

  /** Packs finished hours and forgets what no figure can need any more. */
  const tidy = async (current: BacktestRun, worker: BacktestHost) => {
    for (const hour of await samples.store.unpackedHours(current.minute)) {
      if (stopping.signal.aborted) return;
      const block = await worker.pack(await samples.store.blocksOfHour(hour));
      await samples.store.replaceHour(hour, block);
    }
    if (current.minute % MINUTES_PER_BLOCK === 0)
      await samples.store.deleteBefore(current.minute - retentionMinutes(basis));
  };

  const catchUp = (): Promise<void> => {
    isWantedAgain = true;
    working ??= (async () => {
      try {
        while (isWantedAgain && !stopping.signal.aborted) {
          isWantedAgain = false;
          await work();
        }
      } catch (error) {
        // The next minute begins anew from the last checkpoint.
        if (!stopping.signal.aborted) log.error({ err: error }, 'backtest failed');
        run = null;
      } finally {
        working = null;
      }
    })();
    return working;
  };

  samples.onStored(() => void catchUp());

  return {
    catchUp,
    pair: async (name) => (run && host ? await host.pair(name) : null),
    limitTo: (minute) => {
      lastMinute = minute ?? Number.POSITIVE_INFINITY;
      void catchUp();
    },
    start: () => void catchUp(),
    stop: async () => {
      stopping.abort();
      await working;
      await run?.checkpoint().catch((error: unknown) => log.error({ err: error }, 'backtest not saved'));
      await host?.close();
    },
  };
}
