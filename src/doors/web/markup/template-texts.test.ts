import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from './html.ts';

test('a line break before an indented line is nothing beside a tag or a value', () => {
  const row = html`<tr>
    <td>${1}</td>
    ${html`<td>2</td>`}
  </tr>`;
  assert.equal(row.markup, '<tr><td>1</td><td>2</td></tr>');
});

test('it is a space between words and between attributes', () => {
  const link = html`<a class="lnk"
    href="/">One idea
    a sentence</a>`;
  assert.equal(link.markup, '<a class="lnk" href="/">One idea a sentence</a>');
});

test('a line break before a line at the margin stays, and so does one in a value', () => {
  const text = 'a\n  b';
  assert.equal(
    html`<p>${text}</p>
<p></p>`.markup,
    '<p>a\n  b</p>\n<p></p>',
  );
});
