/** One minute's priced contracts on their way into the store. */
interface Waiting<Sample> {
  minute: number;
  sample: Sample;
}

export interface SampleQueueOptions<Sample> {
  store: (minute: number, sample: Sample) => Promise<void>;
  /** Whether a failure will pass by itself, so that the sample is worth keeping. */
  isPassing: (error: unknown) => boolean;
  onDropped: (minute: number) => void;
}

/** Four hours: after that the backtest has a gap that it can live with, and memory has an end. */
const MOST_WAITING = 240;

/** Keeps minutes while the database is away and stores them in order when it is back. The oldest are dropped first. */
export class SampleQueue<Sample> {
  readonly #options: SampleQueueOptions<Sample>;
  #waiting: Waiting<Sample>[] = [];
  #storing: Promise<boolean> | null = null;

  constructor(options: SampleQueueOptions<Sample>) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  add(minute: number, sample: Sample): Promise<boolean> {
    this.#waiting.push({ minute, sample });
    for (const lost of this.#waiting.splice(0, this.#waiting.length - MOST_WAITING))
      this.#options.onDropped(lost.minute);
    return this.store();
  }

  /** Stores all that waits. False when the database is still away. */
  store(): Promise<boolean> {
    this.#storing ??= this.#drain().finally(() => {
      this.#storing = null;
    });
    return this.#storing;
  }

  async #drain(): Promise<boolean> {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      try {
        await this.#options.store(next.minute, next.sample);
      } catch (error) {
        if (this.#options.isPassing(error)) return false;
        this.#remove(next);
        throw error;
      }
      this.#remove(next);
    }
    return true;
  }

  #remove(stored: Waiting<Sample>): void {
    this.#waiting = this.#waiting.filter((one) => one !== stored);
  }
}
