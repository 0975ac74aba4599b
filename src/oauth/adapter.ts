import type { Kysely } from 'kysely';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { tokenHash } from '../accounts/secrets.ts';
import type { Clock } from '../base/clock.ts';
import type { Schema } from '../storage/schema.ts';

/** Models whose ids are not secret: clients and pages show them. */
const PLAIN_IDS = new Set(['Client', 'Grant']);
/** Models that belong to a grant and are deleted with it. */
const GRANTED = ['AccessToken', 'AuthorizationCode', 'RefreshToken'] as const;

export function recordId(model: string, id: string): string {
  return PLAIN_IDS.has(model) ? id : tokenHash(id);
}

/** The database adapter of oidc-provider. Tokens and codes are stored as hashes, so a leaked database has none. */
export function storedRecords(db: Kysely<Schema>, clock: Clock): (model: string) => Adapter {
  return (model) => {
    const keyOf = (id: string) => ({ model, id: recordId(model, id) });

    const payloadOf = (
      row: { payload: string; consumed_at_ms: number | null; expires_at_ms: number | null } | undefined,
    ): AdapterPayload | undefined => {
      if (!row || (row.expires_at_ms !== null && row.expires_at_ms <= clock.nowMs())) return undefined;
      const payload = JSON.parse(row.payload) as AdapterPayload;
      if (row.consumed_at_ms !== null) payload.consumed = Math.floor(row.consumed_at_ms / 1000);
      return payload;
    };

    return {
      upsert: async (id, payload, expiresIn) => {
        const nowMs = clock.nowMs();
        const columns = {
          payload: JSON.stringify(withoutSecrets(model, payload)),
          grant_id: payload.grantId ?? null,
          uid: payload.uid ?? null,
          account_id: payload.accountId ?? null,
          client_id: payload.clientId ?? null,
          expires_at_ms: expiresIn === undefined ? null : nowMs + expiresIn * 1000,
        };
        await db
          .insertInto('oauth_records')
          .values({ ...keyOf(id), ...columns, created_at_ms: nowMs, consumed_at_ms: null })
          .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(columns))
          .execute();
      },
      find: async (id) => {
        const row = await db
          .selectFrom('oauth_records')
          .select(['payload', 'consumed_at_ms', 'expires_at_ms'])
          .where((is) => is.and(keyOf(id)))
          .executeTakeFirst();
        const payload = payloadOf(row);
        return payload && !PLAIN_IDS.has(model) ? { ...payload, jti: id } : payload;
      },
      findByUid: async (uid) =>
        payloadOf(
          await db
            .selectFrom('oauth_records')
            .select(['payload', 'consumed_at_ms', 'expires_at_ms'])
            .where('model', '=', model)
            .where('uid', '=', uid)
            .executeTakeFirst(),
        ),
      // Only device codes have user codes, and they are disabled.
      findByUserCode: async () => undefined,
      consume: async (id) => {
        const { numUpdatedRows } = await db
          .updateTable('oauth_records')
          .set({ consumed_at_ms: clock.nowMs() })
          .where((is) => is.and(keyOf(id)))
          .where('consumed_at_ms', 'is', null)
          .executeTakeFirst();
        // Two concurrent requests can both find the code unused; only one of them may consume it.
        if (numUpdatedRows > 0n) return;
        const { errors } = await import('./library.ts');
        throw new errors.InvalidGrant('already used');
      },
      destroy: async (id) => {
        await db
          .deleteFrom('oauth_records')
          .where((is) => is.and(keyOf(id)))
          .execute();
      },
      revokeByGrantId: async (grantId) => {
        await db
          .deleteFrom('oauth_records')
          .where('grant_id', '=', grantId)
          .where('model', 'in', GRANTED)
          .execute();
      },
    };
  };
}

/** Removes the id, which is stored as a hash only, and replaces a client's secret by its hash. */
function withoutSecrets(model: string, payload: AdapterPayload): AdapterPayload {
  if (model === 'Client') {
    const { client_secret: secret } = payload;
    return secret === undefined ? payload : { ...payload, client_secret: tokenHash(secret) };
  }
  if (PLAIN_IDS.has(model)) return payload;
  const { jti: _id, ...rest } = payload;
  return rest;
}
