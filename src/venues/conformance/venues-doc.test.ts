import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { callsOf, README, VENUES_DOC, venuesDoc, withVenueList } from '../../../scripts/venues-doc.ts';
import { VENUES } from '../registry.ts';

suite('docs/venues.md', () => {
  test('is up to date with the venues; npm run docs:venues generates it', async () => {
    assert.ok(
      readFileSync(VENUES_DOC, 'utf8') === (await venuesDoc()),
      'docs/venues.md is out of date; run: npm run docs:venues',
    );
  });

  for (const venue of VENUES) {
    test(`${venue.facts.exchange}: every call with period and weight, budgets, sources with dates, and what is unknown`, async () => {
      const text = (await venuesDoc([venue])).replaceAll('\\|', '|');
      for (const poll of venue.polls) {
        for (const call of callsOf(poll)) assert.ok(text.includes(`\`${call}\``), call);
        assert.match(poll.call, /^(GET|POST) \//, `${poll.name} names method and path`);
        assert.ok(poll.weight > 0 && poll.everySeconds > 0, poll.name);
      }
      for (const stream of venue.streams) assert.ok(text.includes(`\`${stream.call}\``), stream.call);
      for (const [name, { capacity }] of Object.entries(venue.budgets))
        assert.ok(text.includes(`\`${name}\` ${capacity} in `), name);
      const { takerFeePct, makerFeePct, feeTiers, maxLeverage } = venue.facts;
      for (const fact of [takerFeePct, makerFeePct, feeTiers, maxLeverage]) {
        if (!fact) continue;
        assert.match(fact.readOn, /^20\d\d-\d\d-\d\d$/);
        assert.ok(text.includes(`[read on ${fact.readOn}](${fact.source})`));
      }
      for (const sentence of venue.facts.unknown) assert.ok(text.includes(sentence));
    });
  }

  for (const [slug, pattern] of Object.entries({
    kraken: /open interest counts one side or both/,
    phemex: /open interest counts one side or both/,
    whitebit: /unit and side of open_interest/,
    woox: /open interest counts one side or both/,
    bitget: /unit and side of open interest of coin-margined contracts/,
    btse: /the unit of openInterest/,
    grvt: /buy and sell volume added up count a trade once/,
    kucoin: /volumes count both sides of a trade .* the audit says/,
    hyperliquid: /open interest counts both sides .* the audit says/,
  }))
    test(`${slug}: a unit or side that no source confirms is named as unknown`, () => {
      const { facts } = VENUES.find((venue) => venue.slug === slug) ?? {};
      assert.ok(
        facts?.unknown.some((sentence) => pattern.test(sentence)),
        slug,
      );
    });

  test('README.md lists the venues between its markers; npm run docs:venues generates the list', () => {
    const text = readFileSync(README, 'utf8');
    assert.ok(withVenueList(text) === text, 'README.md is out of date; run: npm run docs:venues');
    for (const venue of VENUES) assert.ok(text.includes(venue.facts.exchange), venue.facts.exchange);
  });

  test('a changed fact changes the page', async () => {
    const [first] = VENUES;
    assert.ok(first);
    const changed = {
      ...first,
      facts: { ...first.facts, takerFeePct: { ...first.facts.takerFeePct, value: 0.123 } },
    };
    assert.notEqual(await venuesDoc([changed]), await venuesDoc([first]));
  });
});
