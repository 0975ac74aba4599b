import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { allowedValues, fieldsOf, typeWords } from './fields.ts';

suite('fields in words', () => {
  const types = [
    [{ type: 'string' }, 'text'],
    [{ type: 'number', format: 'double' }, 'number'],
    [{ type: 'integer', minimum: 1, maximum: 24 }, 'integer, 1 to 24'],
    [{ type: 'integer', minimum: 0 }, 'integer, 0 or more'],
    [{ anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] }, 'time (ISO 8601) or null'],
    [{ type: 'array', items: { type: 'string' } }, 'list of text'],
    [{ type: 'boolean' }, 'true or false'],
  ] as const;
  for (const [schema, words] of types)
    test(`${JSON.stringify(schema)} is ${words}`, () => assert.equal(typeWords(schema), words));

  test('allowed values are those of an enum, also inside a list or beside null', () => {
    assert.deepEqual(allowedValues({ type: 'string', enum: ['a', 'b'] }), ['a', 'b']);
    assert.deepEqual(allowedValues({ type: 'array', items: { enum: [25, 100] } }), ['25', '100']);
    assert.deepEqual(allowedValues({ anyOf: [{ enum: ['a', null] }, { type: 'null' }] }), ['a']);
    assert.deepEqual(allowedValues({ type: 'number' }), []);
  });

  test('inner fields follow the object or list that they are in', () => {
    const row = { type: 'object', properties: { rate: { type: 'number', description: 'Percent' } } };
    const schema = {
      type: 'object',
      properties: {
        best: { anyOf: [row, { type: 'null' }] },
        rows: { type: 'array', items: row },
      },
    };
    const named = (list: ReturnType<typeof fieldsOf>) => list.map(({ name, type }) => `${name}: ${type}`);
    assert.deepEqual(named(fieldsOf(schema)), [
      'best: object or null',
      'best.rate: number',
      'rows: list of object',
      'rows[].rate: number',
    ]);
    assert.deepEqual(named(fieldsOf({ type: 'array', items: row })), ['rate: number']);
    assert.equal(fieldsOf(row)[0]?.description, 'Percent');
  });
});
