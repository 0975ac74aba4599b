import { Marked, type Token, type Tokens } from 'marked';
import { headingId } from '../../documents/markdown.ts';
import { codeBlock, codeTabs, type Sample } from './code-block.ts';
import { escapeHtml, Html } from './html.ts';

/** The title of links that are shown as buttons. */
const BUTTON_TITLE = 'Connect';
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  python: 'Python',
  java: 'Java',
};
const TITLES: Readonly<Record<string, string>> = { ...LANGUAGES, sh: 'Shell', json: 'JSON', text: 'Text' };
const NAMES = /\b(?:curl|TypeScript|Python|Java)\b/;

/** Headings get ids and a link to themselves, code a copy button, and some links the look of a button. */
const marked = new Marked({
  renderer: {
    link({ href, title, tokens }) {
      const look = title === BUTTON_TITLE ? 'btn' : 'lnk';
      return `<a class="${look}" href="${escapeHtml(href)}">${this.parser.parseInline(tokens)}</a>`;
    },
    heading({ tokens, depth, text }) {
      const id = headingId(text);
      const words = this.parser.parseInline(tokens);
      const self = depth === 2 ? `<a href="#${id}" aria-label="Link to this section">#</a>` : '';
      return `<h${depth} id="${id}">${words}${self}</h${depth}>\n`;
    },
    code({ text, lang }) {
      const language = lang || 'text';
      return `${codeBlock(TITLES[language] ?? language, text, language).markup}\n`;
    },
    table(token) {
      const cell = (tag: string, cells: typeof token.header) =>
        cells
          .map(
            (one) =>
              `<${tag}>${this.parser.parseInline(one.tokens).replaceAll(/(\d) %/g, '$1&nbsp;%')}</${tag}>`,
          )
          .join('');
      const rows = token.rows.map((row) => `<tr>${cell('td', row)}</tr>`).join('\n');
      const head = `<thead><tr>${cell('th', token.header)}</tr></thead>`;
      const table = `<table class="t">${head}<tbody>${rows}</tbody></table>`;
      return `<div class="tw" tabindex="0" role="region" aria-label="Table">${table}</div>\n`;
    },
  },
});

/** Markdown of the repository as HTML. Its markup is trusted. */
export function documentHtml(text: string): Html {
  let tableCount = 0;
  // Regions of one page need names of their own.
  const markup = marked
    .parser(withTabs(marked.lexer(text)))
    .replaceAll('role="region" aria-label="Table"', () => `role="region" aria-label="Table ${++tableCount}"`);
  return new Html(markup);
}

/** The sections of a text, for the list at its side. */
export function sectionsOf({ markup }: Html): { id: string; title: Html }[] {
  return [...markup.matchAll(/<h2 id="([^"]+)">(.*?)(?:<a href="#[^>]*>#<\/a>)?<\/h2>/g)].map(
    ([, id = '', title = '']) => ({ id, title: new Html(title.replaceAll(/<\/?(?:a|code)\b[^>]*>/g, '')) }),
  );
}

interface Step {
  sample: Sample;
  /** How many tokens it spans. */
  length: number;
}

/** The same program in several languages one after the other, each with a line or heading that names it, becomes tabs. */
function withTabs(tokens: readonly Token[]): Token[] {
  const shown = tokens.filter(({ type }) => type !== 'space');
  const made: Token[] = [];
  for (let at = 0; at < shown.length; ) {
    const steps: Step[] = [];
    let next = at;
    for (let step = stepAt(shown, next); step; step = stepAt(shown, next)) {
      if (steps.some(({ sample }) => sample.name === step?.sample.name)) break;
      steps.push(step);
      next += step.length;
    }
    const token = shown[at];
    if (steps.length > 1) {
      const { markup } = codeTabs(steps.map(({ sample }) => sample));
      made.push({ type: 'html', raw: markup, text: markup, block: true, pre: false } as Tokens.HTML);
      at = next;
    } else {
      if (token) made.push(token);
      at++;
    }
  }
  return made;
}

function stepAt(tokens: readonly Token[], at: number): Step | null {
  const [intro, code] = [tokens[at], tokens[at + 1]];
  if (code?.type !== 'code' || !intro) return null;
  const { lang = '', text } = code as Tokens.Code;
  const name = LANGUAGES[lang];
  if (name === undefined) return null;
  const isHeading = intro.type === 'heading' && (intro as Tokens.Heading).text === name;
  const isLine = intro.type === 'paragraph' && /:$/.test(intro.raw.trim()) && NAMES.test(intro.raw);
  if (!isHeading && !isLine) return null;
  const note = isLine
    ? new Html(marked.parseInline((intro as Tokens.Paragraph).text, { async: false }))
    : null;
  return { sample: { name, language: lang, code: text, note }, length: 2 };
}
