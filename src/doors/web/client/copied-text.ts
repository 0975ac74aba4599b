/** What is copied from a page: numbers that spreadsheets read, and a table as cells. */
const NOT_COPIED = '.lm, .vh, svg, button, .mx td i';

const plain = (text: string) => text.replaceAll('\u2212', '-').replaceAll('\u00a0', ' ');

/** The text of a cell as it is seen, without marks and hints. */
function cellText(cell: HTMLTableCellElement): string {
  const texts: string[] = [];
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent && !parent.closest(NOT_COPIED) && parent.checkVisibility()) texts.push(node.nodeValue ?? '');
  }
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim();
}

/** The selected rows of a table, cells separated by tabs; null for a selection within one cell, or beyond the table. */
function rowsText(selection: Selection): string | null {
  const around = selection.getRangeAt(0).commonAncestorContainer;
  const table = (around instanceof Element ? around : around.parentElement)?.closest('table, .tw, .mxw');
  const isSelected = (node: Node) => selection.containsNode(node, true);
  const rows = [...(table?.querySelectorAll('tr') ?? [])]
    .filter(isSelected)
    .map((row) => [...row.cells].filter((cell) => cell.checkVisibility() && isSelected(cell)));
  if (rows.length === 0 || (rows.length === 1 && (rows[0]?.length ?? 0) < 2)) return null;
  return rows.map((cells) => cells.map(cellText).join('\t')).join('\n');
}

document.addEventListener('copy', (event) => {
  const selection = getSelection();
  const isTyped = event.target instanceof Element && event.target.closest('input, textarea, pre');
  if (!selection || selection.isCollapsed || isTyped) return;
  event.clipboardData?.setData('text/plain', plain(rowsText(selection) ?? selection.toString()));
  event.preventDefault();
});
