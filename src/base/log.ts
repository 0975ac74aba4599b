import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * What no line may contain, wherever it comes from: an error of the database or of a mail server can quote it. The lengths are
 * bounded, so that a long text takes no longer than its characters.
 */
const HIDDEN: readonly (readonly [RegExp, string])[] = [
  [/[^\s"<>()[\]:;,\\/@&?]{1,64}@[^\s"<>()[\]:;,\\/@&?]{1,255}/g, '[address]'],
  [/\b(pw_(?:live|test)_)\w+/g, '$1[hidden]'],
];

/** JSON lines on standard error; standard output is for the results of commands. Addresses of mail and API keys are hidden. */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['key', '*.key', 'authorization'],
      hooks: {
        streamWrite: (line) => HIDDEN.reduce((text, [secret, shown]) => text.replaceAll(secret, shown), line),
      },
    },
    destination ?? pino.destination(2),
  );
}
