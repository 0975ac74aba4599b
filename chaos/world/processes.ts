import type { Deployment, MemberSpec } from './deployment.ts';
import { Member, StartFailure } from './member.ts';
import type { Measured } from './messages.ts';

interface Place {
  spec: MemberSpec;
  member: Member | null;
  /** Ticks until it is started again. */
  downTicks: number;
  /** Ticks for which it stays suspended. */
  pausedTicks: number;
  /** Time that passed while it was suspended. */
  missedMs: number;
  upSinceMs: number;
}

/** A running process that is not suspended. */
export interface Serving {
  member: Member;
  upSinceMs: number;
}

/** The processes of a run, and the clock of their machine. */
export class Processes {
  readonly #deployment: Deployment;
  readonly #places: Place[];
  readonly #report: (violation: string) => void;
  /** What the machine's clock is ahead of the true time. */
  aheadMs = 0;
  #endedCpuMs = 0;

  constructor(deployment: Deployment, report: (violation: string) => void) {
    this.#deployment = deployment;
    this.#report = report;
    this.#places = deployment.members.map((spec) => ({
      spec,
      member: null,
      downTicks: 0,
      pausedTicks: 0,
      missedMs: 0,
      upSinceMs: 0,
    }));
  }

  get cpuMs(): number {
    return this.#places.reduce((sum, { member }) => sum + (member?.cpuMs ?? 0), this.#endedCpuMs);
  }

  /** Whether several processes share the windows. */
  get isShared(): boolean {
    return this.#places.length > 1;
  }

  get isDisturbed(): boolean {
    return this.aheadMs !== 0 || this.#places.some(({ member, pausedTicks }) => !member || pausedTicks > 0);
  }

  get isAnySuspended(): boolean {
    return this.#places.some(({ member, pausedTicks }) => member !== null && pausedTicks > 0);
  }

  get log(): string[] {
    return this.#places.flatMap(({ spec, member }) =>
      (member?.lines ?? []).map((line) => `${spec.name}: ${line}`),
    );
  }

  /** How many outages of Redis or PostgreSQL the processes have reported since the last call. */
  takeOutages(): number {
    return this.#places.reduce((sum, { member }) => sum + (member?.takeOutages() ?? 0), 0);
  }

  /** The processes that answer requests now. */
  serving(): Serving[] {
    return this.#places.flatMap(({ member, pausedTicks, upSinceMs }) =>
      member && pausedTicks === 0 && member.baseUrl !== '' ? [{ member, upSinceMs }] : [],
    );
  }

  /** Moves every process a little further than the tick did, with a stop wherever something is due. */
  async walk(byMs: number): Promise<void> {
    await Promise.all(
      this.#places.map(async (place) => {
        const { member } = place;
        if (member && place.pausedTicks > 0) place.missedMs += byMs;
        else if (member) await this.#ordered(place, member, () => member.order({ order: 'walk', byMs }));
      }),
    );
  }

  /** Moves every process to the given true time. */
  async tick(trueMs: number, byMs: number): Promise<void> {
    await Promise.all(this.#places.map((place) => this.#tick(place, trueMs, byMs)));
  }

  async #tick(place: Place, trueMs: number, tickMs: number): Promise<void> {
    if (!place.member) {
      if (place.downTicks-- <= 0) await this.#start(place, trueMs);
      return;
    }
    place.missedMs += tickMs;
    if (place.pausedTicks > 0 && --place.pausedTicks > 0) return;
    place.member.resume();
    const byMs = place.missedMs;
    place.missedMs = 0;
    await this.#ordered(place, place.member, () => place.member?.order({ order: 'advance', byMs }));
  }

  async #start(place: Place, trueMs: number): Promise<void> {
    try {
      place.member = await Member.start(place.spec, trueMs + this.aheadMs, (why) => {
        this.#report(`a process died: ${why}`);
        this.#left(place);
      });
      place.upSinceMs = trueMs;
      place.missedMs = 0;
    } catch (error) {
      if (!(error instanceof StartFailure)) throw error;
      // A full disk may refuse a start, with one sentence; the next tick tries again.
      if (!this.#deployment.disk?.isFull) this.#report(`a process did not start: ${error.message}`);
    }
  }

  /** An order to a process that is killed meanwhile is lost, which is no violation. */
  async #ordered(place: Place, member: Member, order: () => Promise<unknown> | undefined): Promise<void> {
    try {
      await order();
    } catch (error) {
      if (place.member === member) this.#report(error instanceof Error ? error.message : String(error));
    }
  }

  #left(place: Place): void {
    this.#endedCpuMs += place.member?.cpuMs ?? 0;
    place.member = null;
    place.pausedTicks = 0;
  }

  /** Kills a process in the middle of a tick. Returns whether it ran. */
  async kill(number: number, delayMs: number, downTicks: number): Promise<boolean> {
    const place = this.#place(number);
    const { member } = place;
    if (!member) return false;
    if (place.pausedTicks === 0)
      void this.#ordered(place, member, () => member.order({ order: 'advance', byMs: 1 }));
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    this.#left(place);
    place.downTicks = downTicks;
    await member.kill();
    return true;
  }

  /** Ends the collector's thread of a process in the middle of a tick. Returns whether it had one. */
  async killThread(number: number, delayMs: number): Promise<boolean> {
    const place = this.#place(number);
    const { member } = place;
    if (!member || place.pausedTicks > 0) return false;
    const advanced = this.#ordered(place, member, () => member.order({ order: 'advance', byMs: 1 }));
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    let hadThread: unknown = false;
    await this.#ordered(place, member, async () => {
      hadThread = await member.order({ order: 'kill thread' });
    });
    await advanced;
    return hadThread === true;
  }

  pause(number: number, ticks: number): boolean {
    const place = this.#place(number);
    if (!place.member || place.pausedTicks > 0) return false;
    place.member.suspend();
    place.pausedTicks = ticks;
    return true;
  }

  /** Sets the clock of the machine; the next orders of a suspended process come after it. */
  async stepClock(byMs: number): Promise<void> {
    this.aheadMs += byMs;
    await Promise.all(
      this.#places.map(async (place) => {
        const { member } = place;
        if (!member) return;
        const stepped = this.#ordered(place, member, () => member.order({ order: 'step clock', byMs }));
        if (place.pausedTicks === 0) await stepped;
      }),
    );
  }

  async measure(): Promise<Measured[]> {
    const running = this.#places.flatMap(({ member }) => (member ? [member] : []));
    return await Promise.all(
      running.map(async (member) => (await member.order({ order: 'measure' })) as Measured),
    );
  }

  async stop(): Promise<void> {
    for (const place of this.#places) {
      const { member } = place;
      this.#left(place);
      await member?.kill();
    }
  }

  #place(number: number): Place {
    const place = this.#places[number % this.#places.length];
    if (!place) throw new Error('no process');
    return place;
  }
}
