import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/base/clock.ts';
import { createHttpClient } from '../src/base/http/http-client.ts';
import { hasEnded } from '../src/venues/ended.ts';
import { VENUES } from '../src/venues/registry.ts';
import { recordVenue } from './recording/recording.ts';

const HELP = `npm run venues:record -- VENUE [VENUE ...] [--out FOLDER] [--rows N] [--seconds N] [--venues-url URL]

Makes every call of the venue once, listens to its streams for a short time, and stores each reply in a dated file.
recording.json maps requests to files. Market data only: nothing is signed and nothing is sent
but the questions. Read the venue's terms before you publish what it sent.

  VENUE         folder name under src/venues (binance, okx, ...), or all that have not ended
  --out         folder (default data/recordings/VENUE)
  --rows        how many rows of each list are kept (default 20)
  --seconds     how long to listen to each stream (default 5)
  --venues-url  a venue simulator instead of the real venue`;

const whole = (name: string, text: string): number => {
  if (!/^[1-9]\d{0,3}$/.test(text)) fail(`--${name} takes a whole number from 1 to 9999; it is "${text}"`);
  return Number(text);
};

function fail(message: string): never {
  console.error(`venues:record: ${message}`);
  process.exit(1);
}

function flags() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        out: { type: 'string' },
        rows: { type: 'string', default: '20' },
        seconds: { type: 'string', default: '5' },
        'venues-url': { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : 'flags cannot be read'}\n\n${HELP}`);
  }
}

const { values, positionals } = flags();
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
if (positionals.length === 0) fail(`name a venue\n\n${HELP}`);
const open = VENUES.filter(({ facts }) => !hasEnded(facts, systemClock.nowMs()));
const wanted = positionals.includes('all') ? open.map((venue) => venue.slug) : positionals;
const venues = wanted.map(
  (slug) =>
    VENUES.find((venue) => venue.slug === slug) ??
    fail(`there is no venue "${slug}"; there are ${VENUES.map((venue) => venue.slug).join(', ')}`),
);
const [rows, streamSeconds] = [whole('rows', values.rows), whole('seconds', values.seconds)];
const simUrl = values['venues-url']?.replace(/\/+$/, '') ?? null;
const http = createHttpClient();
for (const venue of venues) {
  const parent = values.out ?? join('data', 'recordings');
  const folder = values.out !== undefined && venues.length === 1 ? parent : join(parent, venue.slug);
  const { calls, failures } = await recordVenue({
    venue,
    http,
    clock: systemClock,
    simUrl,
    folder,
    rows,
    streamSeconds,
  });
  console.log(`${venue.facts.exchange}: ${calls.length} replies in ${folder}`);
  for (const { source, cause } of failures)
    console.log(`${venue.facts.exchange} ${source}: could not be recorded: ${cause}`);
  if (failures.length > 0) process.exitCode = 1;
  if (calls.length === 0)
    console.log(
      `${venue.facts.exchange} could not be reached at ${simUrl ?? venue.hosts.rest}. Is there a network?`,
    );
}
await http.close();
