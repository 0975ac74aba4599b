import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../support/browser.ts';
import { approvedBytes, approvedNames, browserOfPictures, compare, TOLERANCE } from './looks/approved.ts';
import { LooksSite, nameOfLook, PICTURE_PAGES, SCHEMES, SIZES } from './looks/site.ts';

const browser = await startBrowser();
/** Another version may draw text differently, so that every picture would differ. */
const isOther = (version: string) => version !== browserOfPictures();
const skip =
  typeof browser === 'string'
    ? browser
    : isOther(browser.version()) &&
      `the pictures were approved with Chromium ${browserOfPictures()}, and this is ${browser.version()}`;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

const MOST_BYTES = 3_000_000;
const SIZE_NAMES = Object.keys(SIZES) as (keyof typeof SIZES)[];

test('each page has four approved pictures, and together they are small', () => {
  const wanted = PICTURE_PAGES.flatMap((page) =>
    SIZE_NAMES.flatMap((size) => SCHEMES.map((scheme) => nameOfLook({ page, size, scheme }))),
  );
  assert.deepEqual(approvedNames().toSorted(), wanted.toSorted());
  assert.ok(approvedBytes() < MOST_BYTES, `${approvedBytes()} bytes`);
});

suite('pages look as approved', { skip }, () => {
  let site: LooksSite;
  before(async () => {
    site = await LooksSite.start(browser as Browser);
  });
  after(() => site.stop());

  for (const page of PICTURE_PAGES)
    for (const size of SIZE_NAMES) {
      test(`${page}, ${SIZES[size].width} pixels wide, light and dark`, async () => {
        const pictures = await site.take(page, size);
        for (const scheme of SCHEMES) {
          const share = compare({ page, size, scheme }, pictures[scheme]);
          assert.ok(
            share <= TOLERANCE,
            `${scheme}: ${(share * 100).toFixed(2)} % of the pixels differ; see test-results/looks, and if it is meant: npm run looks -- --approve ${page}`,
          );
        }
      });
    }

  for (const [what, styles] of [
    ['a table cell with one pixel more of padding', '.t td { padding-inline: 13px }'],
    ['half a pixel more of text', '.t td { font-size: 13.5px }'],
    ['another colour of text', ':root { --ink: #500 }'],
  ] as const) {
    test(`${what} is noticed`, async () => {
      const [page, size] = ['funding-table', 'desk'] as const;
      const { light } = await site.take(page, size, styles);
      assert.ok(compare({ page, size, scheme: 'light' }, light) > TOLERANCE);
    });
  }
});
