import { systemClock } from '../../../../base/clock.ts';
import type { Redis } from '../../../../storage/redis/redis.ts';
import type { RedisNames } from '../../../redis-names.ts';
import type { ReportUnreadable } from '../../../unreadable.ts';
import { parseHeartbeatReply } from '../replies.ts';
import { HEARTBEAT, LEAVE } from '../scripts.ts';
import type { ClockReading } from '../server-clock.ts';

/** The processes that count in one Redis, and the epoch that identifies the Redis. */
export interface Membership {
  epoch: string;
  processes: readonly string[];
}

export interface MembersOptions {
  redis: Redis;
  names: RedisNames;
  processId: string;
  /** The version of the layout that this process counts by. */
  layoutVersion(): number;
  /** Receives the directory's revision, the time of Redis, and the newest known layout. */
  onHeartbeat(revision: number, reading: ClockReading, layoutVersion: number): void;
  reportUnreadable: ReportUnreadable;
}

/** A process without a heartbeat for this long is no longer a member. */
export const MEMBER_TTL_MS = 3_000;

export class Members {
  readonly #options: MembersOptions;

  constructor(options: MembersOptions) {
    this.#options = options;
  }

  /** Sends a heartbeat. Null if the Redis has no epoch yet and none was proposed. */
  async heartbeat(proposedEpoch: string, isNew: boolean): Promise<Membership | null> {
    const { redis, names, processId, layoutVersion, onHeartbeat, reportUnreadable } = this.#options;
    const sentMs = systemClock.nowMs();
    const reply = parseHeartbeatReply(
      await redis.run(
        HEARTBEAT,
        [names.cluster, names.processes],
        [processId, proposedEpoch, String(MEMBER_TTL_MS), isNew ? '1' : '0', String(layoutVersion())],
      ),
    );
    if (reply === 'new-redis') return null;
    if (reply === null) {
      reportUnreadable('heartbeat');
      throw new Error('the reply to a heartbeat is unreadable');
    }
    const reading = { sentMs, receivedMs: systemClock.nowMs(), serverMs: reply.nowMs };
    onHeartbeat(reply.revision, reading, reply.layoutVersion);
    return { epoch: reply.epoch, processes: reply.processes.toSorted() };
  }

  async leave(): Promise<void> {
    const { redis, names, processId } = this.#options;
    if (!redis.isUp) return;
    await redis.run(LEAVE, [names.cluster, names.processes], [processId]).catch(() => undefined);
  }
}

/** Processes that count by different layouts have different names for the same membership. */
export function nameOf({ epoch, processes }: Membership, layoutVersion: number): string {
  return `${epoch}/${processes.join(',')}${layoutVersion === 0 ? '' : `#${layoutVersion}`}`;
}
