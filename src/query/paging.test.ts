import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { Problem } from '../base/problems.ts';
import { textHash } from '../base/text-hash.ts';
import { coins, text } from './kinds.ts';
import { type Cursor, decodeCursor, encodeCursor, fieldsParameter, questionOf } from './paging.ts';
import { readParameters } from './parameter.ts';

const ASKED = { operation: 'funding', delaySeconds: 0, question: questionOf({ coin: ['BTC'] }, 'rate_desc') };
const CURSOR: Cursor = { ...ASKED, asOfMs: Date.UTC(2026, 10, 14), position: 100 };

/** Somebody who has read this code and computes the check characters himself. */
function forged(text: string): string {
  const check = textHash(text, textHash('perpwire cursor')).toString(16).padStart(8, '0');
  return `${check}.${text}`;
}

const refusal = (why: RegExp) => (error: unknown) =>
  error instanceof Problem &&
  error.code === 'invalid-parameter' &&
  error.detail.startsWith('"cursor" ') &&
  why.test(error.detail);

suite('cursors', () => {
  test('come back as they were', () => {
    assert.deepEqual(decodeCursor(encodeCursor(CURSOR), ASKED), CURSOR);
  });

  test('every change of one character is refused', () => {
    const good = encodeCursor(CURSOR);
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.string({ maxLength: 2, unit: 'binary' }), (at, changed) => {
        const altered = good.slice(0, at) + changed + good.slice(at + 1);
        fc.pre(altered !== good);
        assert.throws(() => decodeCursor(altered, ASKED), refusal(/not one that this service gave/));
      }),
      { numRuns: 2_000 },
    );
  });

  test('any other text is refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.throws(() => decodeCursor(text, ASKED), refusal(/not one that this service gave/));
      }),
    );
  });

  for (const [what, text] of Object.entries({
    'nothing in it': '',
    'too little': 'funding',
    'too much': `funding.1.0.${ASKED.question}.1.1`,
    'a negative position': `funding.1.0.${ASKED.question}.-1`,
    'a broken position': `funding.1.0.${ASKED.question}.1,5`,
    'no position': `funding.1.0.${ASKED.question}.`,
    'a position in other letters': `funding.1.0.${ASKED.question}.2S`,
    'a position beyond all integers': `funding.1.0.${ASKED.question}.${'z'.repeat(20)}`,
    'a time that is no number': `funding.!.0.${ASKED.question}.1`,
  })) {
    test(`a forged one with ${what} is refused`, () => {
      assert.throws(
        () => decodeCursor(forged(text), ASKED),
        refusal(/not one that this service gave; start again/),
      );
    });
  }

  test('of another endpoint are refused', () => {
    assert.throws(
      () => decodeCursor(encodeCursor({ ...CURSOR, operation: 'coins' }), ASKED),
      refusal(/another endpoint/),
    );
  });

  test('of other filters are refused', () => {
    const question = questionOf({ coin: ['ETH'] }, 'rate_desc');
    assert.throws(() => decodeCursor(encodeCursor({ ...CURSOR, question }), ASKED), refusal(/other filters/));
  });

  test('of a plan with another delay are refused', () => {
    assert.throws(
      () => decodeCursor(encodeCursor({ ...CURSOR, delaySeconds: 900 }), ASKED),
      refusal(/another plan/),
    );
  });
});

suite('questionOf', () => {
  test('is the same in whatever order the filters were sent', () => {
    const parameters = { coin: coins('coin', ''), sort: text('sort', 10, '') };
    const asked = (...sent: [string, string[]][]) =>
      questionOf(readParameters(parameters, new Map(sent)), 'rate_desc');
    assert.equal(asked(['coin', ['BTC']], ['sort', ['rate']]), asked(['sort', ['rate']], ['coin', ['BTC']]));
  });

  test('leaves out what may differ from page to page', () => {
    assert.equal(
      questionOf({ coin: ['BTC'] }, 'rate_desc'),
      questionOf({ coin: ['BTC'], limit: 5, cursor: 'x', fields: ['coin'] }, 'rate_desc'),
    );
  });

  test('tells a value that is called like a filter from that filter', () => {
    assert.notEqual(
      questionOf({ coin: ['BTC'], exchange: ['OKX'] }, 'rate_desc'),
      questionOf({ coin: ['BTC', 'exchange', 'OKX'] }, 'rate_desc'),
    );
  });

  for (const other of [{ coin: ['ETH'] }, { coin: ['BTC'], exchange: ['OKX'] }, { exchange: ['BTC'] }, {}]) {
    test(`tells ${JSON.stringify(other)} apart`, () => {
      assert.notEqual(questionOf({ coin: ['BTC'] }, 'rate_desc'), questionOf(other, 'rate_desc'));
    });
  }
});

suite('the sort of a question', () => {
  test('is part of it', () =>
    assert.notEqual(questionOf({ coin: ['BTC'] }, 'rate_asc'), questionOf({ coin: ['BTC'] }, 'rate_desc')));
  test('is the same whether it was written out or not', () =>
    assert.equal(
      questionOf({ coin: ['BTC'] }, 'rate_asc'),
      questionOf({ sort: 'rate_asc', coin: ['BTC'] }, 'rate_asc'),
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
