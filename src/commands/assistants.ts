import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assistantFiles } from '../doors/mcp/discovery/assistant-files.ts';
import { processEnvironment, readSettings } from '../settings.ts';
import { type Command, UsageError } from './command.ts';
import { fileCause, flagsOf } from './flags.ts';

const HELP = `perpwire assistants FOLDER --base-url URL

Writes the files with which directories of assistants list this server: server.json for the MCP registry, and a plugin
with its marketplace for Claude Code and for Cursor. Publish FOLDER as a git repository; server.json is published with
"mcp-publisher publish". Existing files are replaced.

  --base-url   public address of the service, https (default: BASE_URL)`;

export const assistantsCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, { 'base-url': { type: 'string' } });
    const [folder, ...more] = positionals;
    if (folder === undefined || more.length > 0)
      throw new UsageError('assistants takes one folder: perpwire assistants FOLDER --base-url URL');
    const given = values['base-url'] === undefined ? [] : ['--base-url', values['base-url']];
    const { baseUrl } = readSettings(given, processEnvironment());
    if (baseUrl === null)
      throw new UsageError('assistants needs the public address of the service: --base-url URL, or BASE_URL');
    if (!baseUrl.startsWith('https:'))
      throw new UsageError(`directories list https addresses only; the address is ${baseUrl}`);
    for (const [path, text] of assistantFiles(baseUrl)) write(join(folder, path), text);
  },
};

function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    const cause = fileCause(error);
    if (cause === null) throw error;
    throw new UsageError(`cannot write ${file}: ${cause}`);
  }
  console.log(file);
}
