import type { Log } from '../../../base/log.ts';
import type { Redis } from '../../../storage/redis/redis.ts';
import type { RequestReport } from './counted-requests.ts';
import type { Members } from './members/members.ts';
import type { WindowPeers } from './members/peers.ts';

export interface ModeOptions {
  redis: Redis;
  members: Members;
  peers: WindowPeers;
  log: Log;
  /** The version of the layout that this process counts by. */
  layoutVersion(): number;
  /** Reads the layout from the database, and counts by it from then on. */
  refreshLayout(): Promise<void>;
  /** Whether windows are, or may soon be, spread over several servers. */
  isSpread(): boolean;
  /** Stores the pending counts, so that the database has every request of this process. */
  flush(): Promise<void>;
  /** The requests of the last minute. */
  report(): RequestReport;
  /** Adds to Redis what was counted without it; to another Redis, all requests of the last minute. */
  restore(isOtherRedis: boolean): Promise<void>;
  /** Called when windows are shared again, after `restore`. */
  onShared(): void;
  /** Called with the reports of all other processes, before this one counts against its local share. */
  onLocal(others: readonly RequestReport[]): Promise<void>;
  onChange(mode: WindowsMode): void;
}

export type WindowsMode = 'shared' | 'local' | 'switching';
