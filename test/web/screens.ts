import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';

export interface Screen {
  width: number;
  colorScheme: 'light' | 'dark';
}

/** The screens on which every behaviour holds. */
export const SCREENS: readonly Screen[] = [
  { width: 1440, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
  { width: 390, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
];

const nameOfScreen = ({ width, colorScheme }: Screen): string => `${width} pixels wide, ${colorScheme}`;

const PAPER = { light: 'rgb(245, 246, 248)', dark: 'rgb(9, 11, 15)' } as const;

export async function setScreen(page: Page, { width, colorScheme }: Screen): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
}

/** Shows the open page on each screen in turn. The page must have the colours of the scheme and fit the width. */
export async function onEachScreen(
  page: Page,
  check: (where: string, screen: Screen) => Promise<void>,
): Promise<void> {
  for (const screen of SCREENS) {
    await setScreen(page, screen);
    const where = nameOfScreen(screen);
    const paper = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    if (paper !== PAPER[screen.colorScheme]) throw new Error(`${where}: the page is ${paper}`);
    // Charts are drawn again in the next frame.
    await until(
      async () => Number(await page.evaluate('document.documentElement.scrollWidth')) <= screen.width,
      `${where}: a page that fits`,
    );
    await check(where, screen);
  }
  await setScreen(page, SCREENS[0] as Screen);
}
