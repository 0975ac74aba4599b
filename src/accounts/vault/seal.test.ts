import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { seal, sealedWith, unseal } from './seal.ts';
import { secretKeyOf } from './secret-keys.ts';

suite('sealed secrets', () => {
  const key = secretKeyOf('a key of at least thirty-two characters');
  const other = secretKeyOf('another key of at least thirty-two characters');
  const sealed = seal(key, 'cookies', 'the secret');

  test('names version and key, and does not contain the secret', () => {
    assert.match(sealed, new RegExp(`^v1\\.${key.id}\\.`));
    assert.equal(sealedWith(sealed), key.id);
    assert.doesNotMatch(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').toString('latin1'), /secret/);
    assert.notEqual(seal(key, 'cookies', 'the secret'), sealed, 'a nonce of its own each time');
  });

  test('is read with its key wherever it is in the list', () => {
    assert.equal(unseal([other, key], 'cookies', sealed, 'SECRET_KEY'), 'the secret');
  });

  test('a wrong key: one sentence that says what to set', () => {
    assert.throws(() => unseal([other], 'cookies', sealed, 'SECRET_KEY'), {
      name: 'Error',
      message: new RegExp(`key ${key.id}, which SECRET_KEY does not have; set SECRET_KEY or SECRET_KEY_FILE`),
    });
  });

  test('the secret of another name is refused', () => {
    assert.throws(() => unseal([key], 'oauth-cookies', sealed, 'SECRET_KEY'), /oauth-cookies is damaged/);
  });

  test('one flipped bit anywhere is noticed', () => {
    const [version, id, body = ''] = sealed.split('.');
    const bytes = Buffer.from(body, 'base64url');
    for (let i = 0; i < bytes.length; i++) {
      const flipped = Buffer.from(bytes);
      flipped[i] = (flipped[i] ?? 0) ^ 1;
      const changed = `${version}.${id}.${flipped.toString('base64url')}`;
      assert.throws(() => unseal([key], 'cookies', changed, 'SECRET_KEY'), /is damaged/, `byte ${i}`);
    }
  });

  test('a truncated value is noticed', () => {
    assert.throws(() => unseal([key], 'cookies', sealed.slice(0, 30), 'SECRET_KEY'), /is damaged/);
  });

  test('a plain value of an older version is not sealed', () => {
    assert.equal(sealedWith('a1b2c3'.repeat(8)), null);
    assert.equal(sealedWith('{"keys":[]}'), null);
  });
});
