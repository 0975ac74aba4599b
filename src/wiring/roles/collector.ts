import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { SECOND_MS } from '../../base/times.ts';
import { JobLock } from '../../cluster/lock.ts';
import type { Settings } from '../../settings.ts';
import type { EngineLease } from '../../storage/engine-lease.ts';
import type { PostgresStorage } from '../../storage/storage.ts';
import type { Collecting } from '../market/collecting.ts';

interface CollectorRoleOptions {
  shared: PostgresStorage;
  settings: Settings;
  log: Log;
  metrics: Metrics;
  /** Called before this process becomes the active collector. */
  beforeActive: () => Promise<void>;
}

const RETRY_MS = SECOND_MS;

/** Collects while this process holds the lock of the engine, and stands by while another one does. */
export class CollectorRole {
  readonly engineLease: EngineLease;
  readonly #options: CollectorRoleOptions;
  readonly #lock: JobLock;
  #collecting: Collecting | null = null;
  /** The fencing number under which this process last began to publish. */
  #number: number | null = null;
  #changing: Promise<void> = Promise.resolve();

  constructor(options: CollectorRoleOptions) {
    const { shared, settings, log, metrics } = options;
    this.#options = options;
    this.#lock = new JobLock({
      job: 'engine',
      storage: shared,
      leaseMs: settings.leaseSeconds * SECOND_MS,
      log,
      metrics,
      onTaken: (number) => this.#change((collecting) => this.#activate(collecting, number)),
      onSuperseded: () => this.#change((collecting) => collecting.deactivate()),
    });
    this.engineLease = {
      isHeld: () => this.#number !== null && this.#lock.number() === this.#number,
      fence: () => (this.#number === null ? null : { name: 'engine', number: this.#number }),
    };
  }

  /** Competes for the lock. If it is free, this process is the active collector when this resolves. */
  async join(collecting: Collecting): Promise<void> {
    this.#collecting = collecting;
    await this.#lock.start();
    await this.#changing;
  }

  /** Called after collecting has stopped: a standby takes over at once. */
  async leave(): Promise<void> {
    await this.#changing;
    await this.#lock.stop();
  }

  #change(work: (collecting: Collecting) => Promise<void>): void {
    this.#changing = this.#changing
      .then(async () => {
        if (this.#collecting) await work(this.#collecting);
      })
      .catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'could not start or stop collecting'),
      );
  }

  /** Goes on with what is in memory if no other process was active in between; else starts from the database. */
  async #activate(collecting: Collecting, number: number): Promise<void> {
    const { log, beforeActive } = this.#options;
    if (collecting.isActive() && this.#number !== null && number !== this.#number + 1)
      await collecting.deactivate();
    while (this.#lock.holds(number)) {
      try {
        if (!collecting.isActive()) {
          await beforeActive();
          await collecting.activate();
        }
        this.#number = number;
        // Without the lock its jobs could publish nothing.
        collecting.context.jobs.restart();
        return;
      } catch (error) {
        log.warn({ err: error }, 'cannot start collecting now');
        await systemClock.sleep(RETRY_MS);
      }
    }
  }
}
