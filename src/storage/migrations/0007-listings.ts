import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    listing_episodes: ListingEpisodesTable;
    listing_versions: ListingVersionsTable;
    listing_parts: ListingPartsTable;
    listing_notices: ListingNoticesTable;
    listing_feed: ListingFeedTable;
  }
}

/** One row of the calendar. Its time of detection is unique and never changes, so it is the key. */
export interface ListingEpisodesTable {
  detected_at_ms: number;
  said_at_ms: number;
  exchange: string;
  symbol: string;
  kind: string;
  source: string;
}

/** The content of a row from a time on. Kept forever as evidence of every changed date. */
export interface ListingVersionsTable {
  detected_at_ms: number;
  changed_at_ms: number;
  venue_symbol: string | null;
  coin: string;
  effective_at_ms: number | null;
  effective_by: string | null;
  effective_said_at_ms: number;
  announcement_url: string | null;
  done_at_ms: number | null;
  is_held: number;
  is_cancelled: number;
}

/** The last good list of each part of a venue, so that a restarted service sees what has changed. */
interface ListingPartsTable {
  exchange: string;
  part: string;
  list_at_ms: number;
  full_count: number;
  short_since_ms: number | null;
  contracts: string;
}

/** Notices that were read, and the outcome of each. */
interface ListingNoticesTable {
  exchange: string;
  notice_id: string;
  content_hash: string;
  published_at_ms: number;
  read_at_ms: number;
  outcome: string;
  reason: string;
  title: string;
  body: string | null;
  url: string | null;
}

/** One row: the first and the last publication time of the calendar. */
interface ListingFeedTable {
  id: number;
  first_as_of_ms: number;
  last_as_of_ms: number;
}

export async function up({ trx }: MigrationContext): Promise<void> {
  const { schema } = trx;
  await schema
    .createTable('listing_episodes')
    .addColumn('detected_at_ms', 'bigint', (column) => column.primaryKey())
    .addColumn('said_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('exchange', 'text', (column) => column.notNull())
    .addColumn('symbol', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('listing_versions')
    .addColumn('detected_at_ms', 'bigint', (column) =>
      column.notNull().references('listing_episodes.detected_at_ms'),
    )
    .addColumn('changed_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('venue_symbol', 'text')
    .addColumn('coin', 'text', (column) => column.notNull())
    .addColumn('effective_at_ms', 'bigint')
    .addColumn('effective_by', 'text')
    .addColumn('effective_said_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('announcement_url', 'text')
    .addColumn('done_at_ms', 'bigint')
    .addColumn('is_held', 'integer', (column) => column.notNull())
    .addColumn('is_cancelled', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('listing_versions_key', ['detected_at_ms', 'changed_at_ms'])
    .execute();
  await schema
    .createTable('listing_parts')
    .addColumn('exchange', 'text', (column) => column.notNull())
    .addColumn('part', 'text', (column) => column.notNull())
    .addColumn('list_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('full_count', 'integer', (column) => column.notNull())
    .addColumn('short_since_ms', 'bigint')
    .addColumn('contracts', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('listing_parts_key', ['exchange', 'part'])
    .execute();
  await schema
    .createTable('listing_notices')
    .addColumn('exchange', 'text', (column) => column.notNull())
    .addColumn('notice_id', 'text', (column) => column.notNull())
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('published_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('read_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('body', 'text')
    .addColumn('url', 'text')
    .addPrimaryKeyConstraint('listing_notices_key', ['exchange', 'notice_id'])
    .execute();
  await schema
    .createIndex('listing_notices_outcome')
    .on('listing_notices')
    .columns(['outcome', 'published_at_ms'])
    .execute();
  await schema
    .createTable('listing_feed')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('first_as_of_ms', 'bigint', (column) => column.notNull())
    .addColumn('last_as_of_ms', 'bigint', (column) => column.notNull())
    .execute();
}
