import type { Clock } from '../../base/clock.ts';
import type { ClockWatch } from '../../base/clock-steps.ts';
import type { Job, Jobs } from '../../base/jobs.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import type { FrameWriter } from '../../market/frame-writer.ts';
import type { Freezer } from '../../market/freeze.ts';
import type { EngineLease } from '../../storage/engine-lease.ts';
import type { Audit } from '../audit/audit.ts';
import { SpreadTableBuilder } from './table-builder.ts';

interface SpreadPublisherOptions {
  freezer: Pick<Freezer, 'identities' | 'sessions' | 'statesNow'>;
  audit: Pick<Audit, 'withheldContracts'>;
  writer: FrameWriter;
  everyMs: number;
  engineLease: EngineLease;
  jobs: Pick<Jobs, 'job'>;
  clock: Clock;
  clockWatch: Pick<ClockWatch, 'check'>;
  log: Log;
  metrics: Metrics;
}

const FIRST_SNAPSHOT_CHECK_MS = 500;

/** Publishes the spread table every few seconds. It is stored as its legs; rows are computed from those. */
export class SpreadPublisher {
  readonly #options: SpreadPublisherOptions;
  readonly #builder = new SpreadTableBuilder();
  readonly #job: Job;
  #task: RepeatingTask | null = null;

  constructor(options: SpreadPublisherOptions) {
    this.#options = options;
    this.#job = options.jobs.job('spreads', options.everyMs);
  }

  start(): void {
    const { clock, clockWatch, log, freezer, everyMs } = this.#options;
    this.#job.start();
    this.#task = startRepeatingTask({
      name: 'publish spreads',
      everyMs,
      clock,
      log,
      run: async () => {
        clockWatch.check();
        await this.publish(clock.nowMs());
        this.#job.finished();
        return freezer.identities.size === 0 ? FIRST_SNAPSHOT_CHECK_MS : undefined;
      },
    });
  }

  async stop(): Promise<void> {
    await this.#task?.stop();
    this.#job.stop();
  }

  /** Computes and publishes the spread table of the given time. Does nothing before the first snapshot. */
  async publish(asOfMs: number): Promise<void> {
    const { freezer, audit, writer, engineLease, metrics } = this.#options;
    const { identities, sessions } = freezer;
    // The first snapshot resolves which contracts are of one coin; until then the last stored table is served.
    if (identities.size === 0 || !engineLease.isHeld()) return;
    const startedMs = performance.now();
    const isWithheld = audit.withheldContracts();
    const market = freezer.statesNow(asOfMs);
    const states = isWithheld
      ? market.filter(({ key, venue }) => !isWithheld({ key, exchange: venue.facts.exchange }))
      : market;
    const { legs, rowCount, pairsRejected } = this.#builder.build(
      states,
      identities,
      asOfMs,
      (key) => sessions.get(key) === 'closed',
    );
    metrics.spreadPrintSeconds.observe((performance.now() - startedMs) / 1000);
    metrics.spreadRows.set(rowCount);
    metrics.spreadPairsApart.set(pairsRejected);
    await writer.publish(asOfMs, legs);
  }
}
