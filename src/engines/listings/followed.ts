import type { Episode } from '../../history/listings/model.ts';
import { type FeedSpan, loadChangedListings } from '../../history/listings/store.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Published } from './calendar.ts';

/** The calendar that another process publishes, read from the database. */
export class FollowedListings implements Published {
  readonly #storage: Storage;
  #span: FeedSpan | null = null;
  #episodes: readonly Episode[] = [];
  #refreshing: Promise<void> | null = null;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  get span(): FeedSpan | null {
    return this.#span;
  }

  /** In order of detection. */
  get episodes(): readonly Episode[] {
    return this.#episodes;
  }

  /** Reads what has changed since the last call. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#read().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async #read(): Promise<void> {
    const knownMs = this.#span?.lastAsOfMs ?? -1;
    let { span, episodes } = await loadChangedListings(this.#storage, knownMs);
    if (span && span.lastAsOfMs < knownMs) {
      // The engine's clock was set back, and rows were redated.
      ({ span, episodes } = await loadChangedListings(this.#storage, -1));
      this.#episodes = [];
    }
    if (episodes.length > 0) {
      const byDetection = new Map(this.#episodes.map((episode) => [episode.detectedAtMs, episode]));
      for (const episode of episodes) byDetection.set(episode.detectedAtMs, episode);
      this.#episodes = [...byDetection.values()].sort(
        (a, b) => (a.detectedAtMs ?? 0) - (b.detectedAtMs ?? 0),
      );
    }
    this.#span = span;
  }
}
