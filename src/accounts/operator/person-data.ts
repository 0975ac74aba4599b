import '../../storage/migrations/0090-alerts.ts';
import type { Kysely } from 'kysely';
import { isoTime } from '../../base/times.ts';
import type { Schema } from '../../storage/schema.ts';
import type { Account } from '../account-store.ts';

const time = (timeMs: number | null) => (timeMs === null ? null : isoTime(timeMs));

/** Everything that the database holds about a person, for the person to read. Hashes of secrets are left out. */
export async function personData(db: Kysely<Schema>, account: Account) {
  const { id } = account;
  const password = await db
    .selectFrom('user_passwords')
    .select('changed_at_ms')
    .where('account_id', '=', id)
    .executeTakeFirst();
  const sessions = await db
    .selectFrom('user_sessions')
    .select(['created_at_ms', 'expires_at_ms', 'browser', 'last_used_at_ms'])
    .where('account_id', '=', id)
    .orderBy('created_at_ms')
    .execute();
  const keys = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('account_id', '=', id)
    .orderBy('created_at_ms')
    .execute();
  const records = await db
    .selectFrom('oauth_records')
    .select(['model', 'client_id', 'payload', 'created_at_ms', 'expires_at_ms'])
    .where('account_id', '=', id)
    .orderBy('created_at_ms')
    .execute();
  const links = await pendingLinks(db, account.email);
  const months = await db
    .selectFrom('slot_months')
    .innerJoin('slots', 'slots.id', 'slot_months.slot_id')
    .select(['slot_months.slot_id', 'month_start_ms', 'used'])
    .where('slots.account_id', '=', id)
    .orderBy('month_start_ms')
    .execute();
  const usage = await db
    .selectFrom('key_usage')
    .innerJoin('api_keys', 'api_keys.id', 'key_usage.key_id')
    .select(['key_id', 'span', 'start_ms', 'used'])
    .where('api_keys.account_id', '=', id)
    .orderBy('start_ms')
    .execute();
  const log = await db
    .selectFrom('security_log')
    .select(['at_ms', 'actor', 'action', 'detail'])
    .where('account_id', '=', id)
    .orderBy('at_ms')
    .execute();
  const rules = await db
    .selectFrom('alert_rules')
    .select(['id', 'name', 'operation', 'query', 'condition', 'every_minutes', 'created_at_ms'])
    .where('account_id', '=', id)
    .orderBy('created_at_ms')
    .execute();
  const endpoints = await db
    .selectFrom('alert_endpoints')
    .select(['id', 'kind', 'description', 'created_at_ms'])
    .where('account_id', '=', id)
    .orderBy('created_at_ms')
    .execute();
  const alerts = await db
    .selectFrom('alert_events')
    .select(['rule_id', 'text', 'created_at_ms'])
    .where('account_id', '=', id)
    .orderBy('created_at_ms')
    .execute();
  return {
    account: {
      id,
      name: account.name,
      email: account.email,
      plan: account.plan,
      host_tier: account.hostTier,
      taker_fees: account.takerFees,
      starred_coins: account.starredCoins,
      order_size_usd: account.orderSizeUsd,
      created_at: time(account.createdAtMs),
      suspended_at: time(account.suspendedAtMs),
      deleted_at: time(account.deletedAtMs),
    },
    password_changed_at: time(password?.changed_at_ms ?? null),
    sessions: sessions.map((row) => ({
      browser: row.browser,
      last_used_at: time(row.last_used_at_ms),
      created_at: time(row.created_at_ms),
      expires_at: time(row.expires_at_ms),
    })),
    keys: keys.map((row) => ({
      id: row.id,
      name: row.name,
      key_prefix: row.key_prefix,
      scopes: row.scopes,
      created_at: time(row.created_at_ms),
      expires_at: time(row.expires_at_ms),
      revoked_at: time(row.revoked_at_ms),
      replaced_until: time(row.replaced_until_ms),
      last_used_at: time(row.last_used_at_ms),
    })),
    assistants: records.map((row) => ({
      kind: row.model,
      client_id: row.client_id,
      content: JSON.parse(row.payload) as unknown,
      created_at: time(row.created_at_ms),
      expires_at: time(row.expires_at_ms),
    })),
    pending_links: links,
    alert_rules: rules.map(({ created_at_ms: atMs, ...rule }) => ({ ...rule, created_at: time(atMs) })),
    alert_endpoints: endpoints.map(({ created_at_ms: atMs, ...endpoint }) => ({
      ...endpoint,
      created_at: time(atMs),
    })),
    alerts: alerts.map(({ created_at_ms: atMs, ...alert }) => ({ ...alert, created_at: time(atMs) })),
    requests_by_month: months.map((row) => ({
      slot: row.slot_id,
      month_start: time(row.month_start_ms),
      used: row.used,
    })),
    requests_by_key: usage.map((row) => ({
      key: row.key_id,
      span: row.span,
      start: time(row.start_ms),
      used: row.used,
    })),
    security_log: log.map(({ at_ms: atMs, ...event }) => ({ at: time(atMs), ...event })),
  };
}

async function pendingLinks(db: Kysely<Schema>, email: string | null) {
  if (email === null) return [];
  const rows = await db
    .selectFrom('mail_tokens')
    .select(['purpose', 'email', 'return_path', 'expires_at_ms'])
    .where('email', '=', email)
    .execute();
  return rows.map(({ expires_at_ms: expiresAtMs, ...row }) => ({ ...row, expires_at: time(expiresAtMs) }));
}
