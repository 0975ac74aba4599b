import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface AccessibilityFault {
  id: string;
  impact: string;
  example: string | undefined;
}

/** What axe-core calls serious or critical on the page as it is now; by all its rules, or by those that are named. */
export async function seriousFaults(
  page: Page,
  rules: readonly string[] | null = null,
): Promise<AccessibilityFault[]> {
  // Evaluated by the tool, so our own policy against inline script does not apply to it.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE);
  const found = await page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          options: object,
        ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run({
      resultTypes: ['violations'],
      ...(only ? { runOnly: { type: 'rule', values: only } } : {}),
    });
    return violations.map(({ id, impact, nodes }) => ({ id, impact, example: nodes[0]?.html }));
  }, rules);
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}
