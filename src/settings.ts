import { parseArgs } from 'node:util';
import { SettingError } from './setting-values.ts';
import { SETTINGS, type Setting } from './settings-list.ts';

export { SETTINGS, SettingError };

/** One sentence for an error of parseArgs: what is wrong with which flag. */
export function flagFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const quoted = /'([^']*)'/.exec(message)?.[1] ?? '';
  const flag = quoted.replace(/^-\w, /, '').replace(/ <value>$/, '');
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `unknown flag ${flag}; --help lists the flags`;
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
    return `unexpected argument "${quoted}"; --help lists the flags`;
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return message;
  return quoted.endsWith('<value>') ? `${flag} needs a value` : `${flag} takes no value`;
}

export type Settings = {
  [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['parse']>;
};

export function flagOf(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** Their values may hold a password and are never repeated in a message. */
const HOLDING_PASSWORDS = new Set([
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'SMTP_URL',
  'SECRET_KEY',
  'TELEGRAM_BOT_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
]);

/** Reads all settings. Flags override environment variables, which override defaults. */
export function readSettings(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Settings {
  const all = Object.entries<Setting<unknown>>(SETTINGS);
  const options = Object.fromEntries(all.map(([, { name }]) => [flagOf(name), { type: 'string' as const }]));
  let flags: Record<string, unknown>;
  try {
    flags = parseArgs({ args: [...args], options, allowPositionals: false }).values;
  } catch (error) {
    throw new SettingError(flagFault(error));
  }
  const settings: Record<string, unknown> = {};
  for (const [key, { name, defaultText, parse }] of all) {
    const flag = flags[flagOf(name)];
    const value = typeof flag === 'string' ? flag : (environment[name] ?? defaultText);
    try {
      settings[key] = parse(value);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      const where = typeof flag === 'string' ? `--${flagOf(name)}` : name;
      throw new SettingError(
        `${where} ${error.message}; it is "${HOLDING_PASSWORDS.has(name) ? '…' : value}"`,
      );
    }
  }
  return settings as Settings;
}

/** The environment of this process. No other code reads it. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

export function settingsHelp(): string {
  const rows = Object.values<Setting<unknown>>(SETTINGS).map(({ name, defaultText, help }) => ({
    flag: `--${flagOf(name)}`,
    name,
    help: `${help}${defaultText === '' ? '' : ` (default ${defaultText})`}`,
  }));
  const width = Math.max(...rows.map(({ flag }) => flag.length)) + 2;
  const nameWidth = Math.max(...rows.map(({ name }) => name.length)) + 2;
  return rows.map((row) => `  ${row.flag.padEnd(width)}${row.name.padEnd(nameWidth)}${row.help}`).join('\n');
}
