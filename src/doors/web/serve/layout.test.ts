import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { icon } from '../icons/ui-icons.ts';
import { EncodedHtml, flat, type HtmlValue, html } from '../markup/html.ts';
import { starButton } from '../stars/stars.ts';
import { pageBytes, renderPage } from './layout.ts';

const page = (body: HtmlValue) => ({ title: 'T', description: 'D', path: '/coins', body });
const long = (text: string) => flat(html`<p>${text.repeat(300)}</p>`);

suite('the bytes of a page', () => {
  const bodies: Record<string, HtmlValue> = {
    'of a text that needs escapes': '<b>"a" & \'b\'</b>',
    'with lists, numbers and nothing': html`<p>${[1, 'a', [null, undefined, false, true]]}−…${0}</p>`,
    'with kept parts between texts': html`<i>${long('−1.5 %')}${'<'}${long('a')}</i>${long('é')}`,
    'larger than the first buffer': html`${Array.from({ length: 900 }, (_, i) => html`<p>${i} ${'–'.repeat(200)}</p>`)}${long('end')}`,
    'that is one kept part': long('x'),
    'that is empty': '',
  };
  for (const [what, body] of Object.entries(bodies))
    test(`${what} are those of its text`, () => {
      assert.equal(pageBytes(page(body)).bytes.toString(), renderPage(page(body)));
    });

  test('have another tag for another body, and the same one for the same', () => {
    const tags = Object.values(bodies).map((body) => pageBytes(page(body)).tag);
    assert.equal(new Set(tags).size, tags.length);
    assert.deepEqual(
      Object.values(bodies).map((body) => pageBytes(page(body)).tag),
      tags,
    );
    const swapped = html`<i>${long('a')}${'<'}${long('−1.5 %')}</i>${long('é')}`;
    assert.ok(!tags.includes(pageBytes(page(swapped)).tag), 'the order of kept parts counts');
    assert.notEqual(
      pageBytes({ ...page(''), title: 'U' }).tag,
      pageBytes(page('')).tag,
      'so does what is around the body',
    );
  });

  test('have the tag of their content, whether or not its parts were met before', () => {
    const again = () => html`<b>${long('again')}</b>`;
    assert.equal(pageBytes(page(again())).tag, pageBytes(page(again())).tag);
  });

  test('have the symbols of icons and the form of stars that only kept parts use, once', () => {
    const kept = flat(
      html`<div title="${'x'.repeat(300)}">${icon('shield')}${starButton('BTC', false)}</div>`,
    );
    assert.ok(kept instanceof EncodedHtml);
    const text = pageBytes(page(html`<p>${kept}${kept}</p>`)).bytes.toString();
    assert.equal(text, renderPage(page(html`<p>${kept}${kept}</p>`)));
    for (const once of ['<symbol id="i-shield"', '<form id="stars"'])
      assert.equal(text.split(once).length, 2, once);
    // A page before it leaves nothing behind.
    assert.doesNotMatch(pageBytes(page('plain')).bytes.toString(), /i-shield|id="stars"|xxx/);
  });
});
