import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { sentCalls } from '../../../test/support/as-sent.ts';
import { VENUES } from '../registry.ts';
import type { Venue } from '../venue.ts';

/** Replies of `fixtures/as-sent.json` are evidence only while one can tell where they are from and how old they are. */
suite('every venue has replies as it sent them, with source and date', () => {
  // A venue without a parser of its own is read by that of another one, whose replies are evidence for both.
  const hasParser = ({ slug }: Venue) => existsSync(join(import.meta.dirname, '..', slug, 'parse.ts'));
  for (const { slug, facts } of VENUES.filter(hasParser)) {
    test(facts.exchange, () => {
      const calls = Object.entries(sentCalls(slug));
      assert.ok(calls.length >= 2, `${calls.length} calls`);
      for (const [name, { call, source, date, reply }] of calls) {
        assert.ok(call.length > 0 && source.length > 10, `${name}: call and source`);
        assert.match(date, /^20\d\d/, `${name}: date`);
        assert.ok(typeof reply === 'object' && reply !== null, `${name}: reply`);
      }
    });
  }
});
