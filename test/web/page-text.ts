/** The tables of a page, as the texts of their cells. */
export function tablesOf(page: string): string[][][] {
  return [...page.matchAll(/<table[^>]*>(.*?)<\/table>/gs)].map(([, table = '']) =>
    rowsIn(table.slice(table.search(/<tbody\b/))),
  );
}

function rowsIn(body: string): string[][] {
  return [...body.matchAll(/<tr(?! class="grp")[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = '']) => words(cell)),
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** The text that is read out: letter marks and arrows are decoration. */
export function words(markup: string): string {
  return markup
    .replaceAll(/<span[^>]* aria-hidden="true">[^<]*<\/span>/g, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .trim();
}

const UNITS: Readonly<Record<string, number>> = { B: 1e9, M: 1e6, k: 1e3 };

/** The number in a cell such as `−0.0123 %`, `$1.5 M` or `8 h`; null where there is a dash. */
export function figureOf(cell: string): number | null {
  const found = /^([+−]?)\$?([\d.,]+)\s*([BMk](?=\s|$))?/.exec(cell);
  if (!found) return null;
  const [, sign, digits = '', unit = ''] = found;
  const size = Number(digits.replaceAll(',', '')) * (UNITS[unit] ?? 1);
  return sign === '−' ? -size : size;
}

/** The tables of a Markdown text, by the names in their first line. */
export function markdownTables(text: string): Record<string, string>[][] {
  const blocks = text.split('\n\n').filter((block) => block.trimStart().startsWith('| '));
  const cells = (line: string) =>
    line
      .slice(2, -2)
      .split(/(?<!\\) \| /)
      .map((cell) => cell.replaceAll(/\\([\\`*_[\]<>|#!])/g, '$1'));
  return blocks.map((block) => {
    const [head = '', , ...rows] = block.trim().split('\n');
    const names = cells(head);
    return rows.map((row) => Object.fromEntries(cells(row).map((cell, i) => [names[i] ?? '', cell])));
  });
}
