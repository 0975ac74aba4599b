import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import type { Storage } from '../../storage/storage.ts';
import { loadMemory, saveMemory } from '../../storage/venue-memory.ts';
import type { Venue } from '../../venues/venue.ts';
import type { ContractValues, VenueKnowledge } from '../intake.ts';
import { ROW_MAX_AGE_MS } from '../interval.ts';
import { decodeKnowledge, encodeKnowledge } from './codec.ts';

interface VenueMemoryOptions {
  storage: Storage;
  clock: Clock;
  log: Log;
  /** The venues that this process watches now. */
  watched: () => readonly Venue[];
  knowledgeOf: (venue: Venue) => VenueKnowledge;
}

/** What was known of a venue before this process watched it. */
interface Recalled extends VenueKnowledge {
  /** Saved so recently that its lists and values still count. */
  isYoung: boolean;
}

/** After a kill, a top must still be young enough for a leg of a spread. */
const SAVE_EVERY_MS = MINUTE_MS;
const FIRST_SAVE_MS = 15 * SECOND_MS;

/**
 * Keeps what is known of each venue in the database, so that a restart forgets nothing: rows stay with their age until
 * the venue confirms or drops them, and proven intervals stay for good.
 */
export class VenueMemory {
  readonly #options: VenueMemoryOptions;
  #task: RepeatingTask | null = null;

  constructor(options: VenueMemoryOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, log } = this.#options;
    this.#task = startRepeatingTask({
      name: 'save what is known of venues',
      everyMs: SAVE_EVERY_MS,
      firstDelayMs: FIRST_SAVE_MS,
      clock,
      log,
      run: () => this.#saveAll(),
    });
  }

  async stop(): Promise<void> {
    await this.#task?.stop();
    await this.#saveAll();
  }

  /** Null if nothing is stored. */
  async recall(venue: Venue): Promise<Recalled | null> {
    const { storage, clock, log } = this.#options;
    try {
      const stored = await loadMemory(storage, venue.slug);
      if (!stored) return null;
      return asOf(await decodeKnowledge(stored.knowledge), stored.savedAtMs, clock.nowMs());
    } catch (error) {
      log.warn({ err: error, venue: venue.slug }, 'could not read what was known of the venue');
      return null;
    }
  }

  async #saveAll(): Promise<undefined> {
    // Without the database each further venue would only wait for it again.
    for (const venue of this.#options.watched()) if (!(await this.#save(venue))) return;
  }

  /** False if it could not be stored. */
  async #save(venue: Venue): Promise<boolean> {
    const { storage, clock, log, knowledgeOf } = this.#options;
    const knowledge = knowledgeOf(venue);
    // Before its first list nothing is known, and what was stored is better.
    if (knowledge.parts.length === 0) return true;
    const savedAtMs = clock.nowMs();
    try {
      const bytes = await encodeKnowledge(knowledge);
      await saveMemory(storage, { slug: venue.slug, savedAtMs, knowledge: bytes }, clock.nowMs());
      return true;
    } catch (error) {
      log.warn({ err: error, venue: venue.slug }, 'could not save what is known of the venue');
      return false;
    }
  }
}

/** Old prices must not identify coins, so of knowledge older than a row may be, only schedules are kept. */
function asOf({ parts, values }: VenueKnowledge, savedAtMs: number, nowMs: number): Recalled {
  const isYoung = savedAtMs <= nowMs && nowMs - savedAtMs <= ROW_MAX_AGE_MS;
  return {
    isYoung,
    // A part that the venue no longer has is not read any more.
    parts: parts.filter(({ atMs }) => savedAtMs - atMs <= DAY_MS),
    values: isYoung ? values : values.map(scheduleOnly),
  };
}

function scheduleOnly({
  venueSymbol,
  nextFundingAtMs,
  nextSinceMs,
  provenIntervalHours,
}: ContractValues): ContractValues {
  return {
    ...{ venueSymbol, nextFundingAtMs, nextSinceMs, provenIntervalHours },
    ...{ ratePct: null, rateAtMs: 0, rateReceivedAtMs: 0, rateVenueTimeMs: null, rolls: [] },
    ...{ intervalHours: null, intervalAtMs: 0, intervalSinceMs: 0, top: null, topAtMs: 0 },
    ...{ volume24hUsdt: null, volumeCount: null, referencePrice: null },
  };
}
