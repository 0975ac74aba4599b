import { type Html, html } from '../../markup/html.ts';

/** The two views of spreads: what can be entered now, and what it would have earned. */
export function spreadTabs(current: 'live' | 'backtest'): Html {
  const tab = (name: typeof current, to: string, label: string) =>
    html`<a href="${to}"${name === current ? html` aria-current="page"` : null}>${label}</a>`;
  return html`<nav class="seg tabs" aria-label="Spreads">
    ${tab('live', '/spreads', 'Live')}
    ${tab('backtest', '/spreads/backtest', 'Backtest')}
  </nav>`;
}
