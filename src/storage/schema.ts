/**
 * The tables. Times are integers (epoch milliseconds), booleans are 0 or 1 and bytes are Uint8Array, so the same queries
 * run on SQLite and on PostgreSQL. A migration adds its tables to this interface from its own file:
 * `declare module '../schema.ts' { interface Schema { my_table: MyTable } }`.
 */
export interface Schema {
  accounts: AccountsTable;
  slots: SlotsTable;
  api_keys: ApiKeysTable;
  directory_revision: DirectoryRevisionTable;
  slot_months: SlotMonthsTable;
  key_usage: KeyUsageTable;
  snapshot_frames: SnapshotFramesTable;
}

export interface AccountsTable {
  id: string;
  name: string;
  /** Lower case, unique. */
  email: string | null;
  plan: string;
  host_tier: string | null;
  created_at_ms: number;
  revision: number;
}

/** The windows of a slot are counted together: one slot per key, and one for all OAuth grants of an account. */
interface SlotsTable {
  id: string;
  account_id: string;
  kind: 'key' | 'oauth';
  /** From 1 for keys; 0 for the OAuth slot. */
  number: number;
}

export interface ApiKeysTable {
  id: string;
  account_id: string;
  slot_id: string;
  slot_number: number;
  name: string;
  /** SHA-256 of the whole key, in hex. The key itself is never stored. */
  hash: string;
  key_prefix: string;
  /** Separated by spaces. */
  scopes: string;
  created_at_ms: number;
  expires_at_ms: number;
  revoked_at_ms: number | null;
  /** Set by rotation: the replaced key works until then. */
  replaced_until_ms: number | null;
  last_used_at_ms: number | null;
  revision: number;
}

/**
 * One row. Every change of accounts or keys increments it and stores the number in the changed rows, so a reader fetches
 * only newer rows. Its row lock makes changes queue, so revisions become visible in order.
 */
interface DirectoryRevisionTable {
  id: number;
  revision: number;
}

interface SlotMonthsTable {
  slot_id: string;
  month_start_ms: number;
  used: number;
}

interface KeyUsageTable {
  key_id: string;
  span: 'hour' | 'day';
  start_ms: number;
  used: number;
}

interface SnapshotFramesTable {
  series: string;
  as_of_ms: number;
  frame: Uint8Array;
}
