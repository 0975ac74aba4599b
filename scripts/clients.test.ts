import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { OPERATIONS } from '../src/operations/registry.ts';
import { pythonClient } from './clients/python-client.ts';
import { typescriptClient } from './clients/typescript-client.ts';
import { clientFiles } from './clients.ts';

suite('generated clients', () => {
  for (const [file, text] of clientFiles()) {
    test(`${file.split('/clients/')[1]} is what \`npm run clients\` writes`, () => {
      assert.equal(readFileSync(file, 'utf8'), text, 'run `npm run clients` and commit the result');
    });
  }

  for (const [language, client] of [
    ['TypeScript', typescriptClient],
    ['Python', pythonClient],
  ] as const) {
    test(`an operation that changes changes the ${language} client`, () => {
      const whole = client(OPERATIONS);
      const [first, ...others] = OPERATIONS;
      assert.ok(first);
      assert.notDeepEqual(client([{ ...first, operationId: 'listOther' }, ...others]), whole);
      assert.notDeepEqual(client([{ ...first, path: '/other' }, ...others]), whole);
      assert.notDeepEqual(client([{ ...first, parameters: {} }, ...others]), whole);
    });
  }
});
