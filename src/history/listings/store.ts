import '../../storage/migrations/0007-listings.ts';
import type { Kysely, Transaction } from 'kysely';
import { checkFence, type Fence } from '../../storage/fences.ts';
import type { ListingEpisodesTable, ListingVersionsTable } from '../../storage/migrations/0007-listings.ts';
import type { Schema } from '../../storage/schema.ts';
import type { Storage } from '../../storage/storage.ts';
import type { StagedChange } from './book.ts';
import type { Episode, EpisodeState, EpisodeVersion, ListingKind, ListingSource } from './model.ts';
import { type NoticeRecord, saveNotices } from './notices.ts';
import { decodeContracts, encodeContracts, type PartState } from './parts.ts';

/** The first and the last as_of of the published calendar. */
export interface FeedSpan {
  firstAsOfMs: number;
  lastAsOfMs: number;
}

export interface StoredListings {
  span: FeedSpan | null;
  /** Ordered by detection. */
  episodes: Episode[];
  parts: PartState[];
}

/** Everything that one publication changes; stored in one transaction. */
export interface Publication {
  span: FeedSpan;
  changes: readonly StagedChange[];
  parts: readonly PartState[];
  notices: readonly NoticeRecord[];
}

const FEED_ID = 1;

export async function loadListings({ db }: Storage): Promise<StoredListings> {
  const span = await loadSpan({ db });
  const rows = await db.selectFrom('listing_episodes').selectAll().orderBy('detected_at_ms').execute();
  const versionRows = await db.selectFrom('listing_versions').selectAll().orderBy('changed_at_ms').execute();
  const parts = await db.selectFrom('listing_parts').selectAll().execute();
  return {
    span,
    episodes: episodesOf(rows, versionRows),
    parts: parts.map((row) => ({
      exchange: row.exchange,
      part: row.part,
      listAtMs: row.list_at_ms,
      fullCount: row.full_count,
      shortSinceMs: row.short_since_ms,
      contracts: decodeContracts(row.contracts),
    })),
  };
}

/** What another process has published since then: the new span, and every changed episode with all its versions. */
export async function loadChangedListings(
  { db }: Storage,
  sinceMs: number,
): Promise<{ span: FeedSpan | null; episodes: Episode[] }> {
  // Read first: everything up to the span's end was stored in the same transaction as the span.
  const span = await loadSpan({ db });
  if (!span || span.lastAsOfMs <= sinceMs) return { span, episodes: [] };
  const changed = (select: Kysely<Schema>) =>
    select.selectFrom('listing_versions').select('detected_at_ms').where('changed_at_ms', '>', sinceMs);
  const versionRows = await db
    .selectFrom('listing_versions')
    .selectAll()
    .where('detected_at_ms', 'in', changed(db))
    .orderBy('changed_at_ms')
    .execute();
  const rows = await db
    .selectFrom('listing_episodes')
    .selectAll()
    .where('detected_at_ms', 'in', changed(db))
    .orderBy('detected_at_ms')
    .execute();
  return { span, episodes: episodesOf(rows, versionRows) };
}

export async function loadSpan({ db }: { db: Kysely<Schema> }): Promise<FeedSpan | null> {
  const feed = await db.selectFrom('listing_feed').selectAll().executeTakeFirst();
  return feed ? { firstAsOfMs: feed.first_as_of_ms, lastAsOfMs: feed.last_as_of_ms } : null;
}

function episodesOf(
  rows: readonly ListingEpisodesTable[],
  versionRows: readonly ListingVersionsTable[],
): Episode[] {
  const versions = Map.groupBy(versionRows, (row) => row.detected_at_ms);
  return rows.flatMap((row) => {
    const held = (versions.get(row.detected_at_ms) ?? []).map(versionOf);
    const newest = held.at(-1);
    if (!newest) return [];
    return [
      {
        exchange: row.exchange,
        symbol: row.symbol,
        kind: row.kind as ListingKind,
        source: row.source as ListingSource,
        statedAtMs: row.said_at_ms,
        seenAtMs: row.detected_at_ms,
        detectedAtMs: row.detected_at_ms,
        state: newest.state,
        versions: held,
      },
    ];
  });
}

/** Stores a publication. With a fence, the write fails once another process has taken over publishing. */
export async function savePublication(
  { db }: { db: Kysely<Schema> },
  publication: Publication,
  fence: Fence | null = null,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (fence) await checkFence(trx, fence);
    for (const change of publication.changes) await saveChange(trx, change);
    for (const part of publication.parts) await savePart(trx, part);
    await saveNotices(trx, publication.notices);
    const { firstAsOfMs, lastAsOfMs } = publication.span;
    await trx
      .insertInto('listing_feed')
      .values({ id: FEED_ID, first_as_of_ms: firstAsOfMs, last_as_of_ms: lastAsOfMs })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ first_as_of_ms: firstAsOfMs, last_as_of_ms: lastAsOfMs }),
      )
      .execute();
  });
}

async function saveChange(trx: Transaction<Schema>, change: StagedChange): Promise<void> {
  const { episode, detectedAtMs, state } = change;
  if (change.isNew) {
    await trx
      .insertInto('listing_episodes')
      .values({
        detected_at_ms: detectedAtMs,
        said_at_ms: episode.statedAtMs,
        exchange: episode.exchange,
        symbol: episode.symbol,
        kind: episode.kind,
        source: episode.source,
      })
      .execute();
  }
  await trx
    .insertInto('listing_versions')
    .values({
      detected_at_ms: detectedAtMs,
      changed_at_ms: change.changedAtMs,
      venue_symbol: state.venueSymbol,
      coin: state.coin,
      effective_at_ms: state.effectiveAtMs,
      effective_by: state.effectiveBy,
      effective_said_at_ms: state.effectiveStatedAtMs,
      announcement_url: state.announcementUrl,
      done_at_ms: state.doneAtMs,
      is_held: Number(state.isOverdue),
      is_cancelled: Number(state.isCancelled),
    })
    .execute();
}

async function savePart(trx: Transaction<Schema>, part: PartState): Promise<void> {
  const values = {
    list_at_ms: part.listAtMs,
    full_count: part.fullCount,
    short_since_ms: part.shortSinceMs,
    contracts: encodeContracts(part.contracts),
  };
  await trx
    .insertInto('listing_parts')
    .values({ exchange: part.exchange, part: part.part, ...values })
    .onConflict((conflict) => conflict.columns(['exchange', 'part']).doUpdateSet(values))
    .execute();
}

function versionOf(row: ListingVersionsTable): EpisodeVersion {
  const state: EpisodeState = {
    venueSymbol: row.venue_symbol,
    coin: row.coin,
    effectiveAtMs: row.effective_at_ms,
    effectiveBy: row.effective_by as ListingSource | null,
    effectiveStatedAtMs: row.effective_said_at_ms,
    announcementUrl: row.announcement_url,
    doneAtMs: row.done_at_ms,
    isOverdue: row.is_held === 1,
    isCancelled: row.is_cancelled === 1,
  };
  return { changedAtMs: row.changed_at_ms, state };
}
