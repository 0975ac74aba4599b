import { perSnapshot } from '../../../../base/per-snapshot.ts';
import type { Table } from '../../../../market/tables/table.ts';
import type { TableSource } from '../../../../market/timeline.ts';
import type { Venue } from '../../../../venues/venue.ts';
import { byName, openVenues } from '../open-venues.ts';
import type { PageContext } from '../page-context.ts';
import type { FilterChoices } from './filter-bar.ts';

/** More would weigh on every page; the search field knows all coins. */
const MOST_COINS = 80;
/** The names that filters suggest: the most traded coins and all venues. */
export function filterChoices({ entrance, caller }: Pick<PageContext, 'entrance' | 'caller'>): FilterChoices {
  return {
    coins: suggestedCoins(entrance.data.coins, caller.plan.delaySeconds, entrance.clock.nowMs()),
    exchanges: namesOf(openVenues(entrance)),
  };
}

export function suggestedCoins(coins: TableSource, delaySeconds: number, nowMs: number): readonly string[] {
  const snapshot = coins.at(delaySeconds, nowMs);
  return snapshot ? topCoins(snapshot.table) : [];
}

/** The same list for all requests, so that its HTML can be remembered with it. */
const namesOf = perSnapshot((venues: readonly Venue[]) =>
  venues.map(({ facts }) => facts.exchange).sort(byName),
);

const topCoins = perSnapshot((table: Table): readonly string[] => {
  const volume = table.numbers('volume_24h_usdt');
  const rows = Array.from({ length: table.rowCount }, (_, row) => row);
  rows.sort((a, b) => (volume[b] ?? 0) - (volume[a] ?? 0));
  return rows.slice(0, MOST_COINS).map((row) => table.text('coin', row));
});
