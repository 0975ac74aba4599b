import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { idsOf, type RunningPart, startPart, temporaryDatabase } from '../../../test/listings/part.ts';
import { until } from '../../../test/support/until.ts';
import { fakeContract, fakeVenue } from '../../../test/venues/fake-venue.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { openStorage, type Storage } from '../../storage/storage.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);
const venue = fakeVenue({ polls: [] });

/** The venue states no times, so only the difference of two lists shows what opened. */
function sends({ take }: RunningPart, atMs: number, ...symbols: string[]): void {
  take(venue, { lists: [{ part: 'all', contracts: symbols.map(fakeContract) }], notices: [] }, atMs);
}

function rowsOf({ part }: RunningPart, nowMs: number): string[] {
  const table = part.source.at(0, nowMs)?.table;
  return table ? idsOf(table) : [];
}

async function storedLists({ db }: Storage): Promise<number> {
  return (await db.selectFrom('listing_parts').select('part').execute()).length;
}

suite('a process that is killed', () => {
  test('the first list of a venue is stored as soon as it comes: what opens before the next process starts has a row', async (t) => {
    const storage = await openStorage(temporaryDatabase(t));
    t.after(() => storage.close());
    const first = await startPart(storage, START_MS);
    first.part.start();
    t.after(() => first.part.stop());
    await until(() => first.part.published().span !== null, 'the publication at the start');
    first.advanceMs(1);
    sends(first, START_MS + 1, 'A');
    await until(async () => (await storedLists(storage)) === 1, 'the list stored while no second passes');

    const second = await startPart(storage, START_MS + MINUTE_MS);
    sends(second, START_MS + MINUTE_MS, 'A', 'B');
    await second.part.publish(START_MS + MINUTE_MS);
    const rows = rowsOf(second, START_MS + MINUTE_MS);
    assert.match(rows.join(), /^\d+ Fake B-USDT listing$/);
  });

  test('a list that it had not read is read again by the next one, which has the rows with its first publication', async (t) => {
    const storage = await openStorage(temporaryDatabase(t));
    t.after(() => storage.close());
    const first = await startPart(storage, START_MS);
    sends(first, START_MS, 'A');
    await first.part.publish(START_MS);
    sends(first, START_MS + 10 * SECOND_MS, 'A', 'B');

    const second = await startPart(storage, START_MS + MINUTE_MS);
    sends(second, START_MS + MINUTE_MS, 'A', 'B');
    await second.part.publish(START_MS + MINUTE_MS);
    assert.match(rowsOf(second, START_MS + MINUTE_MS).join(), /^\d+ Fake B-USDT listing$/);
  });
});
