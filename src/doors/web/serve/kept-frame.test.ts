import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { html } from '../markup/html.ts';
import { readPreferences } from '../preferences/preferences.ts';
import { footer } from './footer.ts';
import { EMPTY_FRAME, type Frame } from './frame.ts';
import { aroundContent } from './kept-frame.ts';
import { tabBar, topBar } from './top-bar.ts';

suite('the kept frame of a page', () => {
  const address = '/coins?q="><b>&page=2';
  const dark = readPreferences((name) => (name === 'theme' ? 'dark' : null));
  const frames: Record<string, Frame> = {
    visitor: { ...EMPTY_FRAME, address },
    'visitor with settings': { ...EMPTY_FRAME, preferences: dark, address },
    'signed-in user': { ...EMPTY_FRAME, signedInAs: 'a@example.com', address },
    'another user': { ...EMPTY_FRAME, signedInAs: '<b>@example.com', address },
    'user with a token': { ...EMPTY_FRAME, signedInAs: 'a@example.com', csrf: 't0', address },
  };
  for (const [who, frame] of Object.entries(frames))
    for (const twin of [null, '/coins.md?q=">'])
      test(`of a ${who}, ${twin === null ? 'without' : 'with'} a twin, is the frame as it is made`, () => {
        // The second time it comes from what was kept, with another address.
        for (const at of [frame, { ...frame, address: '/coins' }]) {
          const { before, after } = aroundContent('/coins', at, twin);
          assert.equal(before.markup, topBar('/coins', at).markup);
          assert.equal(after.markup, html`${footer(twin, at)}\n${tabBar('/coins')}`.markup);
        }
      });

  test('marks the section of the page', () => {
    for (const path of ['/funding', '/spreads'])
      assert.match(
        aroundContent(path, EMPTY_FRAME, null).before.markup,
        new RegExp(`href="${path}" aria-current="page"`),
      );
  });
});
