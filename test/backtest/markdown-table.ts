/** The rows of the one Markdown table whose header begins with these columns, by column name. */
export function markdownTable(page: string, ...firstColumns: string[]): Record<string, string>[] {
  const lines = page.split('\n');
  const cellsOf = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const heads = lines
    .map((line, at) => ({ at, names: cellsOf(line) }))
    .filter(({ names }) => firstColumns.every((name, i) => names[i] === name));
  const head = heads[0];
  if (!head || heads.length > 1) throw new Error(`${heads.length} tables begin with ${firstColumns}`);
  const rows: Record<string, string>[] = [];
  for (let at = head.at + 2; lines[at]?.startsWith('|'); at++) {
    const cells = cellsOf(lines[at] ?? '');
    rows.push(Object.fromEntries(head.names.map((name, i) => [name, cells[i] ?? ''])));
  }
  return rows;
}
