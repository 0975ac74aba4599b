import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const CONTRAST = 'color-contrast';

interface AccessibilityFault {
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
  const others = rules?.filter((rule) => rule !== CONTRAST) ?? null;
  const faults: AccessibilityFault[] = [];
  if (others === null || others.length > 0) faults.push(...(await otherFaults(page, others)));
  if (rules === null || rules.includes(CONTRAST)) faults.push(...(await contrastFaults(page)));
  return faults.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}

interface PageElement {
  localName: string;
  parentElement: PageElement | null;
  childNodes: Iterable<{ nodeType: number; textContent: string | null }>;
  matches(selector: string): boolean;
  checkVisibility(): boolean;
}

/** What there is inside the page. */
interface Inside {
  axe: {
    run(
      context: object,
      options: object,
    ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
  };
  document: { querySelectorAll(selector: string): Iterable<PageElement> };
  getComputedStyle(element: PageElement): Readonly<Record<string, string>>;
}

async function otherFaults(page: Page, rules: readonly string[] | null): Promise<AccessibilityFault[]> {
  const options = {
    resultTypes: ['violations'],
    ...(rules === null
      ? { rules: { [CONTRAST]: { enabled: false } } }
      : { runOnly: { type: 'rule', values: rules } }),
  };
  return await page.evaluate(async (given) => {
    const { axe, document } = globalThis as unknown as Inside;
    const { violations } = await axe.run(document, given);
    return violations.map(({ id, impact, nodes }) => ({ id, impact, example: nodes[0]?.html }));
  }, options);
}

/** Contrast is slow to find out, and the same for all texts that are set alike: one of each kind is looked at. */
async function contrastFaults(page: Page): Promise<AccessibilityFault[]> {
  return await page.evaluate(async (rule) => {
    const { axe, document, getComputedStyle } = globalThis as unknown as Inside;
    const grounds = new Map<PageElement, string>();
    const groundOf = (element: PageElement | null): string => {
      if (!element) return '';
      const known = grounds.get(element);
      if (known !== undefined) return known;
      const { backgroundColor, backgroundImage, opacity, position, filter } = getComputedStyle(element);
      const own = [backgroundColor, backgroundImage, opacity, position, filter].join();
      const ground = `${own}/${groundOf(element.parentElement)}`;
      grounds.set(element, ground);
      return ground;
    };
    const hasText = (element: PageElement) =>
      element.matches('input, select, textarea, button') ||
      [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
    const kinds = new Map<string, PageElement>();
    for (const element of document.querySelectorAll('body *')) {
      if (!hasText(element) || !element.checkVisibility()) continue;
      const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
      const kind = [element.localName, color, fontSize, fontWeight, textShadow, groundOf(element)].join();
      if (!kinds.has(kind)) kinds.set(kind, element);
    }
    if (kinds.size === 0) return [];
    const { violations } = await axe.run(
      { include: [...kinds.values()] },
      { resultTypes: ['violations'], runOnly: { type: 'rule', values: [rule] } },
    );
    return violations.map(({ id, impact, nodes }) => ({ id, impact, example: nodes[0]?.html }));
  }, CONTRAST);
}
