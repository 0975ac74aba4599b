import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { SECOND_MS } from '../../base/times.ts';
import type { Audit } from '../../engines/audit/audit.ts';
import { SpreadPrinter } from '../../engines/spreads/print.ts';
import type { FrameWriter } from '../../market/frame-writer.ts';
import type { Freezer } from '../../market/freeze.ts';
import type { Part, PartContext } from '../part.ts';

export interface SpreadsPart extends Part {
  /** Computes and publishes the live print of the given time. Does nothing before the first snapshot. */
  print(asOfMs: number): Promise<void>;
}

const FIRST_SNAPSHOT_CHECK_MS = 500;

/** Publishes the live print of the spreads every few seconds. It is stored as its legs; rows are computed from those. */
export function spreadsPart(
  context: PartContext,
  freezer: Freezer,
  audit: Pick<Audit, 'withheldContracts'>,
  writer: FrameWriter,
): SpreadsPart {
  const { settings, clock, log, metrics, engineLease } = context;
  const printer = new SpreadPrinter();
  const everyMs = settings.spreadsSeconds * SECOND_MS;
  const job = context.jobs.job('spreads', everyMs);
  let task: RepeatingTask | null = null;

  const print = async (asOfMs: number) => {
    // The first snapshot resolves which contracts are of one coin; until then the last stored print is served.
    if (freezer.identities.size === 0 || !engineLease.isHeld()) return;
    const startedMs = performance.now();
    const isWithheld = audit.withheldContracts();
    const frozen = freezer.statesAt(asOfMs);
    const states = isWithheld
      ? frozen.filter(({ key, venue }) => !isWithheld({ key, exchange: venue.facts.exchange }))
      : frozen;
    const { legs, rows, pairsRejected, pairsComputed } = printer.print(states, freezer.identities, asOfMs);
    metrics.spreadPrintSeconds.observe((performance.now() - startedMs) / 1000);
    metrics.spreadRows.set(rows.rowCount);
    metrics.spreadPairsApart.set(pairsRejected);
    metrics.spreadPairsComputed.set(pairsComputed);
    await writer.publish(asOfMs, legs);
  };

  return {
    print,
    start: () => {
      job.start();
      task = startRepeatingTask({
        name: 'print spreads',
        everyMs,
        clock,
        log,
        run: async () => {
          context.clockWatch.check();
          await print(clock.nowMs());
          job.finished();
          return freezer.identities.size === 0 ? FIRST_SNAPSHOT_CHECK_MS : undefined;
        },
      });
    },
    stop: async () => {
      await task?.stop();
      job.stop();
    },
  };
}
