import type { Table } from '../../../market/tables/table.ts';
import type { Venue } from '../../../venues/venue.ts';
import type { PageContext } from '../market-page.ts';
import type { FilterChoices } from './filter-bar.ts';

/** More would weigh on every page; the search field knows all coins. */
const MOST_COINS = 80;
const known = new WeakMap<Table, readonly string[]>();
/** The same list each time, so that its HTML can be kept with it. */
const venueNames = new WeakMap<readonly Venue[], readonly string[]>();

/** The names that filters suggest: the most traded coins and all venues. */
export function filterChoices({ entrance, caller }: Pick<PageContext, 'entrance' | 'caller'>): FilterChoices {
  const snapshot = entrance.data.coins.at(caller.plan.delaySeconds, entrance.clock.nowMs());
  return { coins: snapshot ? topCoins(snapshot.table) : [], exchanges: namesOf(entrance.data.venues) };
}

function namesOf(venues: readonly Venue[]): readonly string[] {
  let names = venueNames.get(venues);
  if (!names) {
    names = venues.map(({ facts }) => facts.exchange);
    venueNames.set(venues, names);
  }
  return names;
}

function topCoins(table: Table): readonly string[] {
  let coins = known.get(table);
  if (!coins) {
    const volume = table.numbers('volume_24h_usdt');
    const rows = Array.from({ length: table.rowCount }, (_, row) => row);
    rows.sort((a, b) => (volume[b] ?? 0) - (volume[a] ?? 0));
    coins = rows.slice(0, MOST_COINS).map((row) => table.text('coin', row));
    known.set(table, coins);
  }
  return coins;
}
