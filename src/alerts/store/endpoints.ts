import '../../storage/migrations/0120-alert-limits.ts';
import type { Kysely, Selectable } from 'kysely';
import { randomId } from '../../accounts/keys/key-text.ts';
import { SecretKeyError } from '../../accounts/vault/secret-keys.ts';
import { targetName } from '../../accounts/vault/stored-secrets.ts';
import type { Vault } from '../../accounts/vault/vault.ts';
import type { Clock } from '../../base/clock.ts';
import type { AlertEndpointsTable } from '../../storage/migrations/0090-alerts.ts';
import type { Schema } from '../../storage/schema.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Endpoint } from '../alerts.ts';
import type { ChannelKind } from '../channels/channel.ts';

/** An endpoint with its target, which is parsed by its channel. */
export interface StoredEndpoint extends Endpoint {
  failures: number;
  notBeforeMs: number;
  /** The hash of the code that confirms it, and until when it does; null if none was sent. */
  code: { hash: string; untilMs: number } | null;
  /** Decrypted on demand. Throws if it has another key. */
  target(): unknown;
}

interface EndpointChange {
  pausedAtMs: number | null;
  pausedReason: string | null;
  failingSinceMs: number | null;
  failures: number;
  notBeforeMs: number;
  confirmedAtMs: number;
  code: StoredEndpoint['code'];
}

interface NewEndpoint {
  kind: ChannelKind;
  description: string;
  target: unknown;
  /** False: the receiver must confirm first. */
  isConfirmed: boolean;
}

export interface EndpointStore {
  /** Oldest first. */
  list(accountId: string): Promise<StoredEndpoint[]>;
  find(endpointId: string): Promise<StoredEndpoint | null>;
  /** `check` gets the endpoints of the account and throws if there may be no further one. Calls do not overlap. */
  create(
    accountId: string,
    endpoint: NewEndpoint,
    check?: (existing: readonly StoredEndpoint[]) => void,
  ): Promise<StoredEndpoint>;
  setTarget(endpointId: string, description: string, target: unknown): Promise<void>;
  change(endpointId: string, change: Partial<EndpointChange>): Promise<void>;
  delete(endpointId: string): Promise<void>;
}

export function openEndpointStore({ db }: Storage, clock: Clock, vault: Vault): EndpointStore {
  const sealed = (id: string, target: unknown) => vault.seal(targetName(id), JSON.stringify(target));
  const endpointOf = (row: Selectable<AlertEndpointsTable>): StoredEndpoint => ({
    id: row.id,
    accountId: row.account_id,
    kind: row.kind as ChannelKind,
    description: row.description,
    state: stateOf(row),
    pausedReason: row.paused_reason,
    failingSinceMs: row.failing_since_ms,
    failures: row.failures,
    notBeforeMs: row.not_before_ms,
    code: row.code_hash === null ? null : { hash: row.code_hash, untilMs: row.code_expires_at_ms ?? 0 },
    createdAtMs: row.created_at_ms,
    target: () => JSON.parse(vault.unseal(targetName(row.id), row.target)) as unknown,
  });
  const listIn = async (within: Kysely<Schema>, accountId: string) => {
    const rows = await within
      .selectFrom('alert_endpoints')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('created_at_ms')
      .orderBy('id')
      .execute();
    return rows.map(endpointOf);
  };
  return {
    list: (accountId) => listIn(db, accountId),
    find: async (endpointId) => {
      const row = await db
        .selectFrom('alert_endpoints')
        .selectAll()
        .where('id', '=', endpointId)
        .executeTakeFirst();
      return row ? endpointOf(row) : null;
    },
    create: async (accountId, { kind, description, target, isConfirmed }, check) => {
      const id = randomId('end_');
      const nowMs = clock.nowMs();
      const row = {
        ...{ id, account_id: accountId, kind, description, target: sealed(id, target) },
        ...{ paused_at_ms: null, paused_reason: null, failing_since_ms: null },
        ...{ failures: 0, not_before_ms: 0, created_at_ms: nowMs },
        ...{ confirmed_at_ms: isConfirmed ? nowMs : null, code_hash: null, code_expires_at_ms: null },
      };
      await db.transaction().execute(async (trx) => {
        // The row lock keeps two requests from both adding the same address, or the last allowed endpoint.
        await trx
          .updateTable('alert_revision')
          .set(({ ref }) => ({ revision: ref('revision') }))
          .where('id', '=', 1)
          .execute();
        check?.(await listIn(trx, accountId));
        await trx.insertInto('alert_endpoints').values(row).execute();
      });
      return endpointOf(row);
    },
    setTarget: async (endpointId, description, target) => {
      await db
        .updateTable('alert_endpoints')
        .set({ description, target: sealed(endpointId, target) })
        .where('id', '=', endpointId)
        .execute();
    },
    change: async (endpointId, change) => {
      const { pausedAtMs, pausedReason, failingSinceMs, failures, notBeforeMs, confirmedAtMs, code } = change;
      await db
        .updateTable('alert_endpoints')
        .set({
          ...(pausedAtMs === undefined ? {} : { paused_at_ms: pausedAtMs }),
          ...(pausedReason === undefined ? {} : { paused_reason: pausedReason }),
          ...(failingSinceMs === undefined ? {} : { failing_since_ms: failingSinceMs }),
          ...(failures === undefined ? {} : { failures }),
          ...(notBeforeMs === undefined ? {} : { not_before_ms: notBeforeMs }),
          ...(confirmedAtMs === undefined ? {} : { confirmed_at_ms: confirmedAtMs }),
          ...(code === undefined
            ? {}
            : { code_hash: code?.hash ?? null, code_expires_at_ms: code?.untilMs ?? null }),
        })
        .where('id', '=', endpointId)
        .execute();
    },
    delete: async (endpointId) => {
      await db.deleteFrom('alert_endpoints').where('id', '=', endpointId).execute();
    },
  };
}

function stateOf(row: Selectable<AlertEndpointsTable>): Endpoint['state'] {
  if (row.paused_at_ms !== null) return 'paused';
  return row.confirmed_at_ms === null ? 'unconfirmed' : 'active';
}

/** The target; null if it was encrypted with a key that is lost. */
export function readTarget(endpoint: StoredEndpoint): unknown {
  try {
    return endpoint.target();
  } catch (error) {
    if (error instanceof SecretKeyError) return null;
    throw error;
  }
}
