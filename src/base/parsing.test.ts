import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  checked,
  count,
  fieldsOf,
  flag,
  jsonOf,
  listOf,
  nullable,
  number,
  objectOf,
  oneOf,
  optional,
  type Parse,
  parsedOrNull,
  recordOf,
  text,
  tupleOf,
  withDefault,
} from './parsing.ts';

interface Order {
  id: string;
  note?: string;
  side: 'buy' | 'sell';
  lots: number;
  price: number | null;
  isTest: boolean;
  fees: Record<string, number>;
  legs: [string, number][];
  venue: string;
}

const order: Parse<Order> = objectOf<Order>({
  id: text,
  note: optional(text),
  side: oneOf('buy', 'sell'),
  lots: count,
  price: nullable(number),
  isTest: withDefault(flag, false),
  fees: recordOf(number),
  legs: listOf(tupleOf(text, number)),
  venue: checked(text, ({ length }) => length === 2, 'two letters long'),
});

const SENT = {
  id: 'a',
  side: 'sell',
  lots: 0,
  price: null,
  fees: { maker: 0.1 },
  legs: [['BTC', 2]],
  venue: 'AB',
};

suite('parsing values from outside', () => {
  test('a value of the right shape is returned with defaults, and without fields that have no name here', () =>
    assert.deepEqual(order({ ...SENT, more: 1 }, 'order'), { ...SENT, isTest: false }));

  const faults: [string, unknown, string][] = [
    ['null', null, 'order is not an object'],
    ['a list', [], 'order is not an object'],
    ['a number for a text', { ...SENT, id: 1 }, 'order.id is not a text'],
    ['null for an optional text', { ...SENT, note: null }, 'order.note is not a text'],
    ['an unknown word', { ...SENT, side: 'hold' }, 'order.side is none of buy, sell'],
    ['a negative count', { ...SENT, lots: -1 }, 'order.lots is not a count'],
    ['half a count', { ...SENT, lots: 0.5 }, 'order.lots is not a count'],
    ['a missing field', { ...SENT, price: undefined }, 'order.price is not a number'],
    ['infinity', { ...SENT, price: Infinity }, 'order.price is not a number'],
    ['a number for a flag', { ...SENT, isTest: 0 }, 'order.isTest is not true or false'],
    [
      'a wrong value under a free name',
      { ...SENT, fees: { maker: '0' } },
      'order.fees.maker is not a number',
    ],
    ['an object for a list', { ...SENT, legs: {} }, 'order.legs is not a list'],
    ['a short list', { ...SENT, legs: [['BTC', 1], ['ETH']] }, 'order.legs[1][1] is not a number'],
    ['a list for a checked text', { ...SENT, venue: ['A'] }, 'order.venue is not a text'],
    ['a text that is too long', { ...SENT, venue: 'ABC' }, 'order.venue is not two letters long'],
  ];
  for (const [name, value, message] of faults)
    test(`${name} is refused with the path of the field`, () => {
      assert.throws(() => order(value, 'order'), { name: 'ShapeError', message });
      assert.equal(parsedOrNull(order, value), null);
    });

  test('parsedOrNull passes on what is no fault of the shape', () => {
    const broken: Parse<string> = () => {
      throw new TypeError('broken');
    };
    assert.throws(() => parsedOrNull(broken, 1), TypeError);
  });

  test('a text that is no JSON is undefined, and what is no object has no fields', () => {
    assert.equal(jsonOf('{'), undefined);
    assert.deepEqual(jsonOf('[1]'), [1]);
    assert.deepEqual([fieldsOf(null), fieldsOf([1]), fieldsOf({ a: 1 })], [{}, {}, { a: 1 }]);
  });
});
