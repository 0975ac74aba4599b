import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { SETTINGS } from '../src/settings.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

suite('security documents', () => {
  const model = read('docs/security.md');
  const rows = model.split('\n').filter((line) => line.startsWith('| ') && line.includes(' → '));
  const brackets = model.split('\n').filter((line) => line.startsWith('| Browser ← '));

  test('every boundary names a guard and tests that exist', () => {
    assert.ok(rows.length >= 20, 'the table was found');
    for (const row of [...rows, ...brackets]) {
      const [boundary = '', threat, guard, tests = ''] = row
        .split('|')
        .slice(1)
        .map((cell) => cell.trim());
      assert.ok(threat && guard, boundary);
      const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? '');
      assert.ok(files.length > 0, `${boundary}: no test`);
      for (const file of files) assert.ok(file.endsWith('.test.ts') && existsSync(join(ROOT, file)), file);
    }
  });

  test('every test of attacks is named', () => {
    for (const name of ['page-views', 'stored-secrets', 'operators', 'sign-up-flood', 'password-guessing'])
      assert.ok(model.includes(`test/security/${name}.test.ts`), name);
  });

  for (const file of ['docs/security.md', 'docs/incidents.md', 'SECURITY.md'])
    test(`${file}: links lead to files, and settings exist`, () => {
      const text = read(file);
      for (const [, link = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g))
        assert.ok(existsSync(join(ROOT, file, '..', link)), `${file} links to ${link}`);
      const known = new Set(['POSTGRES_PASSWORD', ...Object.values(SETTINGS).map(({ name }) => name)]);
      for (const [, name = ''] of text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)[`=]/g))
        if (name !== 'DATA_DIR') assert.ok(known.has(name), `${file}: ${name} is no setting`);
    });
});
