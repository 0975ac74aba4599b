import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const MAX_LENGTH = 160;
const FOLDER = join(import.meta.dirname, '..');
/** A line with one quoted text, such as a paragraph or the path of an icon. */
const QUOTED = /^\s*(?:'\w+': )?[^'"`]*(?:'[^']*'|"[^"]*")[,;)\]]*$/;

test('no line of a template is longer than 160 characters: the formatter does not break them', () => {
  const long = globSync('**/*.ts', { cwd: FOLDER }).flatMap((file) =>
    readFileSync(join(FOLDER, file), 'utf8')
      .split('\n')
      .flatMap((line, i) =>
        line.length > MAX_LENGTH && !QUOTED.test(line) ? [`${file}:${i + 1} has ${line.length}`] : [],
      ),
  );
  assert.deepEqual(long, []);
});
