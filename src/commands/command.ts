/** A sub-command of `perpwire`. */
export interface Command {
  /** The whole help text. */
  help: string;
  run(args: readonly string[]): Promise<void>;
}

/** A mistake in how a command was called: the message is all that is printed. */
export class UsageError extends Error {}

const EXPECTED = new Set(['UsageError', 'SettingError', 'AccountsError', 'StorageError']);

/** Mistakes of the caller or of the machine's set-up: their message is written for people and is all they get. */
export function isExpected(error: unknown): error is Error {
  return error instanceof Error && EXPECTED.has(error.constructor.name);
}

/** Resolves when the process is asked to stop. A second signal ends it at once. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
  });
}
