import type { Browser, BrowserContext } from 'playwright-core';
import { ManualClock } from '../../src/base/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../src/base/times.ts';
import { signedUp } from '../oauth/person.ts';
import { type Visit, visit } from '../support/browser.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** A fixed time: which rows change places, and when, is the same in every run. */
const START_MS = Date.UTC(2026, 9, 12, 10, 5);

/** A small market on a clock of its own, and a reader who sees live data. */
export interface LiveSite extends Running {
  clock: ManualClock;
  cookies: readonly { name: string; value: string; url: string }[];
  /** Reads the venues again after `minutes`, and publishes what has changed. */
  moveOn(minutes: number): Promise<void>;
}

export async function liveSite(): Promise<LiveSite> {
  const clock = new ManualClock(START_MS);
  // A slow machine must not make pages answer that there is too much work.
  const settings = { SHED_LOAD: 'false' };
  const running = await runService({ venues: ['binance', 'okx', 'bybit'], coins: 20, clock, settings });
  await collectOnce(running);
  const person = await signedUp(running.service, 'reader@example.com', 'pro');
  const url = running.service.baseUrl;
  return {
    ...running,
    clock,
    cookies: [...person.browser.cookies].map(([name, value]) => ({ name, value, url })),
    moveOn: async (minutes) => {
      clock.advanceMs(minutes * MINUTE_MS);
      await collectOnce(running);
    },
  };
}

/** A browser of the reader. */
export async function readerVisit(
  browser: Browser,
  site: LiveSite,
  options: Parameters<typeof visit>[1] = {},
): Promise<Visit> {
  const opened = await visit(browser, options);
  await opened.context.addCookies([...site.cookies]);
  // By a later clock the data would be late.
  const aheadMs = site.clock.nowMs() - Date.now();
  await opened.context.addInitScript(`{ const now = Date.now; Date.now = () => now() + ${aheadMs}; }`);
  return opened;
}

/** Lets the stream send what it has: it looks once a second, by the clock of the service. */
export async function untilSent(
  site: LiveSite,
  isThere: () => Promise<boolean>,
  what: string,
): Promise<void> {
  await until(async () => {
    site.clock.advanceMs(SECOND_MS);
    return await isThere();
  }, what);
}

/** The page as the server renders it now for the reader. */
export async function renderedNow(context: BrowserContext, url: string): Promise<string> {
  return await (await context.request.get(url)).text();
}
