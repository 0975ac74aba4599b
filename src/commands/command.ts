/** A sub-command of `perpwire`. */
export interface Command {
  /** Printed by --help. */
  help: string;
  run(args: readonly string[]): Promise<void>;
}

/** A command was called wrongly. Only the message is printed: one sentence that names what to change. */
export class UsageError extends Error {}

const EXPECTED = new Set([
  ...['UsageError', 'SettingError', 'AccountsError', 'StorageError', 'SecretKeyError'],
  ...['LakeError', 'LakeUnavailable', 'LakeRefused', 'SimulatorError'],
]);

/** Errors of the caller or of the machine's set-up, whose message is printed without a stack. */
export function isExpected(error: unknown): error is Error {
  return error instanceof Error && EXPECTED.has(error.constructor.name);
}

/** Ctrl-C sends a signal to npm and to this process, and npm passes its own on: both are one. */
const SAME_SIGNAL_MS = 500;

/** Resolves on SIGINT or SIGTERM. A second signal ends the process at once. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let firstAtMs: number | null = null;
    const onSignal = () => {
      const nowMs = performance.now();
      firstAtMs ??= nowMs;
      if (nowMs - firstAtMs > SAME_SIGNAL_MS) process.exit(1);
      resolve();
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  });
}

/** For a person at a terminal, and in the journal of an operator. */
export function sayWaiting(what: string): void {
  console.error(`Perpwire is stopping and waits for ${what}; a second signal or Ctrl-C ends it at once.`);
}
