import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ageText, bandText, longPeriodText, periodText } from './book-texts.ts';

suite('texts of books', () => {
  test('ages and periods are in seconds, from two minutes on in minutes', () => {
    assert.equal(ageText(33.6), '34\u00a0s old');
    assert.equal(ageText(240), '4\u00a0min old');
    assert.equal(periodText(60), 'read every minute');
    assert.equal(periodText(300), 'read every 5\u00a0min');
  });

  test('a venue whose books come less often than every minute says so', () => {
    assert.match(longPeriodText(95) ?? '', /most traded contracts every 95\u00a0s instead of every minute/);
    assert.match(longPeriodText(1800) ?? '', /every 30\u00a0min instead/);
    assert.equal(longPeriodText(60), null);
    assert.equal(longPeriodText(null), null);
  });

  test('beyond the levels received a band is at least what was received, and says that it is unknown', () => {
    const row = { bid_5bp_usd: 0, bid_10bp_usd: null, bid_received_usd: 24_979, bid_reach_bp: 10 };
    assert.match(String(bandText(row, 'bid', 5)), />\$0</);
    assert.match(
      String(bandText(row, 'bid', 10)),
      /title="Unknown: the levels received end at 10\.0 bp.*≥\u00a0\$25\.0\u00a0k/,
    );
  });
});
