/** Where a table scrolls with the page, as on phones, its head stays below the top bar. */
const TABLES = '.mxw > table, .lw > table';

function place(): void {
  const barPx = document.querySelector('.top')?.getBoundingClientRect().bottom ?? 0;
  for (const table of document.querySelectorAll<HTMLTableElement>(TABLES)) {
    const { tHead, parentElement } = table;
    if (!tHead || !parentElement) continue;
    const { top, height } = table.getBoundingClientRect();
    const scrollsInside = parentElement.scrollHeight > parentElement.clientHeight + 1;
    const downPx = scrollsInside ? 0 : Math.min(Math.max(0, barPx - top), height - tHead.offsetHeight);
    const transform = downPx > 0 ? `translateY(${downPx}px)` : '';
    for (const cell of tHead.rows[0]?.cells ?? [])
      if (cell.style.transform !== transform) cell.style.transform = transform;
  }
}

addEventListener('scroll', place, { passive: true });
addEventListener('resize', place);
document.addEventListener('liveupdate', place);
