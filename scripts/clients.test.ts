import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { OPERATIONS } from '../src/operations/registry.ts';
import { clientFiles } from './clients.ts';
import { typescriptClient } from './typescript-client.ts';

suite('generated clients', () => {
  for (const [file, text] of clientFiles()) {
    test(`${file.split('/clients/')[1]} is what \`npm run clients\` writes`, () => {
      assert.equal(readFileSync(file, 'utf8'), text, 'run `npm run clients` and commit the result');
    });
  }

  test('an operation that changes changes the TypeScript client', () => {
    const whole = typescriptClient(OPERATIONS);
    const [first, ...others] = OPERATIONS;
    assert.ok(first);
    assert.notEqual(typescriptClient([{ ...first, operationId: 'listOther' }, ...others]), whole);
    assert.notEqual(typescriptClient([{ ...first, path: '/other' }, ...others]), whole);
  });
});
