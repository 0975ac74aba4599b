import type { Browser, BrowserContext, Page } from 'playwright-core';
import { signedUp } from '../../oauth/person.ts';
import { GIVE_UP_MS, until } from '../../support/until.ts';
import { type FilledMarket, filledMarket, HELD_AT_MS } from '../filled-market.ts';
import { carryPath, pairPath } from '../market-paths.ts';
import { halved, type Picture, readPng } from './picture.ts';

/** Pages by the names of their pictures. Texts of the documentation share one look, so one of them stands for all. */
const VISITOR_PAGES: Readonly<Record<string, string | ((market: FilledMarket) => Promise<string>)>> = {
  home: '/',
  funding: '/funding',
  'funding-table': '/funding?view=table',
  'funding-empty': '/funding?coin=NOSUCH',
  'funding-wrong': '/funding?view=table&min_apr_pct=lots',
  coin: '/funding/BTC',
  history: '/funding/BTC/history',
  running: '/funding/BTC/Binance',
  'open-interest': '/funding/BTC/open-interest',
  arbitrage: '/arbitrage',
  'arbitrage-pair': carryPath,
  spreads: '/spreads',
  backtest: '/spreads/backtest',
  'backtest-pair': pairPath,
  depth: '/depth',
  'depth-contract': '/depth/BTC/Binance',
  listings: '/listings',
  coins: '/coins',
  venues: '/exchanges',
  venue: '/exchanges/Binance',
  status: '/status',
  accuracy: '/accuracy',
  search: '/search?q=bitcoin',
  more: '/more',
  plans: '/plans',
  developers: '/developers/assistants',
  'sign-in': '/sign-in',
  'not-found': '/funding/NOSUCHCOIN',
};
const READER_PAGES: Readonly<Record<string, string>> = {
  account: '/account',
  keys: '/account/keys',
  alerts: '/account/alerts/new?operation=funding',
};

export const PICTURE_PAGES: readonly string[] = [...Object.keys(VISITOR_PAGES), ...Object.keys(READER_PAGES)];

/** In CSS pixels. */
export const SIZES = {
  desk: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const;
export const SCHEMES = ['light', 'dark'] as const;

export interface Look {
  page: string;
  size: keyof typeof SIZES;
  scheme: (typeof SCHEMES)[number];
}

export const nameOfLook = ({ page, size, scheme }: Look): string => `${page}-${size}-${scheme}`;

/** A market that stands still, and what a browser shows of it. */
export class LooksSite {
  readonly #market: FilledMarket;
  readonly #browser: Browser;
  readonly #contexts = new Map<string, BrowserContext>();

  private constructor(market: FilledMarket, browser: Browser) {
    this.#market = market;
    this.#browser = browser;
  }

  static async start(browser: Browser): Promise<LooksSite> {
    const market = await filledMarket({ heldAtMs: HELD_AT_MS });
    // Trends are read in the background when a page first needs them. A page is cached while the clock stands still, so each
    // look is at another one.
    let least = 1_000_000;
    await until(async () => {
      const reply = await fetch(`${market.service.baseUrl}/funding?min_volume_usdt=${--least}`);
      return (await reply.text()).includes('<svg class="spark ');
    }, 'the trends');
    return new LooksSite(market, browser);
  }

  async stop(): Promise<void> {
    for (const context of this.#contexts.values()) await context.close();
    await this.#market.stop();
  }

  /** The page at one width in both schemes, at half its size. `styles` is added to it, to see what a change would do. */
  async take(page: string, size: Look['size'], styles = ''): Promise<Record<Look['scheme'], Picture>> {
    const isReader = page in READER_PAGES;
    const context = await this.#context(isReader);
    const opened = await context.newPage();
    await opened.setViewportSize(SIZES[size]);
    await opened.clock.setFixedTime(HELD_AT_MS);
    const known = isReader ? READER_PAGES[page] : VISITOR_PAGES[page];
    if (known === undefined) throw new Error(`there is no page ${page}`);
    const path = typeof known === 'string' ? known : await known(this.#market);
    const reply = await opened.goto(`${this.#market.service.baseUrl}${path}`, { waitUntil: 'load' });
    if (!reply || reply.status() >= 500) throw new Error(`${path}: status ${reply?.status()}`);
    await settled(opened);
    if (styles !== '') await opened.evaluate(addStyles(styles));
    const pictures: Partial<Record<Look['scheme'], Picture>> = {};
    for (const colorScheme of SCHEMES) {
      await opened.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      pictures[colorScheme] = halved(
        readPng(await opened.screenshot({ animations: 'disabled', caret: 'hide' })),
      );
    }
    await opened.close();
    return pictures as Record<Look['scheme'], Picture>;
  }

  /** One context for visitors and one for the signed-in reader: cookies and fonts are loaded once. */
  async #context(isReader: boolean): Promise<BrowserContext> {
    const name = isReader ? 'reader' : 'visitor';
    const known = this.#contexts.get(name);
    if (known) return known;
    const context = await this.#browser.newContext({
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(GIVE_UP_MS);
    if (isReader) {
      const { service } = this.#market;
      const person = await signedUp(service, 'reader@example.com');
      await context.addCookies(
        [...person.browser.cookies].map(([key, value]) => ({ name: key, value, url: service.baseUrl })),
      );
    }
    this.#contexts.set(name, context);
    return context;
  }
}

/** Waits for the fonts, for charts, and for the badge of a live page. */
async function settled(page: Page): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  if ((await page.locator('[data-chart]').count()) > 0) await page.waitForSelector('.chart[data-ready]');
  if ((await page.locator('#live').count()) > 0)
    await page.waitForSelector('#live .act :is(button, [href="/plans"])');
}

/** The content security policy refuses style elements, and allows sheets that scripts make. */
function addStyles(styles: string): string {
  return `(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(styles)});
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  })()`;
}
