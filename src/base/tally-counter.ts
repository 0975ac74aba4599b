import { Counter, type Registry } from 'prom-client';

type Labels = Readonly<Record<string, string | number>>;

/** One series of a counter that is incremented for every request. */
export interface Tally {
  inc(): void;
}

/** A counter whose series are plain numbers until the metrics are read, so that an increment is almost free. */
export class TallyCounter {
  readonly #series = new Map<string, { labels: Labels; pending: number }>();

  constructor(name: string, help: string, labelNames: string[], registry: Registry) {
    const series = this.#series;
    new Counter({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        for (const one of series.values()) {
          this.inc(one.labels, one.pending);
          one.pending = 0;
        }
      },
    });
  }

  labels(labels: Labels): Tally {
    const key = JSON.stringify(labels);
    const known = this.#series.get(key) ?? { labels, pending: 0 };
    this.#series.set(key, known);
    return {
      inc: () => {
        known.pending++;
      },
    };
  }

  inc(labels: Labels): void {
    this.labels(labels).inc();
  }
}
