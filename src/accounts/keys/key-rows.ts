import type { Kysely, Selectable } from 'kysely';
import { isPlausibleMs } from '../../base/times.ts';
import type { ApiKeysTable, Schema } from '../../storage/schema.ts';
import { AccountsError } from '../accounts-error.ts';
import { isScope, readScopes, SCOPES, type Scope, writeScopes } from '../scopes.ts';
import { type KeyState, type KeyTimes, keyState } from './key-state.ts';
import { generateKey, KEY_PREFIXES, type KeyKind, randomId } from './key-text.ts';

export interface KeyRecord extends KeyTimes {
  id: string;
  accountId: string;
  slotNumber: number;
  name: string;
  kind: KeyKind;
  keyPrefix: string;
  scopes: Scope[];
  state: KeyState;
  createdAtMs: number;
  lastUsedAtMs: number | null;
}

export type KeyRow = Selectable<ApiKeysTable>;

export function recordOf(row: KeyRow, nowMs: number): KeyRecord {
  const times = timesOf(row);
  return {
    id: row.id,
    accountId: row.account_id,
    slotNumber: row.slot_number,
    name: row.name,
    kind: row.key_prefix.startsWith(KEY_PREFIXES.test) ? 'test' : 'live',
    keyPrefix: row.key_prefix,
    scopes: readScopes(row.scopes),
    state: keyState(times, nowMs),
    createdAtMs: row.created_at_ms,
    lastUsedAtMs: row.last_used_at_ms,
    ...times,
  };
}

export function timesOf(
  row: Pick<KeyRow, 'expires_at_ms' | 'revoked_at_ms' | 'replaced_until_ms'>,
): KeyTimes {
  return {
    expiresAtMs: row.expires_at_ms,
    revokedAtMs: row.revoked_at_ms,
    replacedUntilMs: row.replaced_until_ms,
  };
}

/** The columns that creation and rotation set alike. */
export function newKeyRow(kind: KeyKind, nowMs: number, revision: number) {
  const made = generateKey(kind);
  return {
    text: made.text,
    row: {
      id: randomId('key_'),
      hash: made.hash,
      key_prefix: made.keyPrefix,
      created_at_ms: nowMs,
      revoked_at_ms: null,
      replaced_until_ms: null,
      last_used_at_ms: null,
      revision,
    },
  };
}

export async function keyRow(db: Kysely<Schema>, keyId: string): Promise<KeyRow> {
  const row = await db.selectFrom('api_keys').selectAll().where('id', '=', keyId).executeTakeFirst();
  if (!row) throw new AccountsError('unknown-key', `There is no key ${keyId}`);
  return row;
}

export function checkScopes(scopes: readonly string[]): string {
  const known = scopes.filter(isScope);
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined) {
    throw new AccountsError(
      'invalid-scope',
      `"${unknown}" is not a scope; the scopes are ${SCOPES.join(', ')}`,
    );
  }
  if (known.length === 0) throw new AccountsError('invalid-scope', 'A key needs at least one scope');
  return writeScopes(known);
}

export function checkExpiry(expiresAtMs: number, nowMs: number): number {
  if (!Number.isInteger(expiresAtMs) || !isPlausibleMs(expiresAtMs) || expiresAtMs <= nowMs) {
    throw new AccountsError(
      'invalid-expiry',
      'The expiry must be a time in the future, before the year 2100',
    );
  }
  return expiresAtMs;
}
