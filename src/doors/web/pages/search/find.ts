import type { Table } from '../../../../market/tables/table.ts';
import { DOCUMENTS } from '../../../documents/registry.ts';
import type { PageContext } from '../page-context.ts';
import { averageApr } from './average-rate.ts';
import { COIN_NAMES, OTHER_COIN_NAMES } from './coin-names.ts';

export interface Found {
  kind: 'coin' | 'venue' | 'doc';
  /** Ticker, venue name or title. */
  name: string;
  path: string;
  /** A name of the coin, or a description. */
  note: string;
  /** The average APR of a coin by volume; null if it is unknown. */
  aprPct: number | null;
}

const MOST_COINS = 8;
const MOST_VENUES = 5;
const MOST_DOCS = 5;

/** Lower is better; null: the text does not match. The names of a coin count word by word. */
function rankOf(query: string, name: string, words = ''): number | null {
  const text = name.toLowerCase();
  if (text === query) return 0;
  const others = words.toLowerCase();
  if (others === query || others.split(' ').includes(query)) return 1;
  if (text.startsWith(query)) return 2;
  if (` ${others}`.includes(` ${query}`)) return 3;
  return query.length > 1 && text.includes(query) ? 4 : null;
}

interface Ranked {
  rank: number;
  weight: number;
  found: Found;
}

function best(ranked: readonly (Ranked | null)[], most: number): Found[] {
  return ranked
    .filter((one) => one !== null)
    .sort((a, b) => a.rank - b.rank || b.weight - a.weight)
    .slice(0, most)
    .map(({ found }) => found);
}

/** Coins by ticker and name, the most traded first, then venues, then documents. An empty query finds the top coins. */
export function find({ entrance, caller }: Pick<PageContext, 'entrance' | 'caller'>, text: string): Found[] {
  const query = text.trim().toLowerCase();
  const { delaySeconds } = caller.plan;
  const nowMs = entrance.clock.nowMs();
  const coins = entrance.data.coins.at(delaySeconds, nowMs)?.table ?? null;
  const rates = entrance.data.funding.at(delaySeconds, nowMs)?.table ?? null;
  const found = coins === null ? [] : coinsFor(coins, rates, query);
  if (query === '') return found;
  const venues = entrance.data.venues.map(({ facts }): Ranked | null => {
    const rank = rankOf(query, facts.exchange, facts.name);
    const path = `/exchanges/${encodeURIComponent(facts.exchange)}`;
    const note = facts.name === facts.exchange ? 'Venue' : facts.name;
    return rank === null
      ? null
      : { rank, weight: 0, found: { kind: 'venue', name: facts.exchange, path, note, aprPct: null } };
  });
  const docs = DOCUMENTS.map(({ title, description, path }): Ranked | null => {
    const rank = rankOf(query, title, description);
    return rank === null
      ? null
      : { rank, weight: 0, found: { kind: 'doc', name: title, path, note: description, aprPct: null } };
  });
  return [...found, ...best(venues, MOST_VENUES), ...best(docs, MOST_DOCS)];
}

function coinsFor(coins: Table, rates: Table | null, query: string): Found[] {
  const volume = coins.numbers('volume_24h_usdt');
  const ranked: (Ranked | null)[] = [];
  for (let row = 0; row < coins.rowCount; row++) {
    const name = coins.text('coin', row);
    const note = COIN_NAMES.get(name) ?? '';
    const rank = query === '' ? 0 : rankOf(query, name, `${note} ${OTHER_COIN_NAMES.get(name) ?? ''}`);
    if (rank === null) continue;
    const path = `/funding/${encodeURIComponent(name)}`;
    ranked.push({ rank, weight: volume[row] ?? 0, found: { kind: 'coin', name, path, note, aprPct: null } });
  }
  const found = best(ranked, MOST_COINS);
  const average = rates === null ? null : averageApr(rates);
  return found.map((one) => ({ ...one, aprPct: average?.get(one.name) ?? null }));
}
