import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { SECOND_MS } from '../../base/times.ts';
import { SpreadPrinter } from '../../engines/spreads/print.ts';
import type { Freezer } from '../../market/freeze.ts';
import type { Part, PartContext } from '../part.ts';
import type { Series } from './series.ts';

export interface SpreadsPart extends Part {
  /** Makes and publishes the print of the given time, once it is known who is who in the market. */
  print(asOfMs: number): Promise<void>;
}

const LOOK_AGAIN_MS = 500;

/** Prints the spreads every few seconds. A print is kept as its legs, from which its rows follow. */
export function spreadsPart(
  context: PartContext,
  freezer: Freezer,
  { legs: timeline, printed }: Pick<Series, 'legs' | 'printed'>,
): SpreadsPart {
  const { settings, clock, log, metrics, market, engineLease } = context;
  const printer = new SpreadPrinter();
  let task: RepeatingTask | null = null;

  const print = async (asOfMs: number) => {
    // After a start the last kept print is served until the first snapshot has told the coins apart.
    if (freezer.identities.size === 0 || !engineLease.isHeld()) return;
    const startedMs = performance.now();
    const { legs, rows, pairsApart, pairsComputed } = printer.print(
      market.states(),
      freezer.identities,
      asOfMs,
    );
    printed.set(legs, { asOfMs, table: rows });
    const isPublished = timeline.publish(asOfMs, legs);
    metrics.spreadPrintSeconds.observe((performance.now() - startedMs) / 1000);
    metrics.spreadAsOf.set(asOfMs / 1000);
    metrics.spreadRows.set(rows.rowCount);
    metrics.spreadPairsApart.set(pairsApart);
    metrics.spreadPairsComputed.set(pairsComputed);
    await isPublished;
  };

  return {
    print,
    start: () => {
      task = startRepeatingTask({
        name: 'print spreads',
        everyMs: settings.spreadsSeconds * SECOND_MS,
        clock,
        log,
        run: async () => {
          await print(clock.nowMs());
          return freezer.identities.size === 0 ? LOOK_AGAIN_MS : undefined;
        },
      });
    },
    stop: async () => {
      await task?.stop();
    },
  };
}
