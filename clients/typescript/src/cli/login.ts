import { PerpwireError } from '../errors.ts';
import { Transport } from '../transport.ts';
import { parseArguments } from './arguments.ts';
import { type Terminal, UsageError } from './command.ts';
import { BASE_URL, HELP } from './options.ts';
import { baseUrlOf, forgetLogin, settingsFile, storeLogin } from './settings.ts';

export const LOGIN_OPTIONS = [BASE_URL, HELP];

export const LOGIN_HELP = `perpwire login [--base-url ADDRESS]

Reads an API key from the terminal, or from standard input, checks it, and stores it with the address of the service in
a file that only you can read. PERPWIRE_API_KEY comes before the stored key. perpwire logout deletes the file.
`;

export async function login(args: readonly string[], terminal: Terminal): Promise<void> {
  const { base_url } = parseArguments(args, LOGIN_OPTIONS);
  const baseUrl = baseUrlOf(terminal, base_url);
  const apiKey = (await terminal.readSecret(`Key for ${baseUrl}: `)).trim();
  if (apiKey === '') throw new UsageError('the key is empty');
  await check(baseUrl, apiKey, terminal.signal);
  const file = storeLogin(terminal, { baseUrl, apiKey });
  terminal.stdout.write(`The key is valid and stored in ${file}\n`);
}

async function check(baseUrl: string, apiKey: string, signal: AbortSignal): Promise<void> {
  try {
    await new Transport({ baseUrl, apiKey }).get('/usage', signal, false);
  } catch (error) {
    // A key without the scope of usage is a good key.
    if (!(error instanceof PerpwireError && error.code === 'scope-missing')) throw error;
  }
}

export function logout(terminal: Terminal): void {
  forgetLogin(terminal);
  terminal.stdout.write(`${settingsFile(terminal)} is deleted\n`);
}
