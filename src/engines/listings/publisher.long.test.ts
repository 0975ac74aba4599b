import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { unit } from '../../../sim/noise.ts';
import { idsOf, Poller, startPart, temporaryDatabase } from '../../../test/listings/part.ts';
import { DAYS, SEED, START_MS, simulatedVenues } from '../../../test/listings/simulation.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import { openStorage } from '../../storage/storage.ts';

const STEP_MS = 3 * HOUR_MS;
const draw = (what: string, atMs: number) => unit(`${what} ${atMs}`, SEED);

suite('polling', () => {
  test('sixty days of all venues, with kills and restarts: a poller gets every row exactly once', async (t) => {
    const options = temporaryDatabase(t);
    let storage = await openStorage(options);
    let running = await startPart(storage, START_MS);
    const pollers = [new Poller(0), new Poller(900)];
    const taken: { asOfMs: number; ids: string[] }[] = [];
    const poll = (nowMs: number) => {
      for (const poller of pollers) poller.poll(running.part.source, nowMs);
    };
    let kills = 0;
    for (let atMs = START_MS; atMs < START_MS + DAYS * DAY_MS; atMs += STEP_MS) {
      for (const { venue, observe } of simulatedVenues()) {
        running.take(venue, await observe(atMs), atMs);
        // Some polls happen between a detection and its publication.
        if (draw(`poll ${venue.slug}`, atMs) < 0.05) poll(atMs);
      }
      const fate = draw('fate', atMs);
      if (fate > 0.04) await running.part.publish(atMs + MINUTE_MS);
      if (fate < 0.08) {
        // A kill: the old instance is not closed, and may or may not have published.
        kills++;
        await storage.close();
        storage = await openStorage(options);
        running = await startPart(storage, atMs);
      }
      if (draw('poll', atMs) < 0.5) poll(atMs + 2 * MINUTE_MS);
      const snapshot = running.part.source.at(0, atMs);
      if (snapshot && fate > 0.9) taken.push({ asOfMs: snapshot.asOfMs, ids: idsOf(snapshot.table) });
      const last = taken.at(-1);
      if (last && snapshot && snapshot.asOfMs !== last.asOfMs) {
        const again = running.part.source.at((snapshot.asOfMs - last.asOfMs) / 1000, snapshot.asOfMs);
        if (again?.asOfMs === last.asOfMs)
          assert.deepEqual(idsOf(again.table), last.ids, 'the past does not change');
      }
    }
    const endMs = START_MS + DAYS * DAY_MS + HOUR_MS;
    await running.part.publish(endMs);
    poll(endMs + HOUR_MS);
    const table = running.part.source.at(0, endMs)?.table;
    assert.ok(table);
    const all = idsOf(table).sort();
    assert.ok(all.length > 200, `only ${all.length} rows`);
    assert.ok(kills > 10, `only ${kills} kills`);
    for (const poller of pollers) assert.deepEqual(poller.seen.toSorted(), all);
    const times = pollers[0]?.seen.map((id) => Number(id.split(' ')[0])) ?? [];
    assert.deepEqual(
      times,
      [...new Set(times)].toSorted((a, b) => a - b),
      'detected_at only increases',
    );
    await storage.close();
  });
});
