import { highlight } from './highlight.ts';
import { type Html, type HtmlValue, html } from './html.ts';
import { icon } from './icons/ui-icons.ts';

/** One language of a sample. Its name is the title without scripts, and its tab with them. */
export interface Sample {
  name: string;
  language: string;
  code: string;
  /** A line above the code. */
  note?: HtmlValue;
}

/** Scripts that the blocks use; without them nothing is missing but the buttons and the tabs. */
export const CODE_SCRIPTS = ['copy', 'code-tabs'] as const;

/** Copies the code that is in sight within the nearest element with `data-copies`. Scripts show it. */
export function copyButton(look = 'lk'): Html {
  return html`<button class="${look} copy" type="button" data-copy hidden>${icon('copy')}<span>Copy</span></button>`;
}

function preformatted(code: string, language: string): Html {
  return html`<pre tabindex="0"><code class="language-${language}">${highlight(code, language)}</code></pre>`;
}

/** Code with a title and a copy button above it. */
export function codeBlock(title: HtmlValue, code: string, language: string): Html {
  return html`<div class="code" data-copies>
    <div class="code-h"><span class="fn">${title}</span>${copyButton()}</div>
    ${preformatted(code, language)}
  </div>`;
}

/** The same in several languages: tabs with scripts, below each other without. */
export function codeTabs(samples: readonly Sample[], label = 'Language'): Html {
  return html`<div class="code" data-copies data-tabs="${label}">
    <div class="code-h tabs">${copyButton()}</div>
    ${samples.map(sampleTab)}
  </div>`;
}

function sampleTab({ name, language, code, note }: Sample): Html {
  return html`<section data-tab="${name}">
    <h3 class="fn">${name}</h3>
    ${note ? html`<p class="hint">${note}</p>` : null}
    ${preformatted(code, language)}
  </section>`;
}
