import { randomUUID } from 'node:crypto';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import type { Audit } from '../../engines/audit/audit.ts';
import type { PairName, PairView } from '../../engines/backtest/pair-view.ts';
import { tableOf, withoutLegs } from '../../engines/backtest/rows.ts';
import { usualRule } from '../../engines/backtest/rule.ts';
import type { DepthSamples } from '../../engines/depth/depth-samples.ts';
import { CheckpointStore } from '../../history/samples/checkpoints.ts';
import { MINUTES_PER_BLOCK, minuteOf, msOfMinute } from '../../history/samples/model.ts';
import { encodeInTurns } from '../../market/tables/table-codec.ts';
import { VENUES } from '../../venues/registry.ts';
import type { Series } from '../market/series.ts';
import type { Part, PartContext } from '../part.ts';
import type { BacktestBasis, BacktestHost, BacktestReport } from './host.ts';
import { BacktestRun, retentionMinutes } from './run.ts';
import { backtestThread } from './thread.ts';

export interface BacktestPart extends Part {
  /** Computes up to the newest stored sample and publishes the result. Under overload only if it is urgent. */
  catchUp(isUrgent?: boolean): Promise<void>;
  /** The spreads and cycles of one pair, for its chart; null if it has no row, or before the first run. */
  pair(name: PairName): Promise<PairView | null>;
  /** Computes everything again, after samples that are older than the result were stored. */
  recompute(): Promise<void>;
}

/** The Demo plan reads results that are 15 minutes old, so catching up also publishes results of the last minutes. */
const REPORTS_FOR_DELAYED = { lastMinutes: 18, every: 4 };
const PROGRESS_EVERY_MS = 5 * SECOND_MS;

/** Includes the fees of all venues, watched or not, so that samples of a venue stay usable when it is switched off. */
export function backtestBasis(windowDays: number): BacktestBasis {
  return {
    rule: usualRule(windowDays),
    takerFeesPct: Object.fromEntries(VENUES.map(({ facts }) => [facts.exchange, facts.takerFeePct.value])),
  };
}

/** Keeps the backtest up to date in a thread of its own, while the last result is served. */
export function backtestPart(
  context: PartContext,
  samples: DepthSamples,
  audit: Pick<Audit, 'withheldLegs'>,
  { backtest: timelines }: Pick<Series, 'backtest'>,
): BacktestPart {
  const { clock, log, metrics, settings, storage, engineLease } = context;
  const basis = backtestBasis(settings.backtestDays);
  const checkpoints = new CheckpointStore(storage);
  const job = context.jobs.job('backtest', MINUTE_MS);
  let writer = randomUUID();
  let startedFrom: { writer: string } | null = null;
  let host: BacktestHost | null = null;
  let run: BacktestRun | null = null;
  let working: Promise<void> | null = null;
  let isWantedAgain = false;
  let isUrgentNow = false;
  let lastProgressMs = 0;
  const stopping = new AbortController();

  const publish = async ({ minute, sizes }: BacktestReport) => {
    if (!engineLease.isHeld()) return;
    // Samples from the future, which a wrong clock has dated, do not make a result of the future.
    const asOfMs = msOfMinute(Math.min(minute, minuteOf(clock.nowMs())));
    const isWithheld = audit.withheldLegs();
    const shown = await Promise.all(
      sizes.map(async ({ parts, frame }) => {
        const whole = tableOf(parts);
        const table = isWithheld ? withoutLegs(whole, isWithheld) : whole;
        return { parts, table, frame: table === whole ? frame : await encodeInTurns(table) };
      }),
    );
    // All sizes are published in the same turn of the event loop, so that cached answers of all sizes agree.
    await Promise.all(
      shown.map(({ parts: { sizeUsd }, table, frame }) => {
        metrics.backtestRows.set({ size_usd: sizeUsd }, table.rowCount);
        return timelines.get(sizeUsd)?.publishEncoded({ asOfMs, table }, frame);
      }),
    );
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
    host = backtestThread(settings.dataDir, () => {
      metrics.clusterMessages.inc({ kind: 'backtest thread', outcome: 'unreadable' });
      log.error('dropped an unreadable message of the backtest thread');
    });
    writer = randomUUID();
    run = new BacktestRun(host, {
      basis,
      samples: samples.store,
      checkpoints,
      writer,
      onProgress: showProgress,
      onDamage: (startMinute, damage) =>
        log.error({ startMinute, damage }, 'skipped an unreadable block of depth samples'),
    });
    await run.resume();
    startedFrom = await checkpoints.newest();
    return run;
  };

  /** `perpwire backtest rebuild` stores its result as a checkpoint, which replaces the result of this process. */
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
      signal: stopping.signal,
    });
    if (stopping.signal.aborted || !host) return;
    const hasResult = timelines.values().every((timeline) => timeline.at(0, clock.nowMs()) !== null);
    if (current.minute >= 0 && (hasAdvanced || !hasResult)) await publish(await host.report());
    if (hasAdvanced) metrics.backtestSeconds.observe((performance.now() - startedMs) / 1000);
    await tidy(current, host);
  };

  /** Merges the blocks of finished hours and deletes samples that no result needs any more. */
  const tidy = async (current: BacktestRun, worker: BacktestHost) => {
    for (const hour of await samples.store.unpackedHours(current.minute)) {
      if (stopping.signal.aborted) return;
      const block = await worker.pack(await samples.store.blocksOfHour(hour));
      await samples.store.replaceHour(hour, block);
    }
    if (current.minute % MINUTES_PER_BLOCK === 0)
      await samples.store.deleteBefore(current.minute - retentionMinutes(basis));
  };

  const workWhileWanted = async () => {
    try {
      // Under overload the next stored minute tries again.
      while (isWantedAgain && !stopping.signal.aborted && (isUrgentNow || !context.load.sheds('backtest'))) {
        isWantedAgain = false;
        await work();
        job.finished();
      }
    } catch (error) {
      // The next minute starts again from the last checkpoint.
      if (!stopping.signal.aborted)
        log.error({ err: error }, 'the backtest failed; it starts again from its last checkpoint');
      run = null;
    } finally {
      working = null;
      isUrgentNow = false;
    }
  };
  const catchUp = (isUrgent = false): Promise<void> => {
    isWantedAgain = true;
    isUrgentNow ||= isUrgent;
    // Starts in a later microtask, because it may end without waiting: `working` must be set before it is cleared.
    working ??= Promise.resolve().then(workWhileWanted);
    return working;
  };

  samples.onStored(() => void catchUp());

  /** Starts again from the last checkpoint before the minute. */
  const startAgain = async (minute: number) => {
    await working;
    await checkpoints.deleteFrom(minute);
    run = null;
    await catchUp();
  };
  const unsubscribe = context.clockWatch.onStep(({ wrongFromMs }) => {
    if (wrongFromMs === null || !engineLease.isHeld()) return;
    const wrongFrom = minuteOf(wrongFromMs);
    const forget = async () => {
      await working;
      await samples.store.deleteFrom(wrongFrom);
      await startAgain(wrongFrom);
    };
    forget().catch((error: unknown) =>
      log.error({ err: error }, 'could not delete the depth samples that a wrong clock has dated'),
    );
  });

  return {
    catchUp,
    pair: async (name) => (run && host ? await host.pair(name) : null),
    recompute: () => startAgain(0),
    start: () => {
      job.start();
      void catchUp();
    },
    stop: async () => {
      unsubscribe();
      job.stop();
      stopping.abort();
      await working;
      await run
        ?.checkpoint()
        .catch((error: unknown) => log.error({ err: error }, 'could not save the state of the backtest'));
      await host?.close();
    },
  };
}
