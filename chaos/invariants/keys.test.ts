import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { KeyBook } from './keys.ts';

suite('keys', () => {
  const key = { keyId: 'key_1', text: 'secret' };

  test('a created key that is refused is lost; a spent window is no loss', () => {
    const book = new KeyBook();
    book.created(key);
    assert.deepEqual(
      [200, 429].flatMap((status) => book.violations(key, status)),
      [],
    );
    assert.match(book.violations(key, 401).join(), /lost key: key_1/);
  });

  test('a revoked key that is answered has lost its revocation', () => {
    const book = new KeyBook();
    book.created(key);
    book.withdraw(key);
    assert.deepEqual(
      [200, 401].flatMap((status) => book.violations(key, status)),
      [],
      'not confirmed yet',
    );
    book.confirmRevoked(key);
    assert.deepEqual(book.violations(key, 401), []);
    for (const status of [200, 429]) assert.match(book.violations(key, status).join(), /lost revocation/);
  });
});
