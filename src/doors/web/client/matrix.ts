/** The matrix: arrow keys move from cell to cell, and a card shows a contract in full. */
import { cardContent, ratesOf } from './matrix-card.ts';

const HOVER_MS = 250;
const region = document.querySelector<HTMLElement>('.mxw');

const card = document.createElement('div');
card.className = 'pop card-now';
card.hidden = true;
card.setAttribute('role', 'dialog');
card.setAttribute('aria-label', 'Contract');
let shownFor: HTMLTableCellElement | null = null;
/** Where that cell was when its card was requested. */
let shownAt: DOMRect | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

function coinOf(cell: HTMLTableCellElement): string | null {
  return cell.closest<HTMLElement>('tr[data-key]')?.dataset.key ?? null;
}

function venueOf(cell: HTMLTableCellElement): string | null {
  const heading = region?.querySelectorAll('thead th')[cell.cellIndex];
  return heading instanceof HTMLElement ? (heading.dataset.x ?? null) : null;
}

async function show(cell: HTMLTableCellElement, isFocused: boolean): Promise<void> {
  const [coin, exchange] = [coinOf(cell), venueOf(cell)];
  if (coin === null || exchange === null || cell.classList.contains('no')) return;
  shownFor = cell;
  shownAt = cell.getBoundingClientRect();
  const answer = await ratesOf(coin);
  // The pointer may have moved on meanwhile.
  if (!answer || shownFor !== cell) return;
  const content = cardContent(coin, exchange, answer);
  if (!content) return;
  card.replaceChildren(...content);
  if (!card.isConnected) document.body.append(card);
  card.hidden = false;
  const { left, bottom, top, width } = cell.getBoundingClientRect();
  const x = Math.min(Math.max(8, left + width / 2 - card.offsetWidth / 2), innerWidth - card.offsetWidth - 8);
  const isBelow = bottom + card.offsetHeight + 12 < innerHeight;
  card.style.left = `${x}px`;
  card.style.top = `${isBelow ? bottom + 6 : top - card.offsetHeight - 6}px`;
  if (isFocused) card.querySelector('a')?.focus();
}

function hide(): void {
  clearTimeout(timer);
  shownFor = null;
  card.hidden = true;
}

const cellAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLTableCellElement>('.mxw tbody td') : null;

region?.addEventListener('pointerover', (event) => {
  if (event.pointerType !== 'mouse') return;
  const cell = cellAt(event.target);
  clearTimeout(timer);
  if (!cell || cell === shownFor) return;
  timer = setTimeout(() => void show(cell, false), card.hidden ? HOVER_MS : 60);
});
// A finger leaves with every tap, so only a mouse closes the card by leaving.
region?.addEventListener('pointerleave', (event) => {
  if (event.pointerType !== 'mouse') return;
  clearTimeout(timer);
  timer = setTimeout(() => !card.matches(':hover') && hide(), 150);
});
card.addEventListener('pointerleave', (event) => event.pointerType === 'mouse' && hide());
region?.addEventListener('click', (event) => {
  const cell = cellAt(event.target);
  if (cell) void show(cell, false);
});
region?.addEventListener('scroll', () => {
  // The event comes after the scrolling: it may be that which brought a focused cell into view before its card opened.
  const at = shownFor?.getBoundingClientRect();
  if (at?.left !== shownAt?.left || at?.top !== shownAt?.top) hide();
});
document.addEventListener('pointerdown', (event) => {
  if (
    !card.hidden &&
    event.target instanceof Node &&
    !card.contains(event.target) &&
    !region?.contains(event.target)
  )
    hide();
});

/** Arrows move within the grid, which Tab enters once. */
region?.addEventListener('keydown', (event) => {
  const rows = [...region.querySelectorAll<HTMLTableRowElement>('tbody tr')];
  const current = cellAt(document.activeElement);
  const row = current ? rows.indexOf(current.closest('tr') as HTMLTableRowElement) : -1;
  const first = rows[0]?.cells.length ? 1 : 0;
  const column = current?.cellIndex ?? first;
  const moves: Record<string, readonly [number, number]> = {
    ArrowDown: [row + 1, column],
    ArrowUp: [Math.max(0, row - 1), column],
    ArrowRight: [Math.max(0, row), current ? column + 1 : first],
    ArrowLeft: [Math.max(0, row), Math.max(first, column - 1)],
    Home: [Math.max(0, row), first],
    End: [Math.max(0, row), (rows[0]?.cells.length ?? 1) - 1],
  };
  const move = moves[event.key];
  if (move && (current || event.key.startsWith('Arrow'))) {
    const cell = rows[Math.min(move[0], rows.length - 1)]?.cells[move[1]];
    if (!cell) return;
    event.preventDefault();
    hide();
    cell.tabIndex = -1;
    cell.focus();
  } else if (event.key === 'Enter' && current) {
    event.preventDefault();
    void show(current, true);
  }
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || card.hidden) return;
  const back = shownFor;
  hide();
  back?.focus();
});
