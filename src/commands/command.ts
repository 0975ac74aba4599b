/** A sub-command of `perpwire`. */
export interface Command {
  /** Printed by --help. */
  help: string;
  run(args: readonly string[]): Promise<void>;
}

/** A command was called wrongly. Only the message is printed: one sentence that names what to change. */
export class UsageError extends Error {}

const EXPECTED = new Set(['UsageError', 'SettingError', 'AccountsError', 'StorageError', 'SecretKeyError']);

/** Errors of the caller or of the machine's set-up, whose message is printed without a stack. */
export function isExpected(error: unknown): error is Error {
  return error instanceof Error && EXPECTED.has(error.constructor.name);
}

/** Resolves on SIGINT or SIGTERM. A second signal ends the process at once. */
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
