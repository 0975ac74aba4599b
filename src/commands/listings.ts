import { systemClock } from '../base/clock.ts';
import { DAY_MS } from '../base/times.ts';
import { countNotices, type NoticeRecord, unclearNotices } from '../history/listings/notices.ts';
import { VENUES } from '../venues/registry.ts';
import { type Command, UsageError } from './command.ts';
import { actionOf, flagsOf, refuseMore, table, timeText } from './flags.ts';
import { STORAGE_HELP, STORE_OPTIONS, storeSettings, withStorage } from './stores.ts';

const HELP = `perpwire listings review [--days N] [--exchange NAME] [--bodies]

Counts the notices of each venue by how they were read, and lists the unclear ones: they announce a listing or delisting
of a perpetual, but their coin or time could not be extracted with certainty, so the calendar does not use them. If such
a wording is likely to come again, add it to src/engines/listings/notices.

  --days      notices published in the last N days (default 30)
  --exchange  only this venue, spelled as /exchanges returns it
  --bodies    also print the texts of the unclear notices
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
    actionOf('listings', positionals[0], ['review']);
    refuseMore('listings review', positionals.slice(1));
    if (!/^[1-9]\d{0,3}$/.test(values.days))
      throw new UsageError(`--days takes a whole number from 1 to 9999; it is "${values.days}"`);
    refuseUnknownVenue(values.exchange);
    const isWanted = (row: { exchange: string }) =>
      values.exchange === undefined || row.exchange === values.exchange;
    await withStorage(storeSettings(values), async (storage) => {
      const sinceMs = systemClock.nowMs() - Number(values.days) * DAY_MS;
      const counts = (await countNotices(storage, sinceMs)).filter(isWanted);
      const unclear = (await unclearNotices(storage, sinceMs)).filter(isWanted);
      console.log(countsText(counts));
      console.log(unclear.length === 0 ? '\nNo notice was unclear.' : `\n${unclearText(unclear)}`);
      if (values.bodies) for (const notice of unclear) console.log(`\n${notice.title}\n${notice.body ?? ''}`);
    });
  },
};

/** Otherwise a misspelled venue would look like one without unclear notices. */
function refuseUnknownVenue(exchange: string | undefined): void {
  const served = VENUES.map(({ facts }) => facts.exchange);
  if (exchange === undefined || served.includes(exchange)) return;
  throw new UsageError(`--exchange takes one of ${served.join(', ')}; it is "${exchange}"`);
}

function countsText(counts: readonly { exchange: string; outcome: string; count: number }[]): string {
  if (counts.length === 0) return 'No notices were published in this time.';
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
