import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../base/times.ts';
import { provenAfter, ROW_MAX_AGE_MS, type Roll, type ScheduleFacts, scheduleOf } from './interval.ts';

const DAY = Date.UTC(2026, 10, 14);
const at = (hours: number) => DAY + hours * HOUR_MS;

/** Facts that were stated half an hour before midnight, with a rate that is always confirmed. */
function facts(
  intervalHours: number | null,
  nextFundingAtMs: number | null,
  extra: Partial<ScheduleFacts> = {},
): ScheduleFacts {
  return {
    intervalHours,
    intervalAtMs: at(-0.5),
    intervalSinceMs: at(-0.5),
    nextFundingAtMs,
    nextSinceMs: at(-0.5),
    rolls: [],
    provenIntervalHours: null,
    rateAtMs: Number.POSITIVE_INFINITY,
    ...extra,
  };
}

/** The venue moved on from one settlement to the next, which we saw five seconds later. */
function roll(fromHours: number, toHours: number, seenAfterMs = 5 * SECOND_MS): Roll {
  return { fromMs: at(fromHours), toMs: at(toHours), atMs: at(fromHours) + seenAfterMs };
}

suite('settlement schedule', () => {
  test('agreeing facts are published as they are', () => {
    assert.deepEqual(scheduleOf(facts(8, at(16), { nextSinceMs: at(9) }), at(9)), {
      intervalHours: 8,
      nextFundingAtMs: at(16),
    });
  });

  test('a settlement more than a day away is ignored', () => {
    assert.equal(scheduleOf(facts(8, at(72)), at(9)).nextFundingAtMs, null);
  });

  test('24 h and 2 h contracts are possible', () => {
    assert.equal(scheduleOf(facts(24, at(24), { nextSinceMs: at(0) }), at(9)).intervalHours, 24);
    assert.equal(scheduleOf(facts(2, at(10), { nextSinceMs: at(8) }), at(9)).intervalHours, 2);
  });
});

suite('settlements off the grid from midnight', () => {
  test('KuCoin TRUSTUSDTM settles every 4 h at 23:00, 03:00, …: its interval is 4, at any time of the day', () => {
    for (let hour = 23; hour < 47; hour++) {
      const nextHour = 27 + Math.floor((hour - 23) / 4) * 4;
      const stated = facts(4, at(nextHour), {
        nextSinceMs: at(nextHour - 4),
        rolls: [roll(nextHour - 4, nextHour), roll(nextHour - 8, nextHour - 4)],
      });
      for (const rolls of [stated.rolls, []]) {
        const schedule = scheduleOf({ ...stated, rolls }, at(hour));
        assert.deepEqual(schedule, { intervalHours: 4, nextFundingAtMs: at(nextHour) }, `${hour}:00`);
      }
    }
  });

  test('KuCoin settled at 04:00, 12:00 and 20:00 in 2021 to 2023: 8 h', () => {
    for (const next of [4, 12, 20]) {
      const since = { nextSinceMs: at(next - 8), intervalSinceMs: at(-30), intervalAtMs: at(-0.5) };
      assert.equal(scheduleOf(facts(8, at(next), since), at(next - 1)).intervalHours, 8);
      assert.equal(scheduleOf(facts(8, at(next), since), at(next - 7.9)).intervalHours, 8);
    }
  });

  test('a 24 h contract of MEXC that does not settle at midnight is a 24 h contract', () => {
    for (const now of [-3, 0, 11, 19.9])
      assert.equal(scheduleOf(facts(24, at(20), { nextSinceMs: at(-4) }), at(now)).intervalHours, 24);
  });

  test('an off-grid minute is left alone (a change at 12:15)', () => {
    assert.equal(scheduleOf(facts(8, at(12.25), { nextSinceMs: at(11) }), at(11)).intervalHours, 8);
  });
});

suite('an interval that the settlements contradict', () => {
  test('a settlement one hour away does not contradict 8 h: every settlement is once an hour away (A3)', () => {
    assert.equal(scheduleOf(facts(8, at(14), { nextSinceMs: at(6) }), at(13)).intervalHours, 8);
  });

  test('the next one is an hour after the last, and 8 h was stated before that settlement: 1 (A3)', () => {
    const rolled = { rolls: [roll(13, 14)], nextSinceMs: at(13), intervalAtMs: at(12.95) };
    assert.equal(scheduleOf(facts(8, at(14), rolled), at(13.01)).intervalHours, 1);
  });

  test('the venue goes on stating 8 h: it wins after one settlement, two an hour apart make it 1 (A3)', () => {
    const once = { rolls: [roll(13, 14)], nextSinceMs: at(13), intervalAtMs: at(13.05) };
    assert.equal(scheduleOf(facts(8, at(14), once), at(13.1)).intervalHours, 8);
    const twice = { rolls: [roll(14, 15), roll(13, 14)], nextSinceMs: at(14), intervalAtMs: at(14.05) };
    assert.equal(scheduleOf(facts(8, at(15), twice), at(14.1)).intervalHours, 1);
  });

  test('8 to 1 to 4 h: every change is followed', () => {
    const changed = { intervalSinceMs: at(8) + 6000, intervalAtMs: at(8) + 6000 };
    const hourly = { ...changed, nextSinceMs: at(8), rolls: [roll(8, 9), roll(0, 8)] };
    assert.equal(scheduleOf(facts(1, at(9), hourly), at(8.1)).intervalHours, 1);
    const later = { intervalSinceMs: at(12) + 6000, intervalAtMs: at(12) + 6000 };
    const longer = { ...later, nextSinceMs: at(12), rolls: [roll(12, 16), roll(11, 12)] };
    assert.equal(scheduleOf(facts(4, at(16), longer), at(12.1)).intervalHours, 4);
    const steady = { ...later, nextSinceMs: at(16), rolls: [roll(16, 20), roll(12, 16)] };
    assert.equal(scheduleOf(facts(4, at(20), steady), at(16.1)).intervalHours, 4);
  });

  test('a short first period after a change is valid: a newer interval replaces the gap', () => {
    const rolled = {
      rolls: [roll(12, 16), roll(8, 12)],
      nextSinceMs: at(12),
      intervalSinceMs: at(12.25),
      intervalAtMs: at(12.25),
    };
    assert.equal(scheduleOf(facts(8, at(16), rolled), at(12.3)).intervalHours, 8);
  });

  test('a settlement that may have been missed is no evidence', () => {
    const missed = { rolls: [roll(0, 8, 4.2 * HOUR_MS)], nextSinceMs: at(4.2), intervalAtMs: at(4) };
    assert.equal(scheduleOf(facts(4, at(8), missed), at(4.3)).intervalHours, 4);
  });

  test('a settlement further away than the interval makes the interval longer, and it stays so', () => {
    const seen = { nextSinceMs: at(9), intervalSinceMs: at(9) };
    for (const now of [9, 12, 15.5])
      assert.equal(scheduleOf(facts(1, at(16), seen), at(now)).intervalHours, 8);
    const known = { ...seen, rolls: [roll(4, 16)] };
    assert.equal(scheduleOf(facts(1, at(16), known), at(9)).intervalHours, 12, 'the observed gap decides');
  });

  test('an hourly interval that is stated shortly before the last 8 h settlement is believed', () => {
    const changed = { nextSinceMs: at(8), intervalSinceMs: at(15.5), intervalAtMs: at(15.5) };
    assert.equal(scheduleOf(facts(1, at(16), changed), at(15.6)).intervalHours, 1);
  });
});

suite('an interval that the venue does not state', () => {
  test('it is the gap between two consecutive settlements', () => {
    assert.equal(scheduleOf(facts(null, at(12), { rolls: [roll(8, 12)] }), at(9)).intervalHours, 4);
    assert.equal(scheduleOf(facts(null, at(27), { rolls: [roll(23, 27)] }), at(24)).intervalHours, 4);
  });

  test('unknown stays null', () => {
    assert.equal(scheduleOf(facts(null, at(12)), at(9)).intervalHours, null);
    const missed = { rolls: [roll(4, 12, 5 * HOUR_MS)] };
    assert.equal(scheduleOf(facts(null, at(12), missed), at(9)).intervalHours, null);
  });
});

suite('a settlement that has passed', () => {
  test('it is advanced from the settlement on, also while the venue still shows it', () => {
    for (const laterMs of [0, SECOND_MS, MINUTE_MS, 119 * SECOND_MS, 3 * MINUTE_MS])
      assert.deepEqual(scheduleOf(facts(8, at(8), { nextSinceMs: at(0.1) }), at(8) + laterMs), {
        intervalHours: 8,
        nextFundingAtMs: at(16),
      });
    assert.equal(scheduleOf(facts(8, at(8), { nextSinceMs: at(0.1) }), at(8) - 1).nextFundingAtMs, at(8));
  });

  test('it is advanced by the interval while the rate is confirmed, or becomes null without one (D6)', () => {
    assert.equal(scheduleOf(facts(8, at(8)), at(8.1)).nextFundingAtMs, at(16));
    assert.equal(scheduleOf(facts(null, at(8)), at(8.1)).nextFundingAtMs, null);
  });

  test('WOOX EWT: next settlement 20 h ago, estimate of 26 h ago: no settlement is invented', () => {
    const frozen = { rateAtMs: at(2.3) };
    assert.equal(scheduleOf(facts(4, at(8), frozen), at(28)).nextFundingAtMs, null);
    assert.equal(scheduleOf(facts(24, at(8), frozen), at(28)).nextFundingAtMs, null);
    const passed = { rateAtMs: at(8) };
    assert.equal(scheduleOf(facts(4, at(8), passed), at(8) + ROW_MAX_AGE_MS + 1).nextFundingAtMs, null);
  });

  test('more than one interval ago: none is invented even if rates are confirmed', () => {
    assert.equal(scheduleOf(facts(4, at(8)), at(13)).nextFundingAtMs, null);
  });
});

suite('a proven interval', () => {
  const quiet = (hours: number | null, nextHours: number, sinceHours: number) =>
    facts(null, at(nextHours), { provenIntervalHours: hours, nextSinceMs: at(sinceHours) });

  test('is used while the venue states none and no settlement was seen', () => {
    assert.equal(scheduleOf(quiet(8, 16, 9), at(9)).intervalHours, 8);
    assert.equal(scheduleOf(quiet(null, 16, 9), at(9)).intervalHours, null);
  });

  test('gives way to a stated one and to the settlements that were seen', () => {
    const proven = { provenIntervalHours: 8, nextSinceMs: at(8) };
    assert.equal(scheduleOf(facts(4, at(12), proven), at(9)).intervalHours, 4);
    assert.equal(
      scheduleOf(facts(null, at(12), { ...proven, rolls: [roll(8, 12)] }), at(9)).intervalHours,
      4,
    );
  });

  test('is not used when the next settlement is further away than it', () => {
    assert.equal(scheduleOf(quiet(4, 16, 9), at(9)).intervalHours, null);
  });

  test('a settlement seen in time replaces it, one seen late only if it is not on its grid', () => {
    assert.equal(provenAfter(roll(8, 12), 8), 4);
    assert.equal(provenAfter(roll(8, 24, 5 * HOUR_MS), 8), 8);
    assert.equal(provenAfter(roll(8, 20, 5 * HOUR_MS), 8), null);
    assert.equal(provenAfter(roll(8, 20, 5 * HOUR_MS), null), null);
  });
});
