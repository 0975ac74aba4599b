import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { OPERATIONS } from '../../../operations/registry.ts';
import { KnownCalls, splitBody } from './known-calls.ts';
import { ToolCall } from './tool-calls.ts';
import { toolsOf } from './tools.ts';

const PARAMS = { name: 'svc_get_funding_rates', arguments: { coin: 'BTC' } };
const [tool] = toolsOf(OPERATIONS);
assert.ok(tool);
const KNOWN = { method: 'tools/call', params: PARAMS, call: new ToolCall(tool, PARAMS.arguments) };

suite('the id of a message', () => {
  for (const id of [0, 7, 123_456_789_012_345, 'abc-1_Z']) {
    test(`${JSON.stringify(id)} is found in front and at the end`, () => {
      const first = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: PARAMS });
      const last = JSON.stringify({ method: 'tools/call', params: PARAMS, jsonrpc: '2.0', id });
      assert.equal(splitBody(first)?.id, id);
      assert.equal(splitBody(last)?.id, id);
      assert.notEqual(splitBody(first)?.rest, splitBody(last)?.rest);
    });
  }

  for (const [name, text] of [
    ['a number that is no JSON', '{"jsonrpc":"2.0","id":007,"method":"ping"}'],
    ['a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}'],
    ['a negative number', '{"method":"ping","jsonrpc":"2.0","id":-1}'],
    ['a number too large to be exact', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}'],
    ['a text with an escape', '{"jsonrpc":"2.0","id":"a\\"b","method":"ping"}'],
    ['a list', '{"jsonrpc":"2.0","id":[1,2],"method":"ping"}'],
    ['none', '{"jsonrpc":"2.0","method":"ping"}'],
    ['one in the middle', '{"method":"ping","id":1,"jsonrpc":"2.0"}'],
    ['one before a space', '{"method":"ping","jsonrpc":"2.0","id":1 }'],
    ['a very long body', `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(3000)}"}`],
  ] as const) {
    test(`${name}: left to the parser`, () => assert.equal(splitBody(text), null));
  }

  test('whatever is around it, the id that was split off is the one that a parser finds', () => {
    const around = fc.dictionary(
      fc.constantFrom('a', 'id', 'method', 'params', ',"id":', '}'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(around, fc.nat(), fc.boolean(), (others, id, isFirst) => {
        // A later id is another matter, see below.
        const { id: _id, ...rest } = others;
        const own = JSON.stringify(isFirst ? rest : others).slice(1, -1);
        const comma = own === '' ? '' : ',';
        const text = isFirst ? `{"jsonrpc":"2.0","id":${id}${comma}${own}}` : `{${own}${comma}"id":${id}}`;
        const split = splitBody(text);
        if (split) assert.equal(split.id, (JSON.parse(text) as { id: unknown }).id);
      }),
    );
  });
});

suite('calls that were parsed before', () => {
  test('are found by their text without the id', () => {
    const calls = new KnownCalls();
    const split = splitBody(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: PARAMS }));
    assert.ok(split);
    assert.equal(calls.get(split.rest), undefined);
    calls.add(split.rest, KNOWN);
    const again = splitBody(
      JSON.stringify({ jsonrpc: '2.0', id: 'b', method: 'tools/call', params: PARAMS }),
    );
    assert.equal(calls.get(again?.rest ?? ''), KNOWN);
  });

  test('are not remembered when a second id would count', () => {
    const calls = new KnownCalls();
    const split = splitBody('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{},"id":2,"more":{}}');
    assert.ok(split);
    calls.add(split.rest, KNOWN);
    assert.equal(calls.get(split.rest), undefined);
  });

  test('are forgotten when there are too many', () => {
    const calls = new KnownCalls();
    for (let i = 0; i <= 2000; i++) calls.add(`{"method":"m${i}","id":`, KNOWN);
    assert.equal(calls.get('{"method":"m0","id":'), undefined);
    assert.equal(calls.get('{"method":"m2000","id":'), KNOWN);
  });
});
