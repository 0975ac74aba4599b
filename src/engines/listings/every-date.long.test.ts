import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Universe } from '../../../sim/contracts.ts';
import { viewAt } from '../../../sim/view.ts';
import { KILLS_STRETCH, marketOn, OUTAGE_STRETCH, openedIn } from '../../../test/cluster/listing-seed.ts';
import { simOf, venueOf } from '../../../test/history/keeping.ts';
import { sendToSim } from '../../../test/support/observe.ts';
import { DAY_MS } from '../../base/times.ts';
import { ListingWatch } from './watch.ts';

const YEAR_STARTS_MS = Date.UTC(2026, 10, 1);
const DAYS = 366;

/** What the venue lists at a time of its own, in the venue's format. */
async function listsOf(universe: Universe, slug: string, atMs: number) {
  const send = sendToSim(simOf(slug), viewAt(universe, simOf(slug).profile, atMs));
  const polls = venueOf(slug).polls.filter(({ gives }) => gives.includes('contracts'));
  const lists = [];
  for (const poll of polls) {
    const batch = poll.kind === 'bulk' ? await poll.collect({ send, contracts: new Map() }) : null;
    if (batch?.contractList) lists.push(batch.contractList);
  }
  return lists;
}

suite('the market of the tests that kill processes and stop PostgreSQL', () => {
  for (const [name, stretch] of [
    ['kills', KILLS_STRETCH],
    ['outage', OUTAGE_STRETCH],
  ] as const)
    test(`${name}: on every date of a year one list before and one after give a row of every contract that opens, at a venue without times too`, async () => {
      const universes = new Map<number, Universe>();
      for (let day = 0; day < DAYS; day++) {
        const nowMs = YEAR_STARTS_MS + day * DAY_MS;
        const market = marketOn(stretch, nowMs);
        const universe = universes.get(market.seed) ?? new Universe(market.seed, stretch.coins);
        universes.set(market.seed, universe);
        const opened = openedIn(universe, stretch.venues, market);
        assert.ok(opened.some((one) => one.startsWith('Hyperliquid ')));
        const watch = new ListingWatch();
        for (const slug of stretch.venues)
          for (const [i, atMs] of [market.startMs, market.endMs].entries())
            for (const list of await listsOf(universe, slug, atMs))
              watch.takeList(venueOf(slug).facts.exchange, list, nowMs + i);
        const publication = watch.stage(nowMs + DAY_MS);
        if (publication) watch.commit(publication);
        const listed = watch.book.published
          .filter(({ kind }) => kind === 'listing')
          .map(({ exchange, state }) => `${exchange} ${state.venueSymbol}`);
        const missing = opened.filter((one) => !listed.includes(one));
        assert.deepEqual(missing, [], new Date(nowMs).toISOString());
      }
    });
});
