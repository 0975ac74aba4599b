import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { funding } from '../src/operations/funding.ts';

test('the row of /funding in README.md has the fields of a real one, in their order', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const [, row = ''] = /```json\n(.*?)```/s.exec(readme) ?? [];
  const [example = {}] = funding.example as readonly object[];
  assert.deepEqual(Object.keys(JSON.parse(row)), Object.keys(example));
});
