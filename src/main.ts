#!/usr/bin/env node
import { holdTickShape } from './base/tick-shape.ts';
import { type Command, isExpected, UsageError } from './commands/command.ts';

/** Loaded on demand: `perpwire keys list` should not wait for the web server's code. */
const COMMANDS: Readonly<Record<string, { summary: string; load: () => Promise<Command> }>> = {
  serve: {
    summary: 'run the service on the real venues',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  demo: {
    summary: 'run the whole service on simulated venues',
    load: async () => (await import('./commands/demo/demo.ts')).demo,
  },
  keys: {
    summary: 'manage API keys: create, list, rotate, revoke',
    load: async () => (await import('./commands/keys.ts')).keysCommand,
  },
  accounts: {
    summary: 'create accounts and set their plan: create, set-plan, list',
    load: async () => (await import('./commands/accounts.ts')).accountsCommand,
  },
  listings: {
    summary: 'see which notices of the venues were not understood: review',
    load: async () => (await import('./commands/listings.ts')).listingsCommand,
  },
  history: {
    summary: 'settled funding prints: backfill, export, import, status',
    load: async () => (await import('./commands/history/history.ts')).historyCommand,
  },
  backtest: {
    summary: 'compute the spread backtest from scratch: rebuild',
    load: async () => (await import('./commands/backtest.ts')).backtestCommand,
  },
  backup: {
    summary: 'write everything that the database holds into a file',
    load: async () => (await import('./commands/backup.ts')).backupCommand,
  },
  restore: {
    summary: 'put such a file into the database',
    load: async () => (await import('./commands/restore.ts')).restoreCommand,
  },
  venues: {
    summary: 'see whether the venues can be reached: check',
    load: async () => (await import('./commands/venues.ts')).venuesCommand,
  },
};

function help(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`);
  return `perpwire: market data for crypto perpetual futures

${rows.join('\n')}

perpwire <command> --help tells more.`;
}

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined || name === 'help' || name === '--help') return console.log(help());
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!entry) throw new UsageError(`there is no command "${name}"\n\n${help()}`);
  const command = await entry.load();
  if (args.includes('--help')) return console.log(command.help);
  await command.run(args);
}

// Before the commands load: their many modules make the heap be cleared.
holdTickShape();
try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(isExpected(error) ? `perpwire: ${error.message}` : error);
  process.exitCode = 1;
}
