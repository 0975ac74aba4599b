import type { Meta } from '../../../operations/answer/meta.ts';
import { escapeMarkdown } from '../../documents/markdown.ts';
import type { Html } from './html.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** The text of markup, without tags and entities. */
export function wordsOf({ markup }: Html): string {
  return markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

const HOW_TO_QUOTE =
  'Quote a figure with its venue, its settlement interval and its time, and link to that page. Fields ending in _pct are percent; times are UTC.';

/** The start of every Markdown file: title, lead, and the source and age of the figures. */
export function markdownHead(title: string, lead: string, meta: Meta): string {
  const delay =
    meta.delayed_seconds > 0 ? ` Delayed by ${meta.delayed_seconds} seconds; plans have live data.` : '';
  return `# ${escapeMarkdown(title)}

${lead}

As of ${meta.as_of}, source ${meta.source}: <${meta.url}>.${delay} ${HOW_TO_QUOTE}

`;
}
