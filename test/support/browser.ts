import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { noteServerUse } from './server-use.ts';
import { findOrInstall, onPath } from './servers.ts';
import { GIVE_UP_MS } from './until.ts';

const SHOTS = join(import.meta.dirname, '../../test-results');

let shared: Promise<Browser | string> | null = null;

/**
 * A real Chromium, or the sentence that says why there is none. The test files of a process share one; each may close it
 * after all tests. Flags make it another.
 */
export function startBrowser(args: readonly string[] = []): Promise<Browser | string> {
  // The first test file that wants the shared one starts it for the others.
  noteServerUse();
  if (args.length > 0) return launchBrowser(args);
  shared ??= launchBrowser([]);
  return shared;
}

async function launchBrowser(args: readonly string[]): Promise<Browser | string> {
  const program = await findOrInstall(
    'Chromium',
    'chromium',
    () => onPath('chromium') ?? onPath('chromium-browser'),
  );
  if (program.path === null) return program.reason;
  return await chromium.launch({
    executablePath: program.path,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  });
}

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Errors and refusals that the browser reported: scripts, failed loads, the content security policy. */
  complaints: string[];
}

export async function visit(
  browser: Browser,
  options: {
    javaScriptEnabled?: boolean;
    colorScheme?: 'light' | 'dark';
    width?: number;
    hasTouch?: boolean;
    zone?: string;
  } = {},
): Promise<Visit> {
  const context = await browser.newContext({
    javaScriptEnabled: options.javaScriptEnabled ?? true,
    colorScheme: options.colorScheme ?? 'light',
    hasTouch: options.hasTouch ?? false,
    viewport: { width: options.width ?? 1300, height: 900 },
    timezoneId: options.zone ?? 'Europe/Berlin',
    locale: 'en-GB',
  });
  context.setDefaultTimeout(GIVE_UP_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return { context, page, complaints };
}

/** Presses what sends a form or is a link, and waits for the page that comes of it, loaded or shown in place. */
export async function follow(page: Page, target: string | Locator): Promise<void> {
  const arrived = arrival(page);
  await (typeof target === 'string' ? page.locator(target) : target).click();
  await arrived;
}

/** Another page, or other content of the same one, which is busy until it has it. */
export async function arrival(page: Page): Promise<void> {
  await page.waitForEvent('framenavigated');
  await page.waitForLoadState('domcontentloaded');
  await page.locator('main[aria-busy]').waitFor({ state: 'detached' });
}

/** The page, or what is in sight of it, as a picture. Asked for by protocol, where size may give way to speed. */
export async function screenshot(page: Page, name: string, { isWhole = true } = {}): Promise<void> {
  mkdirSync(SHOTS, { recursive: true });
  const protocol = await page.context().newCDPSession(page);
  const { cssContentSize } = await protocol.send('Page.getLayoutMetrics');
  const clip = { ...cssContentSize, scale: 1 };
  const { data } = await protocol.send('Page.captureScreenshot', {
    format: 'png',
    optimizeForSpeed: true,
    ...(isWhole ? { captureBeyondViewport: true, clip } : {}),
  });
  await protocol.detach();
  writeFileSync(join(SHOTS, `${name}.png`), Buffer.from(data, 'base64'));
}
