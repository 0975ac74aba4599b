/** One entry for each `html` template of the source. */
const known = new Map<TemplateStringsArray, readonly string[]>();

/**
 * The texts of a template, without the line breaks that only lay out the source. As in JSX, a break before an indented
 * line is a space between words and nothing beside a tag or a value. A break before a line at the margin stays.
 */
export function templateTexts(parts: TemplateStringsArray): readonly string[] {
  let texts = known.get(parts);
  if (!texts) {
    texts = parts.map(withoutIndents);
    known.set(parts, texts);
  }
  return texts;
}

function withoutIndents(text: string): string {
  return text.replaceAll(/(?<=[^>\s])\n +(?=[^<\s])/g, ' ').replaceAll(/\n +/g, '');
}
