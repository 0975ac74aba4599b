import type { Transaction } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { DAY_MS } from '../../base/times.ts';
import type { Schema } from '../../storage/schema.ts';
import type { Storage } from '../../storage/storage.ts';
import { checkName } from '../account-store.ts';
import { AccountsError } from '../accounts-error.ts';
import type { TierGrants } from '../plans.ts';
import { SCOPES } from '../scopes.ts';
import { type AfterChange, changeDirectory } from './changes.ts';
import { freeSlotNumber, refuseRevival } from './free-slot.ts';
import {
  checkExpiry,
  checkScopes,
  type KeyRecord,
  type KeyRow,
  keyRow,
  newKeyRow,
  recordOf,
} from './key-rows.ts';
import { checkKeyShape, hashKey, type KeyKind } from './key-text.ts';
import { slotIdOf } from './slots.ts';

export const DEFAULT_LIFETIME_MS = 365 * DAY_MS;
const ROTATION_GRACE_MS = DAY_MS;

/** `text` is the whole key. It is not stored, so it can be shown only now. */
export interface CreatedKey {
  key: KeyRecord;
  text: string;
}

interface KeyRequest {
  accountId: string;
  name: string;
  kind?: KeyKind;
  /** All scopes by default. */
  scopes?: readonly string[];
  /** One year from now by default. */
  expiresAtMs?: number;
}

export interface KeyStore {
  create(request: KeyRequest): Promise<CreatedKey>;
  list(accountId: string): Promise<KeyRecord[]>;
  /** By id, displayed prefix or whole key. */
  find(reference: string): Promise<KeyRecord | null>;
  /** Creates a new key in the same slot; the old one works for another 24 hours. */
  rotate(keyId: string): Promise<CreatedKey>;
  revoke(keyId: string): Promise<KeyRecord>;
  setExpiry(keyId: string, expiresAtMs: number): Promise<KeyRecord>;
}

export function createKeyStore(
  storage: Storage,
  clock: Clock,
  grants: TierGrants,
  afterChange: AfterChange,
): KeyStore {
  const { db } = storage;
  const record = (row: KeyRow) => recordOf(row, clock.nowMs());

  const change = (
    keyId: string,
    columnsFor: (row: KeyRow, trx: Transaction<Schema>) => Promise<Partial<KeyRow>>,
    revoked: { revokedKeyId?: string } = {},
  ) =>
    changeDirectory(storage, afterChange, async (trx, revision) => {
      const row = await keyRow(trx, keyId);
      const columns = { ...(await columnsFor(row, trx)), revision };
      await trx.updateTable('api_keys').set(columns).where('id', '=', keyId).execute();
      return { result: record({ ...row, ...columns }), accountId: row.account_id, ...revoked };
    });

  return {
    create: async (request) => {
      const nowMs = clock.nowMs();
      const name = checkName(request.name);
      const scopes = checkScopes(request.scopes ?? SCOPES);
      const expiresAtMs = checkExpiry(request.expiresAtMs ?? nowMs + DEFAULT_LIFETIME_MS, nowMs);
      return await changeDirectory(storage, afterChange, async (trx, revision) => {
        const slotNumber = await freeSlotNumber(trx, request.accountId, grants, nowMs);
        const slotId = slotIdOf(request.accountId, slotNumber);
        await trx
          .insertInto('slots')
          .values({ id: slotId, account_id: request.accountId, kind: 'key', number: slotNumber })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute();
        const made = newKeyRow(request.kind ?? 'live', nowMs, revision);
        const row = {
          ...made.row,
          account_id: request.accountId,
          slot_id: slotId,
          slot_number: slotNumber,
          name,
          scopes,
          expires_at_ms: expiresAtMs,
        };
        await trx.insertInto('api_keys').values(row).execute();
        return { result: { key: record(row), text: made.text }, accountId: request.accountId };
      });
    },

    list: async (accountId) => {
      const rows = await db
        .selectFrom('api_keys')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at_ms')
        .orderBy('id')
        .execute();
      return rows.map(record);
    },

    find: async (reference) => {
      const whole = checkKeyShape(reference) !== null;
      const rows = await db
        .selectFrom('api_keys')
        .selectAll()
        .where((is) =>
          whole
            ? is('hash', '=', hashKey(reference))
            : is.or([is('id', '=', reference), is('key_prefix', '=', reference)]),
        )
        .limit(2)
        .execute();
      if (rows.length > 1) {
        throw new AccountsError('ambiguous-key', `Several keys begin with ${reference}; give the key's id`);
      }
      return rows[0] ? record(rows[0]) : null;
    },

    rotate: async (keyId) =>
      await changeDirectory(storage, afterChange, async (trx, revision) => {
        const nowMs = clock.nowMs();
        const old = await keyRow(trx, keyId);
        const before = recordOf(old, nowMs);
        if (before.state !== 'active') {
          throw new AccountsError(
            'key-not-active',
            `The key ${old.key_prefix} is ${before.state} and cannot be rotated`,
          );
        }
        await trx
          .updateTable('api_keys')
          .set({ replaced_until_ms: nowMs + ROTATION_GRACE_MS, revision })
          .where('id', '=', keyId)
          .execute();
        const made = newKeyRow(before.kind, nowMs, revision);
        const row = {
          ...made.row,
          account_id: old.account_id,
          slot_id: old.slot_id,
          slot_number: old.slot_number,
          name: old.name,
          scopes: old.scopes,
          // The same lifetime again, so that a short-lived key stays short-lived.
          expires_at_ms: nowMs + (old.expires_at_ms - old.created_at_ms),
        };
        await trx.insertInto('api_keys').values(row).execute();
        return { result: { key: record(row), text: made.text }, accountId: old.account_id };
      }),

    revoke: (keyId) =>
      change(keyId, async (row) => ({ revoked_at_ms: row.revoked_at_ms ?? clock.nowMs() }), {
        revokedKeyId: keyId,
      }),

    setExpiry: (keyId, expiresAtMs) =>
      change(keyId, async (row, trx) => {
        const nowMs = clock.nowMs();
        const state = recordOf(row, nowMs).state;
        if (state !== 'active' && state !== 'expired') {
          throw new AccountsError(
            'key-not-active',
            `The key ${row.key_prefix} is ${state}; its expiry is fixed`,
          );
        }
        const checked = checkExpiry(expiresAtMs, nowMs);
        if (state === 'expired') await refuseRevival(trx, row, grants, nowMs);
        return { expires_at_ms: checked };
      }),
  };
}
