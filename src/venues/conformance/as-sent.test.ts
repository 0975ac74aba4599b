import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sentCalls } from '../../../test/support/as-sent.ts';
import { VENUES } from '../registry.ts';

/** Replies of `fixtures/as-sent.json` are evidence only while one can tell where they are from and how old they are. */
suite('every venue has replies as it sent them, with source and date', () => {
  for (const { slug, facts } of VENUES) {
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
