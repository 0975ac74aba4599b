import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { DAY_MS } from '../base/times.ts';
import type { SecurityLogTable } from '../storage/migrations/0072-security-log.ts';
import type { Schema } from '../storage/schema.ts';

/** Every action that is logged, in the words that the owner of the account reads. */
const SECURITY_ACTIONS = {
  'account-created': 'Account created',
  'sign-in': 'Signed in',
  'sign-out': 'Signed out',
  'sessions-ended': 'Sessions signed out',
  'password-changed': 'Password changed',
  'password-reset': 'Password reset with a mailed link',
  'key-created': 'Key created',
  'key-rotated': 'Key rotated',
  'key-revoked': 'Key revoked',
  'key-expiry-changed': 'Expiry of a key changed',
  'assistant-connected': 'Assistant connected',
  'assistant-disconnected': 'Assistant disconnected',
  'plan-changed': 'Plan changed',
  suspended: 'Account suspended',
  unsuspended: 'Suspension ended',
  exported: 'Data of the account exported',
  deleted: 'Account deleted',
  erased: 'Data of the person erased',
  'address-normalised': 'Spelling of the e-mail address normalised',
  'address-conflict': 'The e-mail address belongs to another account too',
  'secrets-rotated': 'Secrets of the service rotated',
} as const;

export type SecurityAction = keyof typeof SECURITY_ACTIONS;

export interface Actor {
  actor: SecurityLogTable['actor'];
  /** The name of an operator. */
  name?: string | null;
}

export const OWNER: Actor = { actor: 'owner' };

export type SecurityEvent = Omit<Selectable<SecurityLogTable>, 'id'>;

/** Who did what to an account, and when. Passwords, keys and addresses of browsers are never part of it. */
export interface SecurityLog {
  note(by: Actor, action: SecurityAction, accountId: string | null, detail?: string): Promise<void>;
  /** The newest events, newest first; of one account, or of all. */
  read(accountId: string | null, limit: number): Promise<SecurityEvent[]>;
  /** Deletes events that are older than this many days. */
  sweep(days: number): Promise<void>;
}

export function openSecurityLog(db: Kysely<Schema>, clock: Clock): SecurityLog {
  return {
    note: async ({ actor, name = null }, action, accountId, detail) => {
      await db
        .insertInto('security_log')
        .values({
          id: randomUUID(),
          at_ms: clock.nowMs(),
          account_id: accountId,
          actor,
          actor_name: name,
          action,
          detail: detail ?? null,
        })
        .execute();
    },
    read: (accountId, limit) =>
      db
        .selectFrom('security_log')
        .select(['at_ms', 'account_id', 'actor', 'actor_name', 'action', 'detail'])
        .$if(accountId !== null, (query) => query.where('account_id', '=', accountId))
        .orderBy('at_ms', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute(),
    sweep: async (days) => {
      await db
        .deleteFrom('security_log')
        .where('at_ms', '<', clock.nowMs() - days * DAY_MS)
        .execute();
    },
  };
}

export function actionText(action: string): string {
  return Object.hasOwn(SECURITY_ACTIONS, action) ? SECURITY_ACTIONS[action as SecurityAction] : action;
}
