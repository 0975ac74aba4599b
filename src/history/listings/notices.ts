import '../../storage/migrations/0007-listings.ts';
import type { Transaction } from 'kysely';
import type { Schema } from '../../storage/schema.ts';
import type { Storage } from '../../storage/storage.ts';

/** `read`: produced rows; `other`: about something else; `unclear`: needs manual review; `old`: too old to matter. */
export type NoticeOutcome = 'read' | 'other' | 'unclear' | 'old';

export interface NoticeRecord {
  exchange: string;
  noticeId: string;
  /** A changed hash means that the venue edited the notice, which is then read again. */
  contentHash: string;
  publishedAtMs: number;
  readAtMs: number;
  outcome: NoticeOutcome;
  reason: string;
  title: string;
  /** Stored for unclear notices only. */
  body: string | null;
  url: string | null;
}

export async function saveNotices(trx: Transaction<Schema>, notices: readonly NoticeRecord[]): Promise<void> {
  for (const notice of notices) {
    const values = {
      content_hash: notice.contentHash,
      published_at_ms: notice.publishedAtMs,
      read_at_ms: notice.readAtMs,
      outcome: notice.outcome,
      reason: notice.reason,
      title: notice.title,
      body: notice.body,
      url: notice.url,
    };
    await trx
      .insertInto('listing_notices')
      .values({ exchange: notice.exchange, notice_id: notice.noticeId, ...values })
      .onConflict((conflict) => conflict.columns(['exchange', 'notice_id']).doUpdateSet(values))
      .execute();
  }
}

/** Hashes of the notices that have been read, so that they are not read again. */
export async function loadReadNotices(
  { db }: Storage,
  sinceMs: number,
): Promise<{ exchange: string; noticeId: string; contentHash: string }[]> {
  const rows = await db
    .selectFrom('listing_notices')
    .select(['exchange', 'notice_id', 'content_hash'])
    .where('read_at_ms', '>=', sinceMs)
    .execute();
  return rows.map((row) => ({
    exchange: row.exchange,
    noticeId: row.notice_id,
    contentHash: row.content_hash,
  }));
}

interface NoticeCount {
  exchange: string;
  outcome: string;
  count: number;
}

export async function countNotices({ db }: Storage, sinceMs: number): Promise<NoticeCount[]> {
  const rows = await db
    .selectFrom('listing_notices')
    .select(({ fn }) => ['exchange', 'outcome', fn.countAll<number>().as('count')])
    .where('published_at_ms', '>=', sinceMs)
    .groupBy(['exchange', 'outcome'])
    .orderBy('exchange')
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** Notices for manual review, newest first. */
export async function unclearNotices({ db }: Storage, sinceMs: number): Promise<NoticeRecord[]> {
  const rows = await db
    .selectFrom('listing_notices')
    .selectAll()
    .where('outcome', '=', 'unclear')
    .where('published_at_ms', '>=', sinceMs)
    .orderBy('published_at_ms', 'desc')
    .execute();
  return rows.map((row) => ({
    exchange: row.exchange,
    noticeId: row.notice_id,
    contentHash: row.content_hash,
    publishedAtMs: row.published_at_ms,
    readAtMs: row.read_at_ms,
    outcome: 'unclear',
    reason: row.reason,
    title: row.title,
    body: row.body,
    url: row.url,
  }));
}
