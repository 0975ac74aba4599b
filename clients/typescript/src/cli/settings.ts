import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Terminal, UsageError } from './command.ts';

/** What `perpwire login` stores. */
export interface Login {
  baseUrl: string;
  apiKey: string;
}

export function settingsFile({ env, homeFolder }: Terminal): string {
  const folder = env.XDG_CONFIG_HOME || join(homeFolder, '.config');
  return join(folder, 'perpwire', 'config.json');
}

export function storedLogin(terminal: Terminal): Login | null {
  let stored: unknown;
  try {
    stored = JSON.parse(readFileSync(settingsFile(terminal), 'utf8'));
  } catch {
    return null;
  }
  const { baseUrl, apiKey } = (stored ?? {}) as Partial<Record<keyof Login, unknown>>;
  return typeof baseUrl === 'string' && typeof apiKey === 'string' ? { baseUrl, apiKey } : null;
}

/** Only the user may read the file. It is renamed into its place, so that it is never there half written. */
export function storeLogin(terminal: Terminal, login: Login): string {
  const file = settingsFile(terminal);
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  const made = `${file}.${process.pid}`;
  writeFileSync(made, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
  // The mask of the process may have changed the mode.
  chmodSync(made, 0o600);
  renameSync(made, file);
  return file;
}

export function forgetLogin(terminal: Terminal): void {
  rmSync(settingsFile(terminal), { force: true });
}

/** The address of the service: flag, environment, login. */
export function baseUrlOf(terminal: Terminal, flag: string | undefined): string {
  const baseUrl = flag ?? (terminal.env.PERPWIRE_BASE_URL || storedLogin(terminal)?.baseUrl);
  if (baseUrl === undefined)
    throw new UsageError(
      'the address of the service is unknown; run perpwire login, set PERPWIRE_BASE_URL or add --base-url',
    );
  if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl))
    throw new UsageError(`"${baseUrl}" is not an address such as https://perpwire.example`);
  return baseUrl.replace(/\/+$/, '');
}

/** The key for an address: environment, login. A stored key is only sent to the address that it was stored with. */
export function apiKeyOf(terminal: Terminal, baseUrl: string): string {
  const login = storedLogin(terminal);
  const apiKey = terminal.env.PERPWIRE_API_KEY || (login?.baseUrl === baseUrl ? login.apiKey : undefined);
  if (apiKey === undefined)
    throw new UsageError(`there is no key for ${baseUrl}; run perpwire login or set PERPWIRE_API_KEY`);
  return apiKey;
}
