/**
 * Fixes faults in Scalar's markup as they appear. A test fails when Scalar has a new one. `rule` is the axe-core rule that
 * reports the fault, `audit` the one of Lighthouse.
 */
interface Repair {
  rule?: string;
  audit?: string;
  selector: string;
  repair(element: HTMLElement): void;
}

const REPAIRS: readonly Repair[] = [
  {
    rule: 'button-name',
    selector: 'button.scalar-code-copy:not([aria-label])',
    repair: (button) => button.setAttribute('aria-label', 'Copy'),
  },
  {
    rule: 'link-name',
    // On narrow screens its text is hidden, and its icon has no label.
    selector: 'a[href]:has(svg):not([aria-label])',
    repair: (link) => link.setAttribute('aria-label', link.textContent?.trim() || 'Link'),
  },
  {
    // Speech control finds a button by its visible text, so the label must contain it.
    rule: 'label-content-name-mismatch',
    selector: 'button.show-more[aria-label^="Show all"]',
    repair: (button) =>
      button.setAttribute(
        'aria-label',
        `${button.textContent?.trim()}: ${button.getAttribute('aria-label')}`,
      ),
  },
  {
    // A working button with role=none is invisible to screen readers.
    rule: 'aria-prohibited-attr',
    selector: 'button[role=none]',
    repair: (button) => button.removeAttribute('role'),
  },
  {
    rule: 'aria-required-attr',
    selector: '[role=combobox]:not([aria-expanded])',
    repair: (field) => field.setAttribute('aria-expanded', 'false'),
  },
  {
    // Without an address the keyboard does not reach them, they cannot be opened in a tab, and search engines miss them.
    audit: 'crawlable-anchors',
    selector: 'a.endpoint:not([href])',
    repair: (link) => {
      const group = link.closest('[id*="tag/"]')?.id.replace(/^.*?(?=tag\/)/, '');
      const part = (name: string) => link.querySelector(`.endpoint-${name}`)?.textContent?.trim() ?? '';
      if (group) link.setAttribute('href', `#${group}/${part('method').toUpperCase()}${part('path')}`);
    },
  },
];

function repairAll(): void {
  for (const { selector, repair } of REPAIRS)
    for (const element of document.querySelectorAll<HTMLElement>(selector)) repair(element);
}

let isScheduled = false;
// Scalar renders in many small steps; one pass per animation frame is enough.
const schedule = () => {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    repairAll();
  });
};

new MutationObserver(schedule).observe(document.documentElement, {
  childList: true,
  subtree: true,
  attributes: true,
  attributeFilter: ['role', 'aria-expanded', 'aria-label', 'href'],
});
