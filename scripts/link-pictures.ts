import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser } from '../test/support/browser.ts';

/** Draws the pictures that social networks and chats show for links, `npm run link-pictures`. Their texts change rarely. */
const PICTURES = {
  home: ['Funding rates, side by side', 'Every perp on every venue: rates, settled history, spreads'],
  funding: ['Funding rates now', 'What longs and shorts pay on each venue, and what it really paid'],
  arbitrage: ['Funding arbitrage', 'Which pairs of venues still earn after fees and slippage'],
} as const;
const SIZE = { width: 1200, height: 630 };

const web = join(import.meta.dirname, '../src/doors/web');
const font = readFileSync(join(web, 'client/fonts/geist-latin.woff2')).toString('base64');
const style = `
  @font-face { font-family: Geist; src: url(data:font/woff2;base64,${font}); font-weight: 100 900 }
  body { margin: 0; padding: 72px; box-sizing: border-box; width: 1200px; height: 630px;
    background: #0f1217; color: #eef1f5; font-family: Geist;
    display: flex; flex-direction: column; justify-content: space-between }
  .brand { display: flex; gap: 20px; align-items: center; font-size: 40px; font-weight: 600 }
  svg { width: 64px; fill: #eef1f5 }
  svg path { fill: none; stroke: #eef1f5; stroke-width: 2.2 }
  svg .b { fill: #8aa4ff }
  h1 { margin: 0 0 28px; font-size: 84px; letter-spacing: -.02em; line-height: 1.05 }
  p { margin: 0; font-size: 36px; line-height: 1.35; color: #a4adba }
  footer { border-top: 2px solid #323a46; padding-top: 28px; font-size: 28px; color: #8b95a5 }`;
const mark =
  '<svg viewBox="0 0 24 24"><path d="M5 17.5c6.5 0 1.5-11 8-11h6"/><circle cx="5" cy="17.5" r="2.6"/><circle class="b" cx="19" cy="6.5" r="2.6"/></svg>';

const browser = await startBrowser();
if (typeof browser === 'string') throw new Error(browser);
const page = await browser.newPage({ viewport: SIZE });
for (const [name, [title, note]] of Object.entries(PICTURES)) {
  await page.setContent(`<!doctype html><style>${style}</style>
    <div class="brand">${mark}Perpwire</div>
    <div><h1>${title}</h1><p>${note}</p></div>
    <footer>Live market data for perpetual futures: pages, API, AI assistants</footer>`);
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path: join(web, `feeds/site/cards/${name}.png`) });
}
await browser.close();
