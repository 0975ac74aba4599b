import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface AccessibilityFault {
  id: string;
  impact: string;
  example: string | undefined;
}

/** What axe-core calls serious or critical on the page as it is now. */
export async function seriousFaults(page: Page): Promise<AccessibilityFault[]> {
  // Evaluated by the tool, so our own policy against inline script does not apply to it.
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.map(({ id, impact, nodes }) => ({ id, impact, example: nodes[0]?.html }));
  });
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}
