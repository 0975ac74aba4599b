/** A sub-command of `perpwire`. */
export interface Command {
  /** The whole help text. */
  help: string;
  run(args: readonly string[]): Promise<void>;
}

/** A mistake in how a command was called: the message is all that is printed. */
export class UsageError extends Error {}

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
