import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { anyText } from '../../test/support/any-text.ts';
import { Problem } from '../base/problems.ts';
import { coins, text } from './kinds.ts';
import { type Cursor, decodeCursor, encodeCursor, fieldsParameter, queryChecksum } from './paging.ts';
import { readParameters } from './parameter.ts';

const WANTED = {
  operation: 'funding',
  delaySeconds: 0,
  query: queryChecksum({ coin: ['BTC'] }, 'rate_desc'),
};
const CURSOR: Cursor = { ...WANTED, asOfMs: Date.UTC(2026, 10, 14), position: 100 };

/** A cursor with a correct checksum, as an attacker who has read this code can make it. */
function forged(text: string): string {
  const check = crc32(`perpwire cursor ${text}`).toString(16).padStart(8, '0');
  return `${check}.${text}`;
}

const refusal = (why: RegExp) => (error: unknown) =>
  error instanceof Problem &&
  error.code === 'invalid-parameter' &&
  error.detail.startsWith('"cursor" ') &&
  why.test(error.detail);

suite('cursors', () => {
  test('decode to what was encoded', () => {
    assert.deepEqual(decodeCursor(encodeCursor(CURSOR), WANTED), CURSOR);
  });

  test('every change of one character is refused', () => {
    const good = encodeCursor(CURSOR);
    fc.assert(
      fc.property(fc.nat(good.length - 1), anyText({ maxLength: 2 }), (at, changed) => {
        const altered = good.slice(0, at) + changed + good.slice(at + 1);
        fc.pre(altered !== good);
        assert.throws(() => decodeCursor(altered, WANTED), refusal(/not one that this service gave/));
      }),
      { numRuns: 2_000 },
    );
  });

  test('any other text is refused', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        assert.throws(() => decodeCursor(text, WANTED), refusal(/not one that this service gave/));
      }),
    );
  });

  for (const [what, text] of Object.entries({
    'nothing in it': '',
    'too little': 'funding',
    'too much': `funding.1.0.${WANTED.query}.1.1`,
    'a negative position': `funding.1.0.${WANTED.query}.-1`,
    'a broken position': `funding.1.0.${WANTED.query}.1,5`,
    'no position': `funding.1.0.${WANTED.query}.`,
    'a position in other letters': `funding.1.0.${WANTED.query}.2S`,
    'a position beyond all integers': `funding.1.0.${WANTED.query}.${'z'.repeat(20)}`,
    'a time that is no number': `funding.!.0.${WANTED.query}.1`,
  })) {
    test(`a forged one with ${what} is refused`, () => {
      assert.throws(
        () => decodeCursor(forged(text), WANTED),
        refusal(/not one that this service gave; start again/),
      );
    });
  }

  test('of another endpoint are refused', () => {
    assert.throws(
      () => decodeCursor(encodeCursor({ ...CURSOR, operation: 'coins' }), WANTED),
      refusal(/another endpoint/),
    );
  });

  test('of other filters are refused', () => {
    const query = queryChecksum({ coin: ['ETH'] }, 'rate_desc');
    assert.throws(() => decodeCursor(encodeCursor({ ...CURSOR, query }), WANTED), refusal(/other filters/));
  });

  test('of a plan with another delay are refused', () => {
    assert.throws(
      () => decodeCursor(encodeCursor({ ...CURSOR, delaySeconds: 900 }), WANTED),
      refusal(/another plan/),
    );
  });
});

suite('queryChecksum', () => {
  test('is the same in whatever order the filters were sent', () => {
    const parameters = { coin: coins('coin', ''), sort: text('sort', 10, '') };
    const checksum = (...sent: [string, string[]][]) =>
      queryChecksum(readParameters(parameters, new Map(sent)), 'rate_desc');
    assert.equal(
      checksum(['coin', ['BTC']], ['sort', ['rate']]),
      checksum(['sort', ['rate']], ['coin', ['BTC']]),
    );
  });

  test('leaves out what may differ from page to page', () => {
    assert.equal(
      queryChecksum({ coin: ['BTC'] }, 'rate_desc'),
      queryChecksum({ coin: ['BTC'], limit: 5, cursor: 'x', fields: ['coin'] }, 'rate_desc'),
    );
  });

  test('distinguishes a value named like a filter from that filter', () => {
    assert.notEqual(
      queryChecksum({ coin: ['BTC'], exchange: ['OKX'] }, 'rate_desc'),
      queryChecksum({ coin: ['BTC', 'exchange', 'OKX'] }, 'rate_desc'),
    );
  });

  for (const other of [{ coin: ['ETH'] }, { coin: ['BTC'], exchange: ['OKX'] }, { exchange: ['BTC'] }, {}]) {
    test(`differs for ${JSON.stringify(other)}`, () => {
      assert.notEqual(queryChecksum({ coin: ['BTC'] }, 'rate_desc'), queryChecksum(other, 'rate_desc'));
    });
  }
});

suite('the sort of a query', () => {
  test('is part of it', () =>
    assert.notEqual(
      queryChecksum({ coin: ['BTC'] }, 'rate_asc'),
      queryChecksum({ coin: ['BTC'] }, 'rate_desc'),
    ));
  test('is the same whether it was written out or not', () =>
    assert.equal(
      queryChecksum({ coin: ['BTC'] }, 'rate_asc'),
      queryChecksum({ sort: 'rate_asc', coin: ['BTC'] }, 'rate_asc'),
    ));
});

suite('fields', () => {
  const column = (name: string) => ({ name, type: 'text' as const, nullable: false, description: '' });
  const fields = fieldsParameter({ name: 'rows', columns: ['coin', 'exchange', 'symbol'].map(column) });

  test('takes any of the row’s, with blanks around', () => {
    assert.deepEqual(fields.parse('symbol, coin'), ['symbol', 'coin']);
  });

  for (const unknown of ['price', '', 'Coin', '__proto__', 'constructor']) {
    test(`refuses "${unknown}" and lists what there is`, () => {
      assert.throws(
        () => fields.parse(`coin,${unknown}`),
        (error) => error instanceof Problem && /"fields" .*coin, exchange, symbol/.test(error.detail),
      );
    });
  }
});
