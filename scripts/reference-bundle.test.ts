import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { REFERENCE_BUNDLE } from '../src/doors/web/pages/texts/reference.ts';
import { packagedBundle } from './reference-bundle.ts';

suite('the bundle of the interactive reference', () => {
  test('it is the file of the locked package', () => {
    const stored = brotliDecompressSync(readFileSync(REFERENCE_BUNDLE));
    assert.ok(stored.equals(packagedBundle()), 'run `npm run reference` and commit the result');
  });
});
