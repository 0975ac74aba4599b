import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import { ManualClock } from '../../base/clock.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { BadReply } from '../reading.ts';
import { ContractBook } from './contract-book.ts';

const listOf = (part: string, count: number, prefix = part) => ({
  part,
  contracts: Array.from({ length: count }, (_, i) => fakeContract(`${prefix}${i}`)),
});

function bookWith(count: number) {
  const clock = new ManualClock(Date.UTC(2026, 10, 14));
  const book = new ContractBook(clock);
  book.replace(listOf('linear', count));
  return { clock, book };
}

suite('contract book', () => {
  test('a list replaces the previous list of its part and leaves other parts unchanged', () => {
    const { book } = bookWith(4);
    book.replace(listOf('inverse', 2));
    book.replace(listOf('linear', 3, 'new'));
    assert.deepEqual([...book.contracts.keys()], ['new0', 'new1', 'new2', 'inverse0', 'inverse1']);
  });

  test('an empty list is rejected however often it comes, and no contract is lost', () => {
    const { book, clock } = bookWith(10);
    for (let hour = 0; hour < 3; hour++) {
      assert.throws(
        () => book.replace(listOf('linear', 0)),
        new BadReply('the linear list is empty, it had 10'),
      );
      clock.advanceMs(60 * MINUTE_MS);
    }
    assert.equal(book.contracts.size, 10);
  });

  test('an empty first list is accepted: the venue may not have that part yet', () => {
    const book = new ContractBook(new ManualClock(0));
    book.replace(listOf('linear', 0));
    assert.equal(book.contracts.size, 0);
  });

  test('a list under half of the last one is rejected at first, and accepted if it persists for 30 minutes', () => {
    const { book, clock } = bookWith(10);
    const short = listOf('linear', 4);
    assert.throws(() => book.replace(short), /has 4 contracts, it had 10/);
    clock.advanceMs(29 * MINUTE_MS);
    assert.throws(() => book.replace(short), BadReply);
    assert.equal(book.contracts.size, 10);
    clock.advanceMs(MINUTE_MS);
    book.replace(short);
    assert.equal(book.contracts.size, 4);
  });

  test('a full list in between restarts the 30 minutes', () => {
    const { book, clock } = bookWith(10);
    assert.throws(() => book.replace(listOf('linear', 4)), BadReply);
    clock.advanceMs(29 * MINUTE_MS);
    book.replace(listOf('linear', 10));
    clock.advanceMs(5 * MINUTE_MS);
    assert.throws(() => book.replace(listOf('linear', 4)), BadReply);
  });

  for (const left of [5, 7])
    test(`a list of ${left} after one of 10 is held until two more lists confirm it`, () => {
      const { book } = bookWith(10);
      for (const lists of [1, 2]) {
        const used = book.replace(listOf('linear', left));
        assert.equal(used.contracts.length, 10, `after ${lists}`);
        assert.equal(book.contracts.size, 10);
      }
      assert.equal(book.replace(listOf('linear', left)).contracts.length, left);
      assert.equal(book.contracts.size, left);
    });

  test('a list of 8 after one of 10 is accepted at once', () => {
    const { book } = bookWith(10);
    assert.equal(book.replace(listOf('linear', 8)).contracts.length, 8);
  });

  test('lists that lack different contracts confirm nothing', () => {
    const { book } = bookWith(10);
    const { contracts } = listOf('linear', 10);
    for (let i = 0; i < 6; i++) {
      const some = contracts.filter((_, place) => place % 2 === i % 2);
      book.replace({ part: 'linear', contracts: some });
      assert.equal(book.contracts.size, 10);
    }
  });

  test('contracts whose end the last list announced are not missed', () => {
    const clock = new ManualClock(Date.UTC(2026, 10, 14));
    const book = new ContractBook(clock);
    const ending = listOf('linear', 10);
    for (const contract of ending.contracts.slice(4)) contract.status = 'delisting';
    book.replace(ending);
    book.replace(listOf('linear', 4));
    assert.equal(book.contracts.size, 4);
  });

  test('the map stays the same object, because streams and parsers hold it', () => {
    const { book } = bookWith(2);
    const held = book.contracts;
    book.replace(listOf('linear', 3));
    assert.equal(held.size, 3);
  });
});
