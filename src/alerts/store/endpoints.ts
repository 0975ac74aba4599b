import '../../storage/migrations/0090-alerts.ts';
import type { Selectable } from 'kysely';
import { randomId } from '../../accounts/keys/key-text.ts';
import { targetName } from '../../accounts/vault/stored-secrets.ts';
import type { Vault } from '../../accounts/vault/vault.ts';
import type { Clock } from '../../base/clock.ts';
import type { AlertEndpointsTable } from '../../storage/migrations/0090-alerts.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Endpoint } from '../alerts.ts';
import type { ChannelKind } from '../channels/channel.ts';

/** An endpoint with its target, which is parsed by its channel. */
export interface StoredEndpoint extends Endpoint {
  failures: number;
  notBeforeMs: number;
  /** Decrypted on demand. Throws if it has another key. */
  target(): unknown;
}

export interface EndpointChange {
  pausedAtMs: number | null;
  pausedReason: string | null;
  failingSinceMs: number | null;
  failures: number;
  notBeforeMs: number;
}

export interface EndpointStore {
  /** Oldest first. */
  list(accountId: string): Promise<StoredEndpoint[]>;
  find(endpointId: string): Promise<StoredEndpoint | null>;
  create(accountId: string, kind: ChannelKind, description: string, target: unknown): Promise<StoredEndpoint>;
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
    state: row.paused_at_ms === null ? 'active' : 'paused',
    pausedReason: row.paused_reason,
    failingSinceMs: row.failing_since_ms,
    failures: row.failures,
    notBeforeMs: row.not_before_ms,
    createdAtMs: row.created_at_ms,
    target: () => JSON.parse(vault.unseal(targetName(row.id), row.target)) as unknown,
  });
  return {
    list: async (accountId) => {
      const rows = await db
        .selectFrom('alert_endpoints')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at_ms')
        .orderBy('id')
        .execute();
      return rows.map(endpointOf);
    },
    find: async (endpointId) => {
      const row = await db
        .selectFrom('alert_endpoints')
        .selectAll()
        .where('id', '=', endpointId)
        .executeTakeFirst();
      return row ? endpointOf(row) : null;
    },
    create: async (accountId, kind, description, target) => {
      const id = randomId('end_');
      const row = {
        ...{ id, account_id: accountId, kind, description, target: sealed(id, target) },
        ...{ paused_at_ms: null, paused_reason: null, failing_since_ms: null },
        ...{ failures: 0, not_before_ms: 0, created_at_ms: clock.nowMs() },
      };
      await db.insertInto('alert_endpoints').values(row).execute();
      return endpointOf(row);
    },
    setTarget: async (endpointId, description, target) => {
      await db
        .updateTable('alert_endpoints')
        .set({ description, target: sealed(endpointId, target) })
        .where('id', '=', endpointId)
        .execute();
    },
    change: async (endpointId, { pausedAtMs, pausedReason, failingSinceMs, failures, notBeforeMs }) => {
      await db
        .updateTable('alert_endpoints')
        .set({
          ...(pausedAtMs === undefined ? {} : { paused_at_ms: pausedAtMs }),
          ...(pausedReason === undefined ? {} : { paused_reason: pausedReason }),
          ...(failingSinceMs === undefined ? {} : { failing_since_ms: failingSinceMs }),
          ...(failures === undefined ? {} : { failures }),
          ...(notBeforeMs === undefined ? {} : { not_before_ms: notBeforeMs }),
        })
        .where('id', '=', endpointId)
        .execute();
    },
    delete: async (endpointId) => {
      await db.deleteFrom('alert_endpoints').where('id', '=', endpointId).execute();
    },
  };
}
