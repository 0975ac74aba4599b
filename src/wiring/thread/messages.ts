import type { MessagePort } from 'node:worker_threads';
import type { JobState } from '../../base/jobs.ts';
import type { MetricsJson } from '../../doors/http/metrics-text.ts';
import type { Settings } from '../../settings.ts';
import type { DiskFaults } from '../../storage/disk-state.ts';

/** What a collector thread is started with. */
export interface ThreadData {
  settings: Settings;
  /** Carries the frames; null where the serving side reads them from PostgreSQL. */
  frames: MessagePort | null;
  /** For threads that do more than collect, such as the demo's. */
  extra: unknown;
}

/** To the thread. */
export type ThreadOrder = 'collect' | 'stop';

/** What the admin port shows of the thread, which has none of its own. */
export interface ThreadStatus {
  kind: 'status';
  jobs: JobState[];
  faults: string[];
  disk: DiskFaults;
  metrics: MetricsJson;
}

/** From the thread. */
export type ThreadMessage = ThreadStatus | { kind: 'collecting' };
