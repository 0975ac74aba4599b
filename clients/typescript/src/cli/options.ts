import type { CommandParameter } from './command.ts';

const option = (name: string, kind: string, description: string): CommandParameter => ({
  name,
  kind,
  description,
  isPath: false,
  isRequired: false,
  isList: false,
});

export const BASE_URL = option(
  'base_url',
  'address',
  'Address of the service; default PERPWIRE_BASE_URL or that of the login',
);
export const COLOR = option(
  'color',
  'boolean',
  'Colours in tables; default: if the output is a terminal and NO_COLOR is not set',
);
export const HELP = option('help', 'boolean', 'Show this help');

/** The options that every operation has beside its parameters. */
export const OUTPUT_OPTIONS: readonly CommandParameter[] = [
  option('json', 'boolean', 'Print the answer as JSON; with --watch, one line for each update'),
  option('csv', 'boolean', 'Print the rows as CSV'),
  option(
    'watch',
    'seconds',
    'Show the answer again whenever it changes; lists without a stream are polled, every 10 seconds or --watch=SECONDS',
  ),
  BASE_URL,
  COLOR,
  HELP,
];

/** Also for lists with pages. */
export const ALL = option(
  'all',
  'boolean',
  'Read all pages, not only the first; says before it goes on how many requests that takes',
);
