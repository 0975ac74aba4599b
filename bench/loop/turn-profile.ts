import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { constants, PerformanceObserver } from 'node:perf_hooks';

/** The time from one turn of the event loop to the next, on the clock of `performance.now()`. */
export interface Turn {
  startMs: number;
  endMs: number;
  cpuMs: number;
}

export interface Share {
  name: string;
  ms: number;
}

/** A long turn and what ran in it. Times of functions are by the clock, from samples. */
export interface LongTurn extends Turn {
  /** Garbage collections of the main thread. */
  collections: Share[];
  /** Time in each function itself, the longest first. */
  itself: Share[];
  /** Time in each function with what it called, only functions of this project, the longest first. */
  withCalls: Share[];
}

const SAMPLE_MICROSECONDS = 500;
/** Shorter turns are not kept: there are hundreds of thousands. */
const LONG_TURN_MS = 4;
const SHOWN_TURNS = 10;
const SHOWN_FUNCTIONS = 8;

const COLLECTIONS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'scavenge',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'mark-compact',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'start of marking',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weak callbacks',
};

/** Takes a CPU profile of the process it runs in, and names what ran in the longest turns. */
export class TurnProfile {
  readonly #session = new Session();
  readonly #turns: Turn[] = [];
  readonly #collections: (Share & { startMs: number })[] = [];
  readonly #observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      // The type of an entry has no `detail`, which those of collections have.
      const { kind } = (entry as unknown as { detail: { kind: number } }).detail;
      const name = COLLECTIONS[kind] ?? `collection ${kind}`;
      this.#collections.push({ name, ms: entry.duration, startMs: entry.startTime });
    }
  });

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
    await this.#session.post('Profiler.start');
    this.#observer.observe({ type: 'gc' });
  }

  addTurn(turn: Turn): void {
    if (turn.cpuMs >= LONG_TURN_MS) this.#turns.push(turn);
  }

  async end(): Promise<LongTurn[]> {
    const { profile } = await this.#session.post('Profiler.stop');
    this.#session.disconnect();
    this.#observer.disconnect();
    const longest = this.#turns.sort((a, b) => b.cpuMs - a.cpuMs).slice(0, SHOWN_TURNS);
    const stacks = new Stacks(profile);
    return longest.map((turn) => ({
      ...turn,
      ...stacks.during(turn),
      collections: this.#collections
        .filter(({ startMs, ms }) => startMs + ms > turn.startMs && startMs < turn.endMs)
        .map(({ name, ms }) => ({ name, ms })),
    }));
  }
}

/** The samples of a profile by time. */
class Stacks {
  readonly #samples: { node: number; atMs: number; ms: number }[] = [];
  readonly #frames = new Map<number, { name: string; isOwn: boolean; parent: number | null }>();

  constructor({ nodes, samples = [], timeDeltas = [], startTime }: Profiler.Profile) {
    for (const { id, callFrame } of nodes) {
      const isOwn = callFrame.url.includes('/src/');
      const file = callFrame.url.replace(/^.*\/(src|node_modules)\//, '$1/');
      const place = file === '' ? '' : ` ${file}:${callFrame.lineNumber + 1}`;
      this.#frames.set(id, {
        name: `${callFrame.functionName || '(anonymous)'}${place}`,
        isOwn,
        parent: null,
      });
    }
    for (const { id, children = [] } of nodes)
      for (const child of children) {
        const frame = this.#frames.get(child);
        if (frame) frame.parent = id;
      }
    // Samples are timed by the system's monotonic clock in microseconds.
    const originMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();
    let atMs = startTime / 1e3 - originMs;
    for (let i = 0; i < samples.length; i++) {
      atMs += (timeDeltas[i] as number) / 1e3;
      const ms = Math.min(5, (timeDeltas[i + 1] ?? SAMPLE_MICROSECONDS) / 1e3);
      this.#samples.push({ node: samples[i] as number, atMs, ms });
    }
  }

  during({ startMs, endMs }: Turn): Pick<LongTurn, 'itself' | 'withCalls'> {
    const [itself, withCalls] = [new Map<string, number>(), new Map<string, number>()];
    const add = (to: Map<string, number>, name: string, ms: number) => to.set(name, (to.get(name) ?? 0) + ms);
    for (const { node, atMs, ms } of this.#samples) {
      if (atMs < startMs || atMs > endMs) continue;
      let frame = this.#frames.get(node);
      if (!frame || frame.name === '(idle)') continue;
      add(itself, frame.name, ms);
      const seen = new Set<string>();
      for (; frame; frame = frame.parent === null ? undefined : this.#frames.get(frame.parent)) {
        if (!frame.isOwn || seen.has(frame.name)) continue;
        seen.add(frame.name);
        add(withCalls, frame.name, ms);
      }
    }
    return { itself: longestOf(itself), withCalls: longestOf(withCalls) };
  }
}

function longestOf(times: ReadonlyMap<string, number>): Share[] {
  return [...times]
    .map(([name, ms]) => ({ name, ms }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, SHOWN_FUNCTIONS);
}
