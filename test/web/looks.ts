import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { seriousFaults } from '../support/axe.ts';
import { screenshot } from '../support/browser.ts';

const PAPER = { light: 'rgb(245, 246, 248)', dark: 'rgb(9, 11, 15)' } as const;
const PHONE_WIDTH = 380;

/** Checks accessibility in both colour schemes and the width on a phone, and takes three screenshots. */
export async function assertLooksRight(page: Page, name: string): Promise<void> {
  const desk = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // In dark mode only the colours differ.
    const rules = colorScheme === 'dark' ? ['color-contrast'] : null;
    assert.deepEqual(await seriousFaults(page, rules), [], colorScheme);
    const paper = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    assert.equal(paper, PAPER[colorScheme]);
    await screenshot(page, `${name}-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: PHONE_WIDTH, height: 800 });
  await screenshot(page, `${name}-phone`);
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  assert.ok(width <= PHONE_WIDTH, `${width} pixels wide on a phone`);
  if (desk) await page.setViewportSize(desk);
}

/** A file name for a path. */
export function nameOf(path: string): string {
  return path === '/' ? 'home' : path.slice(1).replaceAll(/[/?=&]/g, '-');
}
