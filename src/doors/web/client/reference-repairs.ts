/**
 * Scalar's markup has faults that keep people with screen readers out. Each is put right as it appears; a test fails
 * when a new one comes. `rule` is the name that axe-core gives to the fault.
 */
interface Repair {
  rule: string;
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
    // Its words are hidden where there is little room, and its picture has none.
    selector: 'a[href]:has(svg):not([aria-label])',
    repair: (link) => link.setAttribute('aria-label', link.textContent?.trim() || 'Link'),
  },
  {
    // Who says the words that are seen must reach the button by them.
    rule: 'label-content-name-mismatch',
    selector: 'button.show-more[aria-label^="Show all"]',
    repair: (button) =>
      button.setAttribute(
        'aria-label',
        `${button.textContent?.trim()}: ${button.getAttribute('aria-label')}`,
      ),
  },
  {
    // A button that is told to be none: it is one.
    rule: 'aria-prohibited-attr',
    selector: 'button[role=none]',
    repair: (button) => button.removeAttribute('role'),
  },
  {
    rule: 'aria-required-attr',
    selector: '[role=combobox]:not([aria-expanded])',
    repair: (field) => field.setAttribute('aria-expanded', 'false'),
  },
];

function repairAll(): void {
  for (const { selector, repair } of REPAIRS)
    for (const element of document.querySelectorAll<HTMLElement>(selector)) repair(element);
}

let isDue = false;
// Scalar renders in many small steps: one look after each frame is enough.
const later = () => {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    repairAll();
  });
};

new MutationObserver(later).observe(document.documentElement, {
  childList: true,
  subtree: true,
  attributes: true,
  attributeFilter: ['role', 'aria-expanded', 'aria-label', 'href'],
});
