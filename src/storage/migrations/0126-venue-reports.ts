import type { Generated } from 'kysely';
import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    venue_reports: VenueReportsTable;
  }
}

/** The last report of each venue, which the active collector writes for all processes that serve. */
interface VenueReportsTable {
  slug: string;
  /** JSON. */
  report: string;
  /** One character a minute, oldest first: 1 if the venue was available, else 0. */
  minutes: string;
  /** Added by 0129: the minutes of each day, such as `20410:1438/1440`. */
  days: Generated<string>;
}

export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('venue_reports')
    .addColumn('slug', 'text', (column) => column.primaryKey())
    .addColumn('report', 'text', (column) => column.notNull())
    .addColumn('minutes', 'text', (column) => column.notNull())
    .execute();
}
