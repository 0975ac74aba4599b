import { hash } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '../../base/times.ts';
import { ListingBook } from '../../history/listings/book.ts';
import { LISTING_SOURCES, type ListingSource } from '../../history/listings/model.ts';
import type { NoticeOutcome, NoticeRecord } from '../../history/listings/notices.ts';
import { encodeContracts, type KnownContract, type PartState } from '../../history/listings/parts.ts';
import type { FeedSpan, Publication, StoredListings } from '../../history/listings/store.ts';
import { MAX_AHEAD_MS } from '../../market/timeline.ts';
import type { Announcement, ContractList } from '../../venues/observations.ts';
import { readList } from './diff.ts';
import { sightingOf } from './instruments.ts';
import { readNotice } from './notices/read.ts';
import { sightingOfEvent } from './resolve.ts';

/** Notices older than this are ignored: what they announce has happened. */
const NOTICE_MAX_AGE_MS = 45 * DAY_MS;
/** How many characters of an unclear notice are stored for manual review. */
const MAX_BODY_LENGTH = 4000;
/** The time of an unchanged list is stored only this often. */
const LIST_TIME_SAVED_EVERY_MS = 10 * MINUTE_MS;

/** Turns lists and notices into the calendar's episodes, in memory. The caller stores and publishes them. */
export class ListingWatch {
  readonly book = new ListingBook();
  readonly #sources: ReadonlySet<ListingSource>;
  readonly #parts = new Map<string, PartState>();
  readonly #savedParts = new Map<string, { text: string; state: PartState }>();
  readonly #touchedParts = new Set<string>();
  readonly #contentHashes = new Map<string, string>();
  #readNotices: NoticeRecord[] = [];
  #span: FeedSpan | null = null;

  constructor(sources: readonly ListingSource[] = LISTING_SOURCES) {
    this.#sources = new Set(sources);
  }

  get span(): FeedSpan | null {
    return this.#span;
  }

  restore(
    stored: StoredListings,
    notices: readonly { exchange: string; noticeId: string; contentHash: string }[],
  ): void {
    this.#span = stored.span;
    for (const episode of stored.episodes) this.book.restore(episode);
    for (const part of stored.parts) {
      this.#parts.set(partKey(part), part);
      this.#savedParts.set(partKey(part), { text: encodeContracts(part.contracts), state: part });
    }
    for (const { exchange, noticeId, contentHash } of notices)
      this.#contentHashes.set(`${exchange} ${noticeId}`, contentHash);
  }

  /** The clock was set: the times of lists change with it, so that no contract is missing for longer than it is. */
  shiftTimes(byMs: number, nowMs: number): void {
    const shifted = (timeMs: number) => Math.min(timeMs + byMs, nowMs);
    const orNull = (timeMs: number | null) => (timeMs === null ? null : shifted(timeMs));
    for (const [key, part] of this.#parts) {
      const contracts = new Map(
        [...part.contracts].map(([symbol, contract]) => [
          symbol,
          { ...contract, missingSinceMs: orNull(contract.missingSinceMs) },
        ]),
      );
      this.#parts.set(key, {
        ...part,
        listAtMs: shifted(part.listAtMs),
        shortSinceMs: orNull(part.shortSinceMs),
        contracts,
      });
    }
  }

  /** Whether there is a list of this part to compare the next one with. */
  hasList(exchange: string, part: string): boolean {
    return this.#parts.has(partKey({ exchange, part }));
  }

  takeList(exchange: string, { part, contracts }: ContractList, atMs: number): void {
    const key = partKey({ exchange, part });
    const before = this.#parts.get(key);
    if (before && atMs <= before.listAtMs) return;
    const reading = readList(before, exchange, part, contracts, atMs);
    if (!reading) return;
    this.#parts.set(key, reading.state);
    this.#touchedParts.add(key);
    for (const sighting of reading.sightings)
      if (this.#sources.has(sighting.source)) this.book.apply(sighting);
    if (this.#sources.has('instruments'))
      this.book.compare(
        exchange,
        new Map(contracts.map((one) => [one.venueSymbol, one])),
        reading.gone,
        atMs,
      );
  }

  /** The venue has ended: everything that it still listed is delisted as of that time. */
  endVenue(exchange: string, endedAtMs: number, atMs: number): void {
    for (const [key, state] of this.#parts) {
      const left = [...state.contracts.values()].filter(
        ({ status, isGone }) => status !== 'delisted' && !isGone,
      );
      if (state.exchange !== exchange || left.length === 0) continue;
      const contracts = new Map(state.contracts);
      const reading = { exchange, atMs, isNear: false };
      for (const contract of left) {
        contracts.set(contract.venueSymbol, { ...contract, status: 'delisted', delistsAtMs: endedAtMs });
        const isOpened = contract.status !== 'preopen';
        if (!this.#sources.has('instruments')) continue;
        this.book.apply(
          isOpened
            ? sightingOf(contract, 'delisting', reading, {
                source: 'instruments',
                phase: 'done',
                effectiveAtMs: endedAtMs,
              })
            : sightingOf(contract, 'listing', reading, { source: 'instruments', phase: 'cancelled' }),
        );
      }
      this.#parts.set(key, { ...state, contracts });
      this.#touchedParts.add(key);
    }
  }

  /** Reads new and edited notices, oldest first. Returns the outcome of each. */
  takeNotices(exchange: string, notices: readonly Announcement[], atMs: number): NoticeRecord[] {
    if (!this.#sources.has('announcement')) return [];
    const records: NoticeRecord[] = [];
    for (const notice of notices.toSorted((a, b) => a.publishedAtMs - b.publishedAtMs)) {
      const contentHash = hash('sha256', `${notice.title}\n${notice.body ?? ''}`, 'base64url').slice(0, 16);
      const key = `${exchange} ${notice.id}`;
      if (this.#contentHashes.get(key) === contentHash) continue;
      this.#contentHashes.set(key, contentHash);
      const { outcome, reason } = this.#read(exchange, notice, atMs);
      records.push({
        exchange,
        noticeId: notice.id,
        contentHash,
        publishedAtMs: notice.publishedAtMs,
        readAtMs: atMs,
        outcome,
        reason,
        title: notice.title,
        body: outcome === 'unclear' ? (notice.body?.slice(0, MAX_BODY_LENGTH) ?? null) : null,
        url: notice.url,
      });
    }
    this.#readNotices.push(...records);
    return records;
  }

  /** Everything to store for a publication as of the time; null if no publication is possible. */
  stage(asOfMs: number): Publication | null {
    const lastAsOfMs = this.#lastAsOfMs(asOfMs);
    if (asOfMs <= lastAsOfMs) return null;
    const changes = this.book.stage(lastAsOfMs, asOfMs);
    if (!changes) return null;
    return {
      span: { firstAsOfMs: Math.min(this.#span?.firstAsOfMs ?? asOfMs, asOfMs), lastAsOfMs: asOfMs },
      changes,
      parts: [...this.#touchedParts].flatMap((key) => this.#unsavedPart(key)),
      notices: [...this.#readNotices],
    };
  }

  /** Call after the publication is stored. */
  commit(publication: Publication): void {
    this.#span = publication.span;
    this.book.commit(publication.changes);
    for (const part of publication.parts) {
      const key = partKey(part);
      this.#savedParts.set(key, { text: encodeContracts(part.contracts), state: part });
      if (this.#parts.get(key) === part) this.#touchedParts.delete(key);
    }
    const stored = new Set(publication.notices);
    this.#readNotices = this.#readNotices.filter((record) => !stored.has(record));
  }

  /** The last publication. If the clock has been set back since, the last change that is not in the future. */
  #lastAsOfMs(asOfMs: number): number {
    const lastMs = this.#span?.lastAsOfMs ?? 0;
    if (lastMs <= asOfMs + MAX_AHEAD_MS) return lastMs;
    const changesMs = this.book.published.flatMap(({ versions }) => versions.map((one) => one.changedAtMs));
    return changesMs.reduce((last, timeMs) => (timeMs < asOfMs ? Math.max(last, timeMs) : last), 0);
  }

  #unsavedPart(key: string): PartState[] {
    const state = this.#parts.get(key);
    if (!state) return [];
    const saved = this.#savedParts.get(key);
    const isChanged =
      !saved ||
      state.fullCount !== saved.state.fullCount ||
      state.shortSinceMs !== saved.state.shortSinceMs ||
      state.listAtMs - saved.state.listAtMs >= LIST_TIME_SAVED_EVERY_MS ||
      encodeContracts(state.contracts) !== saved.text;
    if (!isChanged) this.#touchedParts.delete(key);
    return isChanged ? [state] : [];
  }

  #read(
    exchange: string,
    notice: Announcement,
    seenAtMs: number,
  ): { outcome: NoticeOutcome; reason: string } {
    if (seenAtMs - notice.publishedAtMs > NOTICE_MAX_AGE_MS) return { outcome: 'old', reason: '' };
    const reading = readNotice(notice);
    if (reading.outcome !== 'read') return reading;
    const contracts = this.#contractsOf(exchange);
    const knows = (symbol: string) => this.book.knows(exchange, symbol);
    const doubts: string[] = reading.hasUnnamedContracts ? ['mentions contracts that it does not name'] : [];
    let useful = 0;
    for (const event of reading.events) {
      const sighting = sightingOfEvent(event, { exchange, notice, seenAtMs, contracts, knows });
      if (sighting === 'old') continue;
      if ('doubt' in sighting) doubts.push(sighting.doubt);
      else if (this.book.apply(sighting)) useful++;
      else doubts.push(`${sighting.contract.symbol}: cancels something that was not announced`);
    }
    if (doubts.length > 0) return { outcome: 'unclear', reason: doubts.join('; ') };
    return useful > 0 ? { outcome: 'read', reason: '' } : { outcome: 'old', reason: '' };
  }

  /** Null where lists are not watched: notices are then not checked against them. */
  #contractsOf(exchange: string): KnownContract[] | null {
    if (!this.#sources.has('instruments') && !this.#sources.has('diff')) return null;
    const parts = [...this.#parts.values()].filter((part) => part.exchange === exchange);
    return parts.length === 0 ? null : parts.flatMap((part) => [...part.contracts.values()]);
  }
}

function partKey({ exchange, part }: { exchange: string; part: string }): string {
  return `${exchange}/${part}`;
}
