import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { expectedRows, type Polls, type TrueRow } from '../../../test/listings/oracle.ts';
import {
  DAYS,
  hasNotices,
  listFault,
  START_MS,
  STEP_MS,
  simulatedVenues,
  universe,
} from '../../../test/listings/simulation.ts';
import { DAY_MS, isoTime } from '../../base/times.ts';
import { LISTING_SOURCES, type ListingSource } from '../../history/listings/model.ts';
import { listingsTable } from './table.ts';
import { ListingWatch } from './watch.ts';

const MODES: readonly (readonly ListingSource[])[] = [
  ...LISTING_SOURCES.map((source) => [source]),
  LISTING_SOURCES,
];

function rowText(
  row: Pick<TrueRow, 'symbol' | 'kind' | 'source' | 'status' | 'effectiveAtMs'>,
  foundStep: number,
) {
  // Some venues state fractions of a second.
  const when = row.effectiveAtMs === null ? '-' : isoTime(Math.floor(row.effectiveAtMs / 1000) * 1000);
  return `${row.symbol} ${row.kind} ${row.status} ${when} ${row.source} found ${isoTime(foundStep)}`;
}

function calendarAt(watch: ListingWatch, nowMs: number): string[] {
  const { table } = listingsTable(watch.book.published, nowMs);
  return Array.from({ length: table.rowCount }, (_, row) => {
    const text = (name: string) => table.text(name, row);
    const effective = table.numbers('effective_at')[row] ?? Number.NaN;
    const detected = table.numbers('detected_at')[row] ?? 0;
    const entry = {
      symbol: text('symbol'),
      kind: text('kind') as TrueRow['kind'],
      source: text('source') as ListingSource,
      status: text('status') === '' ? null : text('status'),
      effectiveAtMs: Number.isNaN(effective) ? null : effective,
    };
    return rowText(entry, START_MS + Math.ceil((detected - START_MS) / STEP_MS) * STEP_MS);
  }).sort();
}

suite('sixty days of every venue, with outages', () => {
  for (const { venue, sim, observe } of simulatedVenues()) {
    test(`${venue.facts.exchange}: each day the calendar has what can be known, from each source alone and from all`, async () => {
      const { slug, facts } = venue;
      const watches = MODES.map((sources) => ({ sources, watch: new ListingWatch(sources) }));
      const contracts = universe.scheduled(
        sim.profile,
        START_MS - 200 * DAY_MS,
        START_MS + (DAYS + 14) * DAY_MS,
      );
      const polls = { lists: [] as number[], notices: [] as number[] } satisfies Polls;
      let compared = 0;
      for (let atMs = START_MS; atMs < START_MS + DAYS * DAY_MS; atMs += STEP_MS) {
        const { lists, notices } = await observe(atMs);
        if (listFault(slug, atMs) === null) polls.lists.push(atMs);
        if (hasNotices(slug, atMs)) polls.notices.push(atMs);
        for (const { watch } of watches) {
          for (const list of lists) watch.takeList(facts.exchange, list, atMs);
          watch.takeNotices(facts.exchange, notices, atMs);
          const publication = watch.stage(atMs);
          if (publication) watch.commit(publication);
        }
        if ((atMs - START_MS) % DAY_MS !== 7 * STEP_MS) continue;
        for (const { sources, watch } of watches) {
          const truth = expectedRows(slug, contracts, sources, polls, atMs);
          assert.deepEqual(
            calendarAt(watch, atMs),
            truth.map((row) => rowText(row, row.foundAtMs)).sort(),
            `${facts.exchange} by ${sources.join(', ')} at ${isoTime(atMs)}`,
          );
          compared += truth.length;
        }
      }
      assert.ok(compared > 50, `only ${compared} rows were compared`);
    });
  }
});
