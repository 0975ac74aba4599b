interface Waiting<Sample> {
  minute: number;
  sample: Sample;
}

interface SampleQueueOptions<Sample> {
  store: (minute: number, sample: Sample) => Promise<void>;
  /** Whether a failure is temporary, so that the sample is kept and retried. */
  isTemporary: (error: unknown) => boolean;
  onDropped: (minute: number) => void;
}

/** Four hours. Limits memory use; the backtest tolerates a gap of dropped minutes. */
const MOST_WAITING = 240;

/** Queues minutes while the database is unavailable and stores them in order afterwards. A full queue drops the oldest. */
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

  /** Stores all queued minutes. False if the database is still unavailable. */
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
        if (this.#options.isTemporary(error)) return false;
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
