import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { createLog } from '../base/log.ts';
import { DAY_MS } from '../base/times.ts';
import { countNotices, type NoticeRecord, unclearNotices } from '../history/listings/notices.ts';
import { processEnvironment, readSettings } from '../settings.ts';
import { openStorage } from '../storage/storage.ts';
import { VENUES } from '../venues/registry.ts';
import { type Command, UsageError } from './command.ts';
import { flagsOf, table, timeText } from './flags.ts';
import { STORAGE_HELP, STORE_OPTIONS } from './stores.ts';

const HELP = `perpwire listings review [--days N] [--exchange NAME] [--bodies]

Shows what was made of the venues' notices, and which ones were about perpetuals coming or going but could not be read
with certainty. Nothing was guessed from those: look at them, and add the wording to the extraction if it will come again.

  --days      how far back, by the notices' publication (default 30)
  --exchange  only this venue, spelled as /exchanges returns it
  --bodies    print the texts of the notices too
${STORAGE_HELP}`;

const OUTCOMES = ['read', 'other', 'unclear', 'old'];

export const listingsCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, {
      ...STORE_OPTIONS,
      days: { type: 'string', default: '30' },
      exchange: { type: 'string' },
      bodies: { type: 'boolean', default: false },
    });
    if (positionals.length !== 1 || positionals[0] !== 'review')
      throw new UsageError(`listings has review\n\n${HELP}`);
    if (!/^[1-9]\d{0,3}$/.test(values.days))
      throw new UsageError(`--days takes a whole number from 1 to 9999; it is "${values.days}"`);
    refuseUnknownVenue(values.exchange);
    const given = (['data-dir', 'database-url'] as const).flatMap((name) =>
      values[name] === undefined ? [] : [`--${name}`, values[name]],
    );
    const settings = readSettings(given, processEnvironment());
    mkdirSync(settings.dataDir, { recursive: true });
    const storage = await openStorage({
      databaseUrl: settings.databaseUrl,
      sqliteFile: join(settings.dataDir, 'perpwire.sqlite'),
      log: createLog('warn'),
    });
    try {
      const sinceMs = systemClock.nowMs() - Number(values.days) * DAY_MS;
      const isWanted = (row: { exchange: string }) =>
        values.exchange === undefined || row.exchange === values.exchange;
      const counts = (await countNotices(storage, sinceMs)).filter(isWanted);
      const unclear = (await unclearNotices(storage, sinceMs)).filter(isWanted);
      console.log(countsText(counts));
      console.log(unclear.length === 0 ? '\nEverything was understood.' : `\n${unclearText(unclear)}`);
      if (values.bodies) for (const notice of unclear) console.log(`\n${notice.title}\n${notice.body ?? ''}`);
    } finally {
      await storage.close();
    }
  },
};

/** Else a misspelled venue would read as one whose notices were all understood. */
function refuseUnknownVenue(exchange: string | undefined): void {
  const served = VENUES.map(({ facts }) => facts.exchange);
  if (exchange === undefined || served.includes(exchange)) return;
  throw new UsageError(`--exchange takes one of ${served.join(', ')}; it is "${exchange}"`);
}

function countsText(counts: readonly { exchange: string; outcome: string; count: number }[]): string {
  if (counts.length === 0) return 'No notices were read in this time.';
  const exchanges = [...new Set(counts.map((row) => row.exchange))];
  const countOf = (exchange: string, outcome: string) =>
    counts.find((row) => row.exchange === exchange && row.outcome === outcome)?.count ?? 0;
  return table(
    ['venue', 'read', 'about something else', 'unclear', 'too old'],
    exchanges.map((exchange) => [exchange, ...OUTCOMES.map((outcome) => String(countOf(exchange, outcome)))]),
  );
}

function unclearText(notices: readonly NoticeRecord[]): string {
  return table(
    ['venue', 'published', 'why', 'title', 'address'],
    notices.map((notice) => [
      notice.exchange,
      timeText(notice.publishedAtMs),
      notice.reason,
      notice.title,
      notice.url ?? '-',
    ]),
  );
}
