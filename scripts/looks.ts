import { startBrowser } from '../test/support/browser.ts';
import {
  approve,
  approvedBytes,
  compare,
  noteBrowser,
  removeOthers,
  TOLERANCE,
} from '../test/web/looks/approved.ts';
import { LooksSite, nameOfLook, PICTURE_PAGES, SCHEMES, SIZES } from '../test/web/looks/site.ts';

/**
 * `npm run looks [-- --approve] [pages]`: compares every page with its approved pictures, or approves how pages look now.
 * Look at the pictures in test/web/looks/approved before you commit them.
 */
const isApproving = process.argv.includes('--approve');
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = named.filter((page) => !PICTURE_PAGES.includes(page));
if (unknown.length > 0)
  throw new Error(`no such page: ${unknown.join(', ')}; pages: ${PICTURE_PAGES.join(', ')}`);

const browser = await startBrowser();
if (typeof browser === 'string') throw new Error(browser);
const site = await LooksSite.start(browser);
const names = new Set<string>();
let wrong = 0;
try {
  for (const page of named.length > 0 ? named : PICTURE_PAGES)
    for (const size of Object.keys(SIZES) as (keyof typeof SIZES)[]) {
      const pictures = await site.take(page, size);
      for (const scheme of SCHEMES) {
        const look = { page, size, scheme };
        names.add(nameOfLook(look));
        if (isApproving) {
          approve(look, pictures[scheme]);
          continue;
        }
        const share = compare(look, pictures[scheme]);
        if (share > TOLERANCE) wrong++;
        console.log(`${nameOfLook(look).padEnd(32)} ${(share * 100).toFixed(3).padStart(8)} %`);
      }
    }
  if (isApproving) {
    noteBrowser(browser.version());
    if (named.length === 0) removeOthers(names);
    console.log(`${names.size} pictures approved, ${Math.round(approvedBytes() / 1000)} kB together`);
  } else
    console.log(
      wrong === 0 ? 'all pages look as approved' : `${wrong} pictures differ: see test-results/looks`,
    );
} finally {
  await site.stop();
  await browser.close();
}
process.exit(wrong === 0 ? 0 : 1);
