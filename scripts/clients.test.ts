import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { type AnyOperation, isStreamed } from '../src/operations/operation.ts';
import { OPERATIONS } from '../src/operations/registry.ts';
import { placeOf } from './clients/client-endpoints.ts';
import { pythonClient } from './clients/python-client.ts';
import { typescriptClient } from './clients/typescript-client.ts';
import { clientFiles } from './clients.ts';

suite('generated clients', () => {
  for (const [file, text] of clientFiles()) {
    test(`${file.split('/clients/')[1]} is what \`npm run clients\` writes`, () => {
      assert.equal(readFileSync(file, 'utf8'), text, 'run `npm run clients` and commit the result');
    });
  }

  for (const language of ['python', 'typescript'])
    test(`the README of the ${language} client has every method with its endpoint`, () => {
      const text = readFileSync(join(import.meta.dirname, '..', 'clients', language, 'README.md'), 'utf8');
      const listed = text.matchAll(/^\| (`.+`) +\| `(\/.+)` +\|$/gm).map(([, methods = '', path = '']) => {
        const names = methods.matchAll(/`([\w.]+)[^`]*`/g).map(([, name = '']) => name);
        const [first = '', ...others] = names;
        const place = first.slice(0, first.lastIndexOf('.'));
        return [path, [first, ...others.map((name) => `${place}${name}`)]] as const;
      });
      const methodsOf = (operation: AnyOperation) => {
        const place = placeOf(operation).join('.');
        if (operation.rows === undefined) return [place];
        return [`${place}.list`, `${place}.all`, ...(isStreamed(operation) ? [`${place}.stream`] : [])];
      };
      assert.deepEqual(
        Object.fromEntries(listed),
        Object.fromEntries(OPERATIONS.map((operation) => [operation.path, methodsOf(operation)])),
      );
    });

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
