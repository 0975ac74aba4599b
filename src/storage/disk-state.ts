import { SECOND_MS } from '../base/times.ts';

/** What is wrong with the disk below the database file; null where nothing is. */
export interface DiskFaults {
  /** Why the disk refuses writes. */
  unwritable: string | null;
  /** What is damaged in the database file. */
  damage: string | null;
}

export const NO_DISK_FAULTS: DiskFaults = { unwritable: null, damage: null };

/** On a full disk small writes still succeed between large ones that fail. */
const CALM_MS = 10 * SECOND_MS;

/** Remembers what reads, writes and checks of the database file said about its disk. */
export class DiskState {
  readonly #monotonicMs: () => number;
  #faults = NO_DISK_FAULTS;
  #failedAtMs = 0;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  writeFailed(message: string): void {
    this.#failedAtMs = this.#monotonicMs();
    this.#faults = { ...this.#faults, unwritable: message };
  }

  /** A query met a damaged page. */
  readFailed(message: string): void {
    this.#faults = { ...this.#faults, damage: this.#faults.damage ?? message };
  }

  /** A check has read the whole file, or found damage in a part of it. */
  checked(findings: readonly string[]): void {
    const [first] = findings;
    const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : '';
    this.#faults = { ...this.#faults, damage: first === undefined ? null : `${first}${more}` };
  }

  /** Whether no write has failed for a while, so that it is time to try one. */
  mayBeWritable(): boolean {
    return this.#monotonicMs() - this.#failedAtMs >= CALM_MS;
  }

  writable(): void {
    this.#faults = { ...this.#faults, unwritable: null };
  }

  faults(): DiskFaults {
    return this.#faults;
  }
}

/** Of two threads that have the same file open. */
export function eitherFault(one: DiskFaults, other: DiskFaults): DiskFaults {
  return { unwritable: one.unwritable ?? other.unwritable, damage: one.damage ?? other.damage };
}

/** In sentences for the operator. */
export function diskFaultSentences({ unwritable, damage }: DiskFaults): string[] {
  return [
    ...(unwritable === null ? [] : [`The database file cannot be written to: ${unwritable}`]),
    ...(damage === null ? [] : [`The database file is damaged: ${damage}`]),
  ];
}

/** For readers of the pages. */
export function diskNotices({ unwritable, damage }: DiskFaults): string[] {
  return [
    ...(unwritable === null ? [] : ['History is not stored: the disk of this service refuses writes']),
    ...(damage === null ? [] : ['The database of this service is damaged: stored history may be missing']),
  ];
}
