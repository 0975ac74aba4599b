import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { callsOf, README, VENUES_DOC, venuesDoc, withVenueList } from '../../../scripts/venues-doc.ts';
import { venueCode } from '../../../test/support/venue-code.ts';
import { VENUES } from '../registry.ts';

/** The parsers of a venue, which may be those of another one. */
function parserOf(slug: string): string {
  return venueCode(slug)
    .split('\n')
    .filter((line) => !line.includes('sourced('))
    .join('\n');
}

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
    whitebit: /the unit of open_interest/,
    bitget: /unit and side of open interest of coin-margined contracts/,
    btse: /the unit of openInterest/,
  }))
    test(`${slug}: a unit or side that no source confirms is named as unknown`, () => {
      const { facts } = VENUES.find((venue) => venue.slug === slug) ?? {};
      assert.ok(
        facts?.unknown.some((sentence) => pattern.test(sentence)),
        slug,
      );
    });

  test('a table says of each venue whether open interest and volume count one side or both', async () => {
    const text = readFileSync(VENUES_DOC, 'utf8');
    const lines = text.slice(text.indexOf('## One side or both')).split('\n');
    const rows = new Map(
      lines
        .map((line) => line.split('|').map((cell) => cell.trim()))
        .slice(0, VENUES.length + 10)
        .map(([, exchange = '', ...cells]) => [exchange, cells.slice(0, 2)]),
    );
    for (const { facts } of VENUES) assert.equal(rows.get(facts.exchange)?.length, 2, facts.exchange);
    assert.deepEqual(rows.get('Hyperliquid'), ['**both sides**, halved', 'one side']);
    assert.deepEqual(rows.get('KuCoin'), ['one side', '**both sides**, halved']);
    assert.deepEqual(rows.get('ApeX'), ['unknown', 'one side']);
    assert.deepEqual(rows.get('Binance'), ['-', 'one side']);
  });

  test('docs/data-rules.md names every venue whose list states the taker fee of a contract', () => {
    const rules = readFileSync(join(import.meta.dirname, '../../../docs/data-rules.md'), 'utf8');
    const sentence =
      /- The taker fee is the contract's own [\s\S]*? whose lists have it too\./.exec(rules)?.[0] ?? '';
    const named = VENUES.filter(({ facts }) => new RegExp(`\\b${facts.exchange}\\b`).test(sentence));
    const stated = VENUES.filter(({ slug }) => parserOf(slug).includes('takerFeePct'));
    assert.ok(stated.some(({ slug }) => slug === 'lighterrh'));
    assert.deepEqual(
      named.map(({ slug }) => slug),
      stated.map(({ slug }) => slug),
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
