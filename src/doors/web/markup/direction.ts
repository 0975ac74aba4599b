import { type Html, html } from './html.ts';

/** `L` or `S`; the word is in its title. */
export function legMark(leg: 'long' | 'short'): Html {
  return leg === 'long'
    ? html`<span class="ls l" title="long">L</span>`
    : html`<span class="ls s" title="short">S</span>`;
}

/** The class of a figure by its sign: what is paid is negative. */
export function toneOf(value: number): 'pos' | 'neg' {
  return value < 0 ? 'neg' : 'pos';
}
