import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sectionOf } from './sections.ts';

const TEXT = `# Title

## First

one

### Inner part

two

\`\`\`sh
## not a heading
\`\`\`

## Second \`code\`

three
`;

suite('sections of a document', () => {
  test('a section has its heading and everything down to the next heading of its level', () => {
    assert.equal(
      sectionOf(TEXT, 'first'),
      '## First\n\none\n\n### Inner part\n\ntwo\n\n```sh\n## not a heading\n```\n',
    );
  });

  test('an inner section ends at the next heading of a higher level', () => {
    assert.equal(sectionOf(TEXT, 'inner-part'), '### Inner part\n\ntwo\n\n```sh\n## not a heading\n```\n');
  });

  test('the last section ends with the document', () => {
    assert.equal(sectionOf(TEXT, 'second-code'), '## Second `code`\n\nthree\n');
  });

  test('a heading inside a code block is no section', () =>
    assert.equal(sectionOf(TEXT, 'not-a-heading'), null));
  test('an unknown id is no section', () => assert.equal(sectionOf(TEXT, 'third'), null));
  test('an empty id is no section', () => assert.equal(sectionOf(TEXT, ''), null));
});
