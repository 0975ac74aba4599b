import type { Redis } from '../../../storage/redis/redis.ts';
import type { RedisNames } from '../../redis-names.ts';
import type { ReportUnreadable } from '../../unreadable.ts';
import type { UsageLedger } from '../usage-ledger.ts';
import type { MonthTake, TakeListener, WindowHolder, WindowStates } from '../windows.ts';
import type { HolderNames } from './calls/holder-names.ts';
import type { ScriptTimes } from './calls/script-times.ts';
import type { CountedRequests } from './counted-requests.ts';
import type { LayoutKeeper } from './layout-keeper.ts';
import type { LocalShare } from './local-share.ts';
import type { ModeSwitch } from './mode.ts';
import type { MonthUnknown } from './replies.ts';
import type { ServerClock } from './server-clock.ts';

export interface RedisWindowsOptions {
  redis: Redis;
  /** The name of this server in the layout. */
  server: string;
  layout: Pick<LayoutKeeper, 'version' | 'adopt'>;
  /** The windows of all servers. */
  all: WindowsOfAllServers;
  /** The names that all servers have. */
  redisNames: RedisNames;
  names: HolderNames;
  times: ScriptTimes;
  modeSwitch: ModeSwitch;
  counted: CountedRequests;
  localShare: LocalShare;
  ledger: UsageLedger;
  processId: string;
  clock: ServerClock;
  /** Gives Redis the month of a slot, and what another server counted before the slot moved here. False if it cannot. */
  fill(slotId: string, reply: MonthUnknown): Promise<boolean>;
  reportUnreadable: ReportUnreadable;
  directory: { revision(): number; catchUpTo(revision: number): Promise<void> };
}

/** What the windows of one server need of the others. */
export interface WindowsOfAllServers {
  /** Decides a request on the server of its slot. */
  decide(
    holder: WindowHolder,
    number: number,
    isRepeated: boolean,
    attempt: number,
    listener: TakeListener,
  ): void;
  /** Returns the first of as many numbers, which no other request of this process has on any server. */
  reserveNumbers(count: number): number;
  takeMonth(holder: WindowHolder): Promise<MonthTake>;
  read(holder: WindowHolder): Promise<WindowStates>;
}
