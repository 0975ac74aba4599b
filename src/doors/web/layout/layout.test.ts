import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type HtmlValue, html } from '../markup/html.ts';
import { icon } from '../markup/icons/ui-icons.ts';
import { type PageOptions, renderPage } from './layout.ts';
import { readPreferences } from './preferences/preferences.ts';
import { starButton } from './stars/stars.ts';
import { ANONYMOUS } from './viewer.ts';

const page = (body: HtmlValue, more: Partial<PageOptions> = {}) =>
  renderPage({ title: 'T', description: 'D', path: '/coins', body, ...more });

suite('the layout of a page', () => {
  test('texts are escaped, also those of lists; nothing stands for null and booleans', () => {
    const text = page(html`<p>${['<b>', [null, undefined, false, true]]}${'"a" & \'b\''}${0}</p>`);
    assert.ok(text.includes('\n<p>&lt;b&gt;&quot;a&quot; &amp; &#39;b&#39;0</p>\n'), text);
  });

  test('has the symbols of icons and the form of stars that its body uses, once', () => {
    const part = html`<div>${icon('shield')}${starButton('BTC', false)}</div>`;
    const text = page(html`${part}${part}`);
    for (const once of ['<symbol id="i-shield"', '<form id="stars"'])
      assert.equal(text.split(once).length, 2, once);
    assert.doesNotMatch(page('plain'), /i-shield|id="stars"/);
  });

  test('its forms return to the address of the page, escaped, with the reader’s settings', () => {
    const preferences = readPreferences((name) => (name === 'theme' ? 'dark' : null));
    const address = '/coins?q="><b>&page=2';
    const text = page('', {
      markdownPath: '/coins.md?q=">',
      viewer: { ...ANONYMOUS, signedInAs: '<b>@example.com', preferences, address },
    });
    assert.equal(
      text.split('name="back" value="/coins?q=&quot;&gt;&lt;b&gt;&amp;page=2"').length,
      3,
      'theme button and settings',
    );
    assert.match(text, /<html lang="en" data-theme="dark"/);
    assert.match(text, /&lt;b&gt;@example\.com/);
    assert.match(text, /<a href="\/coins\.md\?q=&quot;&gt;">This page as Markdown/);
  });

  test('marks the section of the page', () => {
    for (const path of ['/funding', '/spreads'])
      assert.match(page('', { path }), new RegExp(`href="${path}" aria-current="page"`));
  });
});
