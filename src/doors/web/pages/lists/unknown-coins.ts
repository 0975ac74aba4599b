import { perSnapshot } from '../../../../base/per-snapshot.ts';
import type { Table } from '../../../../market/tables/table.ts';
import { type Html, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import type { PageContext } from '../page-context.ts';

const coinsOf = perSnapshot((table: Table): ReadonlySet<string> => new Set(table.texts('coin').values));

/** Names the coins of the filter that no venue lists: among known ones they would be left out without a word. */
export function unknownCoins({ entrance, caller, sent }: PageContext): Html | null {
  const coins = sent.get('coin')?.join(',').split(',') ?? [];
  const snapshot =
    coins.length === 0 ? null : entrance.data.coins.at(caller.plan.delaySeconds, entrance.clock.nowMs());
  if (!snapshot) return null;
  const unknown = coins.filter((coin) => !coinsOf(snapshot.table).has(coin));
  if (unknown.length === 0) return null;
  const verb = unknown.length === 1 ? 'is' : 'are';
  return html`<div class="ban unknown" role="status">
    ${icon('search')}
    <p>${unknown.join(', ')} ${verb} not listed anywhere.</p>
    <a class="btn" href="/coins">All coins</a>
  </div>`;
}
