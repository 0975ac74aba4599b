import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { suite, test } from 'node:test';
import { OPERATIONS_DOCS, operationsDoc } from '../../../scripts/operations-doc.ts';
import { OPERATIONS } from '../registry.ts';
import { withTables } from './tables.ts';

suite('tables of operations in docs/', () => {
  for (const file of OPERATIONS_DOCS) {
    test(`${basename(file)} has the tables that the operations give: npm run docs:operations writes them`, () => {
      const text = readFileSync(file, 'utf8');
      assert.match(text, /<!-- operations:\w+/);
      assert.ok(
        text === operationsDoc(file),
        `docs/${basename(file)} is out of date; run: npm run docs:operations`,
      );
      assert.notEqual(operationsDoc(file, OPERATIONS.slice(1)), text, 'it depends on the operations');
    });
  }

  test('only what is between markers changes', () => {
    const made = withTables(
      'before\n\n<!-- operations:tools -->\nold\n<!-- end of operations:tools -->\n\nafter',
      [],
    );
    assert.match(made, /^before\n\n<!-- operations:tools -->\n\n\| Tool +\| What it answers \|\n/);
    assert.match(made, /\n\n<!-- end of operations:tools -->\n\nafter$/);
    assert.doesNotMatch(made, /old/);
  });

  test('an unknown table is an error', () => {
    assert.throws(
      () => withTables('<!-- operations:nothing -->\n<!-- end of operations:nothing -->', []),
      /no table of operations called nothing/,
    );
  });
});
