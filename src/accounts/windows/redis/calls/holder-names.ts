import { type EncodedArguments, encodeArguments } from '../../../../storage/redis/redis.ts';
import type { RedisNames } from '../../../redis-names.ts';
import type { WindowHolder } from '../../windows.ts';
import { windowsName } from '../layout.ts';
import type { LayoutKeeper } from '../layout-keeper.ts';

/** Where and under which names a holder is counted by one layout. */
export interface NamesOfHolder {
  layoutVersion: number;
  server: string;
  /** The name of its windows in the lists of this process. */
  windows: string;
  minute: string;
  month: string;
  revoked: string;
  /** Minute, month and revocation. */
  keys: EncodedArguments;
  plan: WindowHolder['plan'];
  /** What a call says of one request at the limits of the plan. */
  oneRequest: EncodedArguments;
}

/** What a call says of the requests of a holder; `number` only if an earlier call may have counted the request. */
export function requestsText({ plan }: Pick<WindowHolder, 'plan'>, count: number, number?: number): string {
  const text = `${count} ${plan.requestsPerMinute} ${plan.requestsPerMonth}`;
  return number === undefined ? text : `${text} ${number}`;
}

/** Computes the names of a holder once per layout: a request needs its server and four of them. */
export class HolderNames {
  readonly #layout: Pick<LayoutKeeper, 'version' | 'serverOf'>;
  readonly #names: RedisNames;
  /** Weak, because the callers of access tokens exist for one request. */
  readonly #known = new WeakMap<WindowHolder, NamesOfHolder>();

  constructor(layout: Pick<LayoutKeeper, 'version' | 'serverOf'>, names: RedisNames) {
    this.#layout = layout;
    this.#names = names;
  }

  of(holder: WindowHolder): NamesOfHolder {
    const { version } = this.#layout;
    const known = this.#known.get(holder);
    if (known?.layoutVersion === version && known.plan === holder.plan) return known;
    const windows = windowsName(holder.slotId, version);
    const minute = this.#names.minute(windows);
    const month = this.#names.month(windows);
    const revoked = this.#names.revoked(holder.keyId);
    const names = {
      layoutVersion: version,
      server: this.#layout.serverOf(holder.slotId),
      windows,
      minute,
      month,
      revoked,
      keys: encodeArguments([minute, month, revoked]),
      plan: holder.plan,
      oneRequest: encodeArguments([requestsText(holder, 1)]),
    };
    this.#known.set(holder, names);
    return names;
  }
}
