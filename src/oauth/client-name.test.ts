import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { visibleName } from './client-name.ts';

suite('names of clients', () => {
  for (const [attack, name, shown] of [
    ['a right-to-left override', 'Claude\u202e gnp', 'Claude gnp'],
    ['bidi isolates', '\u2066Claude\u2069', 'Claude'],
    ['Arabic letter mark', 'Claude\u061c', 'Claude'],
    ['zero-width spaces and joiners', 'Cl\u200bau\u200dde\ufeff', 'Cl au de'],
    ['a Hangul filler', '\u3164\u115f\uffa0', ''],
    ['a blank Braille pattern', 'Claude\u2800\u2800', 'Claude'],
    ['variation selectors and tags', 'Claude\ufe0f\u{e0041}', 'Claude'],
    ['line breaks', 'Claude\r\n\u2028is safe', 'Claude is safe'],
    ['many spaces', '  Claude \u00a0\u3000 Desktop  ', 'Claude Desktop'],
    ['200 characters', 'x'.repeat(200), 'x'.repeat(80)],
    ['a name in another script', 'مساعد', 'مساعد'],
  ] as const) {
    test(`${attack}: ${JSON.stringify(shown.slice(0, 20))} is shown`, () => {
      assert.equal(visibleName(name), shown);
    });
  }
});
