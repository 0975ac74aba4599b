#!/usr/bin/env node
import './compile-cache.js';
import { type Command, isExpected, UsageError } from './commands/command.ts';
import { diskFaultText } from './storage/disk-faults.ts';

/** Loaded on demand, so that `perpwire keys list` does not load the code of the web server. */
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
    summary: 'manage accounts: create, list, set-plan, suspend, delete, export and erase data, log, ...',
    load: async () => (await import('./commands/accounts/accounts.ts')).accountsCommand,
  },
  secrets: {
    summary: 'encryption of stored secrets: status, rotate',
    load: async () => (await import('./commands/secrets.ts')).secretsCommand,
  },
  listings: {
    summary: 'list notices of venues that could not be read: review',
    load: async () => (await import('./commands/listings.ts')).listingsCommand,
  },
  history: {
    summary: 'settled funding prints: backfill, export, import, status',
    load: async () => (await import('./commands/history/history.ts')).historyCommand,
  },
  lake: {
    summary: 'Parquet files of the stored history: build, pull, verify, prune',
    load: async () => (await import('./commands/lake/lake.ts')).lakeCommand,
  },
  forecasts: {
    summary: 'check the forecast of carry on settled prints: score',
    load: async () => (await import('./commands/forecasts/forecasts.ts')).forecastsCommand,
  },
  backtest: {
    summary: 'compute the spread backtest again from its samples: rebuild',
    load: async () => (await import('./commands/backtest.ts')).backtestCommand,
  },
  backup: {
    summary: 'write the whole database into a file',
    load: async () => (await import('./commands/backup.ts')).backupCommand,
  },
  restore: {
    summary: 'restore a backup file into the database',
    load: async () => (await import('./commands/restore.ts')).restoreCommand,
  },
  assistants: {
    summary: 'write the files that list this server in directories of assistants',
    load: async () => (await import('./commands/assistants.ts')).assistantsCommand,
  },
  venues: {
    summary: 'check whether the venues can be reached and are right: check, audit, sides',
    load: async () => (await import('./commands/venues.ts')).venuesCommand,
  },
};

function help(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`);
  return `perpwire: market data for crypto perpetual futures

${rows.join('\n')}

Run perpwire <command> --help for its actions and flags.`;
}

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined || name === 'help' || name === '--help') return console.log(help());
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!entry)
    throw new UsageError(`there is no command "${name}"; there are ${Object.keys(COMMANDS).join(', ')}`);
  const command = await entry.load();
  if (args.includes('--help')) return console.log(command.help);
  await command.run(args);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const diskFault = diskFaultText(error);
  if (isExpected(error)) console.error(`perpwire: ${error.message}`);
  else if (diskFault !== null) console.error(`perpwire: cannot write or read the data: ${diskFault}`);
  else console.error(error);
  process.exitCode = 1;
}
