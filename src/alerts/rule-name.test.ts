import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseRuleInput } from './rule.ts';

suite('names of alert rules', () => {
  for (const [what, name, stored] of [
    ['a line break', 'High\r\nBcc: x@example.org', 'High Bcc: x@example.org'],
    ['a line separator', 'High\u2028rate', 'High rate'],
    ['an escape sequence of a terminal', 'High\u001b[31m', 'High [31m'],
    ['a right-to-left override', 'High\u202eetar', 'High etar'],
    ['bidi isolates', '\u2066High\u2069', 'High'],
    ['another script', 'معدل', 'معدل'],
  ] as const)
    test(`${what}: stored as ${JSON.stringify(stored)}`, () => {
      const input = {
        name,
        operation: 'funding',
        query: '',
        condition: { kind: 'enters' },
        endpointIds: ['end_1'],
      };
      assert.equal(parseRuleInput(input).name, stored);
    });
});
