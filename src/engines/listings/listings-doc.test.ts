import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { LISTINGS_DOC, listingCells, listingsDoc } from '../../../scripts/listings-doc.ts';
import { listingFactsOf } from '../../../test/listings/listing-facts.ts';
import { venueCode } from '../../../test/support/venue-code.ts';
import { DOLLAR_QUOTES } from '../../market/freeze.ts';
import { VENUES } from '../../venues/registry.ts';

const ROOT = join(import.meta.dirname, '../../..');

suite('docs/listings.md', () => {
  test('has the table that `npm run docs:listings` makes', () => {
    assert.equal(readFileSync(LISTINGS_DOC, 'utf8'), listingsDoc());
  });

  for (const venue of VENUES) {
    const { slug, polls, facts } = venue;
    test(`${facts.exchange}: the venue's code reads every field that the table names`, () => {
      const code = venueCode(slug).replaceAll(/listingFields: \{[^}]*\}/g, '');
      for (const [, field = ''] of listingCells(venue)
        .join(' ')
        .matchAll(/`(\w+)`/g))
        assert.match(code, new RegExp(`\\b${field}\\b`), field);
    });

    test(`${facts.exchange}: the table has notices if the venue has a poll for them`, () => {
      const isPolled = polls.some((poll) => poll.gives.includes('notices'));
      assert.equal(isPolled, listingFactsOf(slug).notices !== 'none');
    });
  }
});

suite('dollar quotes in the documents', () => {
  for (const file of ['spreads.md', 'backtest.md']) {
    test(`docs/${file} lists them in the order of preference`, () => {
      const [last, ...others] = [...DOLLAR_QUOTES].reverse();
      const list = `${others.reverse().join(', ')} or ${last}`;
      assert.ok(
        readFileSync(join(ROOT, 'docs', file), 'utf8')
          .replaceAll('\n', ' ')
          .includes(list),
        list,
      );
    });
  }
});
