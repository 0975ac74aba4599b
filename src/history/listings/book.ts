import type { Contract } from '../../venues/observations.ts';
import { episodeOf, firstState, merged, VENUE_LAG_MS } from './merge.ts';
import { type Episode, type EpisodeState, isDone, type Sighting } from './model.ts';

/** A change to publish: a new episode, or a new state of a known one. */
export interface StagedChange {
  episode: Episode;
  detectedAtMs: number;
  changedAtMs: number;
  state: EpisodeState;
  isNew: boolean;
}

/** A delisting counts as cancelled after this many consecutive lists without it. */
const WITHDRAWN_AFTER_LISTS = 2;

/** All episodes. Sightings change them at once; readers see a change only after its publication is committed. */
export class ListingBook {
  readonly #byContract = new Map<string, Episode[]>();
  /** Episodes whose newest state is not published yet, in the order of their first change. */
  readonly #unpublished = new Set<Episode>();
  /** By venue: episodes that are neither done nor cancelled. */
  readonly #open = new Map<string, Set<Episode>>();
  readonly #withdrawnLists = new Map<Episode, number>();
  readonly #published: Episode[] = [];

  /** Loads a published episode; must be called in the order of detection. */
  restore(episode: Episode): void {
    this.#add(episode);
    this.#published.push(episode);
  }

  /** Published episodes in the order of detection. */
  get published(): readonly Episode[] {
    return this.#published;
  }

  /** Whether the calendar has any episode of the contract. */
  knows(exchange: string, symbol: string): boolean {
    return this.#byContract.has(keyOf(exchange, symbol));
  }

  apply(sighting: Sighting): Episode | null {
    const { contract } = sighting;
    const known = (this.#byContract.get(keyOf(contract.exchange, contract.symbol)) ?? []).filter(
      ({ state }) =>
        state.venueSymbol === null ||
        contract.venueSymbol === null ||
        state.venueSymbol === contract.venueSymbol,
    );
    const episode = episodeOf(sighting, known);
    if (episode) {
      // A contract that disappears from the list before it opens does not cancel what a notice has announced.
      const isListCancellation = sighting.phase === 'cancelled' && sighting.source !== 'announcement';
      if (isListCancellation && (episode.state.announcementUrl !== null || episode.source === 'announcement'))
        return episode;
      this.#change(episode, merged(episode.state, sighting));
      return episode;
    }
    // There is no episode to cancel.
    if (sighting.phase === 'cancelled') return null;
    const opened: Episode = {
      exchange: contract.exchange,
      symbol: contract.symbol,
      kind: sighting.kind,
      source: sighting.source,
      statedAtMs: sighting.statedAtMs,
      seenAtMs: sighting.seenAtMs,
      detectedAtMs: null,
      state: firstState(sighting),
      versions: [],
    };
    this.#add(opened);
    this.#unpublished.add(opened);
    return opened;
  }

  /** Checks open episodes against a complete list: done, overdue or withdrawn. */
  compare(
    exchange: string,
    contracts: ReadonlyMap<string, Contract>,
    gone: ReadonlySet<string>,
    atMs: number,
  ): void {
    for (const episode of this.#open.get(exchange) ?? []) {
      const { kind, state } = episode;
      if (kind === 'delisting' && state.venueSymbol !== null && gone.has(state.venueSymbol))
        this.#markDone(episode, atMs);
      const contract = state.venueSymbol === null ? undefined : contracts.get(state.venueSymbol);
      if (!contract) continue;
      const isRelisted =
        kind === 'delisting' && (contract.listedAtMs ?? 0) > (state.effectiveAtMs ?? Infinity);
      if (isRelisted) {
        this.#markDone(episode, atMs);
        continue;
      }
      const hasPassed = state.effectiveAtMs !== null && state.effectiveAtMs <= atMs - VENUE_LAG_MS;
      const contradicts = kind === 'listing' ? contract.status === 'preopen' : contract.status === 'trading';
      if (hasPassed && state.isOverdue !== contradicts)
        this.#change(episode, { ...state, isOverdue: contradicts });
      if (kind === 'delisting') this.#noteWithdrawal(episode, contract, atMs);
    }
  }

  /** Sets the coin of a contract, once prices have shown which it is. */
  renameCoin(exchange: string, venueSymbol: string, symbol: string, coin: string): void {
    for (const episode of this.#byContract.get(keyOf(exchange, symbol)) ?? []) {
      const { state } = episode;
      if (state.coin === coin || (state.venueSymbol !== null && state.venueSymbol !== venueSymbol)) continue;
      this.#change(episode, { ...state, coin });
    }
  }

  /**
   * The changes to publish as of the given time. Assigns each new row a unique detected_at between the last publication
   * (exclusive) and this one (inclusive), so a client that polls with detected_after sees each row once. Null if there
   * are more new rows than free milliseconds; the next publication includes them.
   */
  stage(lastAsOfMs: number, asOfMs: number): StagedChange[] | null {
    const opened = [...this.#unpublished].filter((episode) => episode.detectedAtMs === null);
    if (opened.length > asOfMs - lastAsOfMs) return null;
    const changes: StagedChange[] = [];
    let beforeMs = lastAsOfMs;
    for (const [i, episode] of opened.entries()) {
      const latestMs = asOfMs - (opened.length - 1 - i);
      const detectedAtMs = Math.max(beforeMs + 1, Math.min(episode.seenAtMs, latestMs));
      beforeMs = detectedAtMs;
      changes.push({ episode, detectedAtMs, changedAtMs: detectedAtMs, state: episode.state, isNew: true });
    }
    for (const episode of this.#unpublished) {
      const { detectedAtMs, state } = episode;
      if (detectedAtMs !== null)
        changes.push({ episode, detectedAtMs, changedAtMs: asOfMs, state, isNew: false });
    }
    return changes;
  }

  /** Call after the staged changes are stored. Changes made since then wait for the next publication. */
  commit(changes: readonly StagedChange[]): void {
    for (const { episode, detectedAtMs, changedAtMs, state, isNew } of changes) {
      episode.detectedAtMs = detectedAtMs;
      episode.versions.push({ changedAtMs, state });
      if (isNew) this.#published.push(episode);
      if (episode.state === state) this.#unpublished.delete(episode);
    }
  }

  /** Marks a delisting as done: if the contract appears in lists again, that is a new listing. */
  #markDone(episode: Episode, atMs: number): void {
    const { state } = episode;
    if (state.effectiveAtMs === null || isDone(state, atMs))
      this.#change(episode, { ...state, doneAtMs: state.effectiveAtMs ?? atMs });
  }

  #noteWithdrawal(episode: Episode, contract: Contract, atMs: number): void {
    const { state, source } = episode;
    const isFromList = state.effectiveBy === 'instruments' || source === 'instruments';
    const isUnmentioned =
      contract.status === 'trading' && contract.delistsAtMs === null && !isDone(state, atMs);
    if (!isFromList || !isUnmentioned || state.announcementUrl !== null) {
      this.#withdrawnLists.delete(episode);
      return;
    }
    const lists = (this.#withdrawnLists.get(episode) ?? 0) + 1;
    this.#withdrawnLists.set(episode, lists);
    if (lists >= WITHDRAWN_AFTER_LISTS) this.#change(episode, { ...state, isCancelled: true });
  }

  #change(episode: Episode, state: EpisodeState): void {
    if (state === episode.state) return;
    episode.state = state;
    this.#unpublished.add(episode);
    if (isClosed(state)) this.#open.get(episode.exchange)?.delete(episode);
  }

  #add(episode: Episode): void {
    const key = keyOf(episode.exchange, episode.symbol);
    const known = this.#byContract.get(key);
    if (known) known.push(episode);
    else this.#byContract.set(key, [episode]);
    if (isClosed(episode.state)) return;
    const open = this.#open.get(episode.exchange);
    if (open) open.add(episode);
    else this.#open.set(episode.exchange, new Set([episode]));
  }
}

function isClosed(state: EpisodeState): boolean {
  return state.doneAtMs !== null || state.isCancelled;
}

/** Upper case, because notices and lists may differ in the case of a multiplier's letter. */
function keyOf(exchange: string, symbol: string): string {
  return `${exchange} ${symbol.toUpperCase()}`;
}
