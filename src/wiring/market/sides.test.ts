import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { fakeVenue } from '../../../test/venues/fake-venue.ts';
import { ManualClock } from '../../base/clock.ts';
import { createLog, type Log } from '../../base/log.ts';
import { openStorage } from '../../storage/storage.ts';
import { deleteVenueSides, saveVenueSides } from '../../storage/venue-sides.ts';
import { bothSides, oneSide, type Sides, unknownSides } from '../../venues/counting/sides.ts';
import { SidesKeeper } from './sides.ts';

const MAKERS = { 'one side': oneSide, 'both sides': bothSides, unknown: unknownSides };

/** A venue of a release that says this about open interest. */
function venueOf(sides: Exclude<Sides, 'not given'>) {
  const venue = fakeVenue();
  const openInterest = MAKERS[sides]('evidence', '2026', 'https://example.org');
  return { ...venue, facts: { ...venue.facts, counts: { ...venue.facts.counts, openInterest } } };
}

suite('what operators decided about the counts of venues', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-sides-'));
  const sqliteFile = join(folder, 'perpwire.sqlite');
  const storage = await openStorage({ databaseUrl: null, sqliteFile, log: createLog('silent') });
  after(async () => {
    await storage.close();
    rmSync(folder, { recursive: true });
  });
  const logged: string[] = [];
  const log = {
    ...createLog('silent'),
    warn: (_fields: object, message: string) => logged.push(message),
  } as unknown as Log;
  const keeperOf = (sides: Exclude<Sides, 'not given'>) => {
    const venues = [venueOf(sides)];
    const keeper = new SidesKeeper({ storage, venues, clock: new ManualClock(0), log });
    return { keeper, chosen: () => keeper.of(venues[0] as (typeof venues)[0]) };
  };
  const row = { exchange: 'Fake', figure: 'openInterest', releaseSaid: 'unknown', setAtMs: 1 };

  test('is read by every process, logged once, and taken back', async () => {
    const [one, other] = [keeperOf('unknown'), keeperOf('unknown')];
    await one.keeper.read();
    assert.deepEqual(one.chosen(), {});
    await saveVenueSides(storage, { ...row, counts: 'both sides' });
    for (const { keeper, chosen } of [one, other]) {
      await keeper.read();
      await keeper.read();
      assert.deepEqual(chosen(), { openInterest: 'both sides' });
    }
    assert.deepEqual(logged.splice(0), Array(2).fill('open interest counts what the operator decided'));
    await deleteVenueSides(storage, row);
    await one.keeper.read();
    assert.deepEqual(one.chosen(), {});
    assert.deepEqual(logged.splice(0), ['open interest counts what the release says again']);
  });

  test('ends when a release says something else than the one that it was decided over', async () => {
    await saveVenueSides(storage, { ...row, counts: 'both sides' });
    for (const sides of ['one side', 'both sides'] as const) {
      const { keeper, chosen } = keeperOf(sides);
      await keeper.read();
      assert.deepEqual(chosen(), {}, sides);
    }
  });
});
