import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import type { LakeStore } from '../../lake/files/store.ts';
import type { LakeSettings } from '../../lake/open.ts';
import type { Settings } from '../../settings.ts';
import type { EngineLease } from '../../storage/engine-lease.ts';
import type { Part } from '../part.ts';

interface NightlyLakeOptions {
  store: Pick<LakeStore, 'manifest'>;
  /** Builds the days that are missing. */
  build: (signal: AbortSignal) => Promise<void>;
  clock: Clock;
  log: Log;
  engineLease: Pick<EngineLease, 'isHeld'>;
}

const LOOK_EVERY_MS = 10 * MINUTE_MS;
/** After midnight UTC, because venues publish the last prints of a day late. */
const BUILD_AFTER_MS = HOUR_MS;

/** Builds the lake once a day, in the process that collects. */
export class NightlyLake implements Part {
  readonly #options: NightlyLakeOptions;
  #task: RepeatingTask | null = null;

  constructor(options: NightlyLakeOptions) {
    this.#options = options;
  }

  start(): void {
    this.#task = startRepeatingTask({
      ...this.#options,
      name: 'lake',
      everyMs: LOOK_EVERY_MS,
      run: async (signal) => {
        if (await this.#isDue()) await this.#options.build(signal);
        return undefined;
      },
    });
  }

  async stop(): Promise<void> {
    await this.#task?.stop();
  }

  async #isDue(): Promise<boolean> {
    const { store, clock, engineLease } = this.#options;
    if (!engineLease.isHeld()) return false;
    const newest = (await store.manifest()).days.at(-1)?.day ?? '';
    const nextMs = newest === '' ? 0 : Date.parse(newest) + DAY_MS;
    return clock.nowMs() >= nextMs + DAY_MS + BUILD_AFTER_MS;
  }
}

const PROGRAM = join(import.meta.dirname, '../../perpwire.js');

/** In a process of its own: building takes seconds of CPU, for which snapshots would wait, and memory that is free afterwards. */
export function buildInProcess(
  settings: LakeSettings & Pick<Settings, 'databaseUrl'>,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(PROGRAM, ['lake', 'build'], {
      // In the environment, because everybody on the machine sees the arguments of a process.
      env: {
        DATA_DIR: settings.dataDir,
        DATABASE_URL: settings.databaseUrl ?? '',
        LAKE_URL: settings.lakeUrl ?? '',
        AWS_ENDPOINT_URL: settings.awsEndpointUrl ?? '',
        AWS_REGION: settings.awsRegion,
        AWS_ACCESS_KEY_ID: settings.awsAccessKeyId,
        AWS_SECRET_ACCESS_KEY: settings.awsSecretAccessKey,
        AWS_SESSION_TOKEN: settings.awsSessionToken,
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let errors = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = `${errors}${text}`.slice(-1000);
    });
    const stop = () => child.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    child.once('error', reject);
    child.once('exit', (code) => {
      signal.removeEventListener('abort', stop);
      if (code === 0 || signal.aborted) resolve();
      else reject(new Error(`the lake could not be built: ${errors.trim()}`));
    });
  });
}
