import { escapeHtml, Html } from './html.ts';

/** Words that a language reserves; other names are not coloured. */
const KEYWORDS: Readonly<Record<string, string>> = {
  ts: 'as|async|await|break|class|const|else|export|for|from|function|if|import|in|interface|let|new|null|of|return|true|false|try|catch|type|while',
  python:
    'and|as|async|await|class|def|elif|else|except|False|for|from|if|import|in|is|None|not|or|print|return|True|try|while|with',
  sh: 'curl|export|npm|npx|pip|node|python|for|do|done|if|then|fi',
  json: 'true|false|null',
};
const ALIASES: Readonly<Record<string, string>> = {
  typescript: 'ts',
  js: 'ts',
  javascript: 'ts',
  py: 'python',
  bash: 'sh',
  shell: 'sh',
  curl: 'sh',
  jsonc: 'json',
};
const COMMENTS: Readonly<Record<string, string>> = {
  ts: '\\/\\/[^\\n]*',
  json: '\\/\\/[^\\n]*',
  python: '#[^\\n]*',
  sh: '(?<=^|\\s)#[^\\n]*',
};
const STRING = '"(?:[^"\\\\\\n]|\\\\.)*"|\'(?:[^\'\\\\\\n]|\\\\.)*\'|`(?:[^`\\\\]|\\\\.)*`';

const PATTERNS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(KEYWORDS).map(([language, keywords]) => {
    const key = language === 'json' ? '|(?<key>"[^"\\n]*"(?=\\s*:))' : '';
    const pattern = `(?<comment>${COMMENTS[language]})${key}|(?<string>${STRING})|(?<keyword>\\b(?:${keywords})\\b)|(?<number>\\b\\d[\\d_.]*\\b)`;
    return [language, new RegExp(pattern, 'gm')];
  }),
);

/** The class of the group that matched. */
function classOf({ comment, key, string, keyword }: Readonly<Record<string, string | undefined>>): string {
  if (comment !== undefined) return 'c';
  if (string !== undefined) return 's';
  return key !== undefined || keyword !== undefined ? 'k' : 'n';
}

/** Code with its comments, strings, numbers and keywords marked; a language that is not known stays plain. */
export function highlight(code: string, language: string): Html {
  const pattern = PATTERNS.get(ALIASES[language] ?? language);
  if (!pattern) return new Html(escapeHtml(code));
  let markup = '';
  let end = 0;
  for (const found of code.matchAll(pattern)) {
    const [text] = found;
    const name = classOf(found.groups ?? {});
    markup += `${escapeHtml(code.slice(end, found.index))}<span class="${name}">${escapeHtml(text)}</span>`;
    end = found.index + text.length;
  }
  return new Html(markup + escapeHtml(code.slice(end)));
}
