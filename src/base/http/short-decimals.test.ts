import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { unquoteShortDecimals } from './short-decimals.ts';

const parsed = (text: string): unknown => {
  const bytes = Buffer.from(text);
  unquoteShortDecimals(bytes);
  return JSON.parse(bytes.toString('utf8'));
};

suite('short decimals in JSON', () => {
  test('become numbers as values of fields, in lists, and negative', () => {
    assert.deepEqual(parsed('{"a":"0.0123","b":["-1.5","62000.5"],"c":{"d":"0.0"}}'), {
      a: 0.0123,
      b: [-1.5, 62000.5],
      c: { d: 0 },
    });
  });

  test('so does a whole number at the end of an array, after a decimal of any length: the size of a level', () => {
    assert.deepEqual(parsed('[["0.0000097524","0"],["0.0123","1500"],["1.5","2.5","7"]]'), [
      ['0.0000097524', 0],
      [0.0123, 1500],
      [1.5, 2.5, 7],
    ]);
  });

  const UNCHANGED: readonly (readonly [what: string, json: string])[] = [
    ['a text of ten characters', '["12345.6789"]'],
    ['a whole number, which may be a name', '["4","1000"]'],
    ['a whole number of ten characters after a decimal', '["0.0000097524","1234567890"]'],
    ['a whole number with a leading zero after a decimal', '["0.0000097524","007"]'],
    ['a whole number after a decimal that is not the last', '["0.0000097524","15","x"]'],
    ['a whole number after a decimal in another array', '[["0.0000097524"],"15"]'],
    ['a field that is named by a whole number, after a decimal', '{"a":"0.0000097524","15":[]}'],
    ['the name of a field', '{"1.5":1}'],
    ['a decimal inside a longer text', '["1.5 USDT","v1.5","1.5.2"]'],
    ['quoted words inside a text', String.raw`["say \"1.5\", or [\"2.5\"]"]`],
    ['a text that ends with a comma, before a decimal', String.raw`{"a":"x,","b":"x:","c":"\\"}`],
    ['a number with a leading zero', '["00.5","01.5"]'],
    ['a number without digits before or after the point', '[".5","5.","-.5","-"]'],
    ['an exponent', '["1.5e3"]'],
    ['an empty text', '["",""]'],
    ['letters beyond ASCII', '["é1.5","1.5é"]'],
  ];
  for (const [what, json] of UNCHANGED)
    test(`${what} stays as it is`, () => assert.deepEqual(parsed(json), JSON.parse(json)));

  test('a text that breaks off, or is no JSON, stays within its bytes', () => {
    for (const json of ['["1.5', '["1.5"', '"1.5"', '"', '', ',"1', 'pong', '["1.'])
      assert.doesNotThrow(() => unquoteShortDecimals(Buffer.from(json)), json);
  });

  test('of any JSON nothing but short decimals and sizes of levels changes', () => {
    const decimal = fc
      .tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.stringMatching(/^\d{1,9}$/))
      .map(([whole, digits]) => `${whole}.${digits}`);
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        fc.string(),
        fc.string({ unit: fc.constantFrom('"', '\\', ',', ':', '[', ']', '{', '}', '1', '.', '-', ' ') }),
        decimal,
        fc.stringMatching(/^\d{1,10}$/),
        fc.tuple(decimal, fc.stringMatching(/^\d{1,10}$/)),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(fc.string(), decimal), tie('value'), { maxKeys: 4 }),
      ),
    }));
    const isDecimal = (text: string) => /^-?(?:0|[1-9]\d*)\.\d+$/.test(text);
    const isShort = (text: string) => text.length <= 9 && isDecimal(text);
    const isSize = (text: unknown, list: unknown[], place: number) =>
      typeof text === 'string' &&
      /^(?:0|[1-9]\d{0,8})$/.test(text) &&
      place === list.length - 1 &&
      typeof list[place - 1] === 'string' &&
      isDecimal(list[place - 1] as string);
    const expected = (one: unknown): unknown => {
      if (typeof one === 'string') return isShort(one) ? Number(one) : one;
      if (Array.isArray(one))
        return one.map((item, place) => (isSize(item, one, place) ? Number(item) : expected(item)));
      if (typeof one !== 'object' || one === null) return one;
      return Object.fromEntries(Object.entries(one).map(([name, field]) => [name, expected(field)]));
    };
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), (list) => {
        const plain: unknown = JSON.parse(JSON.stringify(list));
        assert.deepEqual(parsed(JSON.stringify(list)), expected(plain));
      }),
    );
  });
});
