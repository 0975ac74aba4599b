import type { Kysely } from 'kysely';
import { readScopes, type Scope } from '../accounts/scopes.ts';
import type { Clock } from '../base/clock.ts';
import { DAY_MS } from '../base/times.ts';
import type { Schema } from '../storage/schema.ts';
import { recordId } from './adapter.ts';
import { visibleName } from './client-name.ts';

/** An assistant that a user has connected. It may hold several grants, one per device. */
export interface Connection {
  clientId: string;
  clientName: string;
  scopes: readonly Scope[];
  connectedAtMs: number;
}

interface TokenFinding {
  accountId: string;
  scopes: readonly Scope[];
}

export interface Connections {
  of(accountId: string): Promise<Connection[]>;
  /** Whether the account has a grant of the client. */
  has(accountId: string, clientId: string): Promise<boolean>;
  /** Revokes all grants and tokens of the assistant for this account, effective immediately. */
  end(accountId: string, clientId: string): Promise<void>;
  /** Revokes the grants and tokens of all assistants of this account. */
  endAll(accountId: string): Promise<void>;
  /** The account and scopes of an access token for our resource. */
  findToken(token: string): Promise<TokenFinding | 'unknown' | 'expired'>;
  /** Deletes what has expired and clients that nobody uses. */
  sweep(): Promise<void>;
}

/** A client without a grant is deleted after this time; it can register again. */
const UNUSED_CLIENT_MS = DAY_MS;
/** Expired access tokens stay for another day, so that one is distinguished from an unknown one. */
const EXPIRED_TOKEN_TTL_MS = DAY_MS;

interface StoredGrant {
  resources?: Record<string, string>;
  rejected?: { resources?: Record<string, string> };
}

export function openConnections(db: Kysely<Schema>, clock: Clock, resource: string): Connections {
  return {
    of: async (accountId) => {
      const rows = await db
        .selectFrom('oauth_records as grant')
        .leftJoin('oauth_records as client', (join) =>
          join.onRef('client.id', '=', 'grant.client_id').on('client.model', '=', 'Client'),
        )
        .select(['grant.client_id', 'grant.payload', 'grant.created_at_ms', 'client.payload as client'])
        .where('grant.model', '=', 'Grant')
        .where('grant.account_id', '=', accountId)
        .where('grant.expires_at_ms', '>', clock.nowMs())
        .orderBy('grant.created_at_ms')
        .execute();
      const connections = new Map<string, Connection>();
      for (const row of rows) {
        const clientId = row.client_id ?? '';
        const before = connections.get(clientId);
        const scopes = [...(before?.scopes ?? []), ...grantedScopes(row.payload, resource)];
        connections.set(clientId, {
          clientId,
          clientName: nameOf(row.client, clientId),
          scopes: readScopes(scopes.join(' ')),
          connectedAtMs: before?.connectedAtMs ?? row.created_at_ms,
        });
      }
      return [...connections.values()];
    },
    has: async (accountId, clientId) => {
      const row = await db
        .selectFrom('oauth_records')
        .select('id')
        .where('model', '=', 'Grant')
        .where('account_id', '=', accountId)
        .where('client_id', '=', clientId)
        .where('expires_at_ms', '>', clock.nowMs())
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    end: async (accountId, clientId) => {
      await db
        .deleteFrom('oauth_records')
        .where('account_id', '=', accountId)
        .where('client_id', '=', clientId)
        .where('model', 'in', ['Grant', 'AccessToken', 'RefreshToken', 'AuthorizationCode'])
        .execute();
    },
    endAll: async (accountId) => {
      // Every model: a pending interaction or code would become a new grant.
      await db.deleteFrom('oauth_records').where('account_id', '=', accountId).execute();
    },
    findToken: async (token) => {
      const row = await db
        .selectFrom('oauth_records')
        .select(['payload', 'account_id', 'expires_at_ms'])
        .where('model', '=', 'AccessToken')
        .where('id', '=', recordId('AccessToken', token))
        .executeTakeFirst();
      if (!row?.account_id) return 'unknown';
      const { aud, scope } = JSON.parse(row.payload) as { aud?: unknown; scope?: unknown };
      if (aud !== resource) return 'unknown';
      if (row.expires_at_ms === null || row.expires_at_ms <= clock.nowMs()) return 'expired';
      return { accountId: row.account_id, scopes: readScopes(String(scope ?? '')) };
    },
    sweep: async () => {
      const nowMs = clock.nowMs();
      await db
        .deleteFrom('oauth_records')
        .where('expires_at_ms', '<=', nowMs - EXPIRED_TOKEN_TTL_MS)
        .execute();
      await db
        .deleteFrom('oauth_records')
        .where('expires_at_ms', '<=', nowMs)
        .where('model', '!=', 'AccessToken')
        .execute();
      await db
        .deleteFrom('oauth_records')
        .where('model', '=', 'Client')
        .where('created_at_ms', '<=', nowMs - UNUSED_CLIENT_MS)
        .where('id', 'not in', (select) =>
          select
            .selectFrom('oauth_records')
            .select('client_id')
            .where('model', '=', 'Grant')
            .where('client_id', 'is not', null)
            .$narrowType<{ client_id: string }>(),
        )
        .execute();
    },
  };
}

function grantedScopes(payload: string, resource: string): Scope[] {
  const { resources, rejected } = JSON.parse(payload) as StoredGrant;
  const refused = readScopes(rejected?.resources?.[resource] ?? '');
  return readScopes(resources?.[resource] ?? '').filter((scope) => !refused.includes(scope));
}

/** A client identified by the URL of its metadata document is named after the URL's host. */
function nameOf(client: string | null, clientId: string): string {
  const { client_name: name } = JSON.parse(client ?? '{}') as { client_name?: string };
  return visibleName(name ?? '') || (URL.parse(clientId)?.host ?? clientId);
}
