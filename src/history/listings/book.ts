import type { Contract } from '../../venues/observations.ts';
import { episodeOf, firstState, merged, VENUE_LAG_MS } from './merge.ts';
import { type Episode, type EpisodeState, isDone, type Sighting } from './model.ts';

/** A change that is to be published: a new episode, or a new state of a known one. */
export interface StagedChange {
  episode: Episode;
  detectedAtMs: number;
  changedAtMs: number;
  state: EpisodeState;
  isNew: boolean;
}

/** Lists that must agree before a delisting that the venue no longer mentions counts as called off. */
const WITHDRAWN_AFTER_LISTS = 2;

/** All episodes. Sightings change them at once; what readers see changes only when a publication is committed. */
export class ListingBook {
  readonly #byContract = new Map<string, Episode[]>();
  /** Episodes whose newest state is not published yet, in the order of their first change. */
  readonly #unpublished = new Set<Episode>();
  /** By venue: episodes that a list can still settle. */
  readonly #open = new Map<string, Set<Episode>>();
  readonly #withdrawnLists = new Map<Episode, number>();
  readonly #published: Episode[] = [];

  /** Brings back a published episode; to be called in the order of detection. */
  restore(episode: Episode): void {
    this.#add(episode);
    this.#published.push(episode);
  }

  /** Published episodes in the order of detection. */
  get published(): readonly Episode[] {
    return this.#published;
  }

  /** Whether any episode names the contract, by symbol. */
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
      // A placeholder that left the list is no reason to doubt a notice.
      const isDoubt = sighting.phase === 'cancelled' && sighting.source !== 'announcement';
      if (isDoubt && (episode.state.announcementUrl !== null || episode.source === 'announcement'))
        return episode;
      this.#change(episode, merged(episode.state, sighting));
      return episode;
    }
    // What nobody has heard of cannot be called off.
    if (sighting.phase === 'cancelled') return null;
    const opened: Episode = {
      exchange: contract.exchange,
      symbol: contract.symbol,
      kind: sighting.kind,
      source: sighting.source,
      saidAtMs: sighting.saidAtMs,
      seenAtMs: sighting.seenAtMs,
      detectedAtMs: null,
      state: firstState(sighting),
      versions: [],
    };
    this.#add(opened);
    this.#unpublished.add(opened);
    return opened;
  }

  /** What a good list says of episodes whose time has come, or that it no longer mentions. */
  compare(
    exchange: string,
    contracts: ReadonlyMap<string, Contract>,
    gone: ReadonlySet<string>,
    atMs: number,
  ): void {
    for (const episode of this.#open.get(exchange) ?? []) {
      const { kind, state } = episode;
      if (kind === 'delisting' && state.venueSymbol !== null && gone.has(state.venueSymbol))
        this.#settle(episode, atMs);
      const contract = state.venueSymbol === null ? undefined : contracts.get(state.venueSymbol);
      if (!contract) continue;
      const isNextLife =
        kind === 'delisting' && (contract.listedAtMs ?? 0) > (state.effectiveAtMs ?? Infinity);
      if (isNextLife) {
        this.#settle(episode, atMs);
        continue;
      }
      const hasPassed = state.effectiveAtMs !== null && state.effectiveAtMs <= atMs - VENUE_LAG_MS;
      const contradicts = kind === 'listing' ? contract.status === 'preopen' : contract.status === 'trading';
      if (hasPassed && state.isHeld !== contradicts) this.#change(episode, { ...state, isHeld: contradicts });
      if (kind === 'delisting') this.#noteWithdrawal(episode, contract, atMs);
    }
  }

  /** A ticker without its multiplier, once prices have proved it. */
  rename(exchange: string, venueSymbol: string, symbol: string, coin: string): void {
    for (const episode of this.#byContract.get(keyOf(exchange, symbol)) ?? []) {
      const { state } = episode;
      if (state.coin === coin || (state.venueSymbol !== null && state.venueSymbol !== venueSymbol)) continue;
      this.#change(episode, { ...state, coin });
    }
  }

  /**
   * What to publish as of the given time. Times of detection are given here, each its own, all after the last
   * publication and none after this one: whoever has seen everything up to a time needs only what is later. Null when
   * there are more new rows than milliseconds to tell them apart; then the next publication takes them.
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

  /** To be called once the staged changes are stored. Changes made meanwhile stay for the next publication. */
  commit(changes: readonly StagedChange[]): void {
    for (const { episode, detectedAtMs, changedAtMs, state, isNew } of changes) {
      episode.detectedAtMs = detectedAtMs;
      episode.versions.push({ changedAtMs, state });
      if (isNew) this.#published.push(episode);
      if (episode.state === state) this.#unpublished.delete(episode);
    }
  }

  /** The time has come and the contract has left: whatever lists show under its name later is another life. */
  #settle(episode: Episode, atMs: number): void {
    const { state } = episode;
    if (state.effectiveAtMs === null || isDone(state, atMs))
      this.#change(episode, { ...state, doneAtMs: state.effectiveAtMs ?? atMs });
  }

  #noteWithdrawal(episode: Episode, contract: Contract, atMs: number): void {
    const { state, source } = episode;
    const isVouched = state.effectiveBy === 'instruments' || source === 'instruments';
    const isSilent = contract.status === 'trading' && contract.delistsAtMs === null && !isDone(state, atMs);
    if (!isVouched || !isSilent || state.announcementUrl !== null) {
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
    if (isSettled(state)) this.#open.get(episode.exchange)?.delete(episode);
  }

  #add(episode: Episode): void {
    const key = keyOf(episode.exchange, episode.symbol);
    const known = this.#byContract.get(key);
    if (known) known.push(episode);
    else this.#byContract.set(key, [episode]);
    if (isSettled(episode.state)) return;
    const open = this.#open.get(episode.exchange);
    if (open) open.add(episode);
    else this.#open.set(episode.exchange, new Set([episode]));
  }
}

function isSettled(state: EpisodeState): boolean {
  return state.doneAtMs !== null || state.isCancelled;
}

/** Notices and lists may spell a multiplier's letter differently. */
function keyOf(exchange: string, symbol: string): string {
  return `${exchange} ${symbol.toUpperCase()}`;
}
