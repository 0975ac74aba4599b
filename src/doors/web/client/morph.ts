/** Brings elements up to date with the server's markup and touches only what has changed. */
import { showTime } from './times.ts';

const FLASH_MS = 600;
const isStill = matchMedia('(prefers-reduced-motion: reduce)');

/** Attributes that scripts of this page set and the server does not know. */
const OWN_ATTRIBUTES = new Set([
  'aria-expanded',
  'aria-activedescendant',
  'open',
  'title',
  'tabindex',
  'style',
  'data-ready',
]);

function numberIn(text: string): number {
  const found = /([+−-]?)\s*\$?([\d.,]+)/.exec(text);
  if (!found) return Number.NaN;
  const value = Number((found[2] ?? '').replaceAll(',', ''));
  return found[1] === '−' || found[1] === '-' ? -value : value;
}

/** Tints a changed cell once, towards the direction of the change. */
function flash(cell: Element, before: string, after: string): void {
  if (isStill.matches) return;
  const [from, to] = [numberIn(before), numberIn(after)];
  if (Number.isNaN(from) || Number.isNaN(to) || from === to) return;
  const name = to > from ? 'flash-u' : 'flash-d';
  cell.classList.add(name);
  setTimeout(() => cell.classList.remove(name), FLASH_MS);
}

function syncAttributes(old: Element, next: Element): void {
  for (const { name } of [...old.attributes])
    if (!next.hasAttribute(name) && !OWN_ATTRIBUTES.has(name)) old.removeAttribute(name);
  for (const { name, value } of next.attributes)
    if (old.getAttribute(name) !== value && !(name === 'title' && old instanceof HTMLTimeElement))
      old.setAttribute(name, value);
}

const keyOf = (node: Node): string | null =>
  node instanceof HTMLElement ? (node.dataset.key ?? null) : null;

/**
 * `live`: new figures of the same content; changed cells are tinted. `frozen`: the same, but rows with a key keep their
 * places. `navigation`: other content, which the reader has chosen.
 */
export type MorphMode = 'live' | 'frozen' | 'navigation';

/** Makes `old` equal to `next`. Returns whether an order differs. */
export function morph(old: Element, next: Element, mode: MorphMode): boolean {
  // What a script has drawn is its own.
  if (old.hasAttribute('data-own')) return false;
  syncAttributes(old, next);
  if (old instanceof HTMLTimeElement) {
    showTime(old);
    return false;
  }
  const [before, after] = [[...old.childNodes], [...next.childNodes]];
  if (after.some((node) => keyOf(node) !== null)) return morphKeyed(old, before, after, mode);
  let isReordered = false;
  for (const [i, node] of after.entries()) {
    const there = before[i];
    if (!there) old.append(document.importNode(node, true));
    else isReordered = morphNode(there, node, mode) || isReordered;
  }
  for (const extra of before.slice(after.length)) extra.remove();
  return isReordered;
}

function morphNode(old: Node, next: Node, mode: MorphMode): boolean {
  if (old instanceof Text && next instanceof Text) {
    if (old.data === next.data) return false;
    const cell = old.parentElement?.closest('td, dd');
    if (cell && mode !== 'navigation') flash(cell, old.data, next.data);
    old.data = next.data;
    return false;
  }
  if (old instanceof Element && next instanceof Element && old.nodeName === next.nodeName)
    return morph(old, next, mode);
  old.parentNode?.replaceChild(document.importNode(next, true), old);
  return false;
}

function morphKeyed(parent: Element, before: Node[], after: Node[], mode: MorphMode): boolean {
  const rows = new Map<string, Element>();
  for (const node of before) {
    const key = keyOf(node);
    if (key !== null) rows.set(key, node as Element);
  }
  const wanted = after.filter((node) => keyOf(node) !== null) as Element[];
  let isReordered = false;
  for (const next of wanted) {
    const there = rows.get(keyOf(next) ?? '');
    if (there) isReordered = morph(there, next, mode) || isReordered;
  }
  const [oldOrder, newOrder] = [[...rows.keys()], wanted.map((node) => keyOf(node) ?? '')];
  if (oldOrder.join('\n') === newOrder.join('\n')) return isReordered;
  if (mode === 'frozen') return true;
  const ordered = wanted.map((next) => rows.get(keyOf(next) ?? '') ?? document.importNode(next, true));
  parent.replaceChildren(...ordered);
  return isReordered;
}
