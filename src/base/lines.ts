/** A line of a text file is longer than its reader takes. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
  /** From 1. */
  readonly line: number;

  constructor(line: number, mostCharacters: number) {
    super(`the line has more than ${mostCharacters} characters`);
    this.line = line;
  }
}

/** The lines of a text that ends lines with LF or CRLF, as it is read. A line that does not end is not collected. */
export async function* linesWithin(
  bytes: AsyncIterable<Uint8Array>,
  mostCharacters: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let rest = '';
  let line = 0;
  const checked = (text: string): string => {
    line++;
    if (text.length > mostCharacters) throw new LineTooLong(line, mostCharacters);
    return text.endsWith('\r') ? text.slice(0, -1) : text;
  };
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const one of lines) yield checked(one);
    if (rest.length > mostCharacters) checked(rest);
  }
  rest += decoder.decode();
  if (rest !== '') yield checked(rest);
}
