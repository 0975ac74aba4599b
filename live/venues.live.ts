import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { table } from '../src/commands/flags.ts';
import { processEnvironment, readSettings } from '../src/settings.ts';
import { hasEnded } from '../src/venues/ended.ts';
import { chosenVenues } from '../src/wiring/chosen-venues.ts';
import { CHECKS } from './checks.ts';
import { type Look, lookAt, type VenueLook } from './look.ts';

/**
 * `RUN_LIVE_TESTS=1 npm run test:live`: the real venues, their calls and units. VENUES selects some; VENUES_URL names a
 * simulator to use instead. It needs a network, so it is not part of `npm test`.
 */
const environment = processEnvironment();
const isWanted = environment.RUN_LIVE_TESTS === '1';
const settings = readSettings([], {
  VENUES: environment.VENUES,
  VENUES_URL: environment.VENUES_URL,
});
const LISTEN_SECONDS = settings.venuesUrl === null ? 15 : 3;
const skip = isWanted ? false : 'asks the real venues; run it with RUN_LIVE_TESTS=1';

suite('live venues', { skip }, () => {
  const venues = chosenVenues(settings.venues).filter(({ facts }) => !hasEnded(facts, Date.now()));
  let look: Look;
  before(async () => {
    look = await lookAt(venues, settings.venuesUrl, LISTEN_SECONDS);
  });
  after(() => {
    console.log(`\n${summary(look)}\n`);
  });

  for (const venue of venues) {
    suite(venue.facts.exchange, () => {
      const own = () => {
        const found = look.venues.find((one) => one.venue === venue);
        assert.ok(found);
        return found;
      };
      test('can be reached', () => {
        assert.equal(unreachable(own()), null);
      });
      for (const [name, check] of Object.entries(CHECKS)) {
        test(name, (context) => {
          if (unreachable(own()) !== null) return context.skip('the venue could not be reached');
          assert.deepEqual(check(own(), look), []);
        });
      }
    });
  }
});

function unreachable({ venue, report }: VenueLook): string | null {
  if (report.lastGoodAtMs !== null) return null;
  const cause = report.sources.find((source) => source.lastFailure !== null)?.lastFailure;
  return `${venue.facts.exchange} could not be reached at ${settings.venuesUrl ?? venue.hosts.rest}: ${cause ?? 'no reply'}`;
}

function summary(look: Look): string {
  const rows = look.venues.map((one) => {
    const faults = Object.entries(CHECKS).filter(([, check]) => check(one, look).length > 0);
    const isReached = unreachable(one) === null;
    return [
      one.venue.facts.exchange,
      isReached ? 'yes' : 'no',
      String(one.states.length),
      String(one.states.filter((state) => state.ratePct !== null).length),
      String(one.states.filter((state) => state.intervalHours !== null).length),
      String(one.states.filter((state) => state.nextFundingAtMs !== null).length),
      String(one.states.filter((state) => state.top !== null).length),
      String(Object.values(one.report.rejected).reduce((sum, count) => sum + count, 0)),
      isReached ? faults.map(([name]) => name).join('; ') || 'all well' : 'could not be reached',
    ];
  });
  const titles = ['venue', 'reached', 'contracts', 'rates', 'intervals', 'next', 'tops', 'bad rows', 'wrong'];
  return table(titles, rows);
}
