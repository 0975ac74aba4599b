import type { PageContext } from '../../market-page.ts';

/** Venues that settle on a blockchain. */
const DEX: ReadonlySet<string> = new Set([
  'Aster',
  'dYdX',
  'edgeX',
  'Extended',
  'GRVT',
  'Hyperliquid',
  'Lighter',
  'Nado',
  'Orderly',
  'Pacifica',
  'Paradex',
]);

export type VenueGroup = 'cex' | 'dex';

export function groupOf(sent: PageContext['sent']): VenueGroup | null {
  const [named] = sent.get('group') ?? [];
  return named === 'cex' || named === 'dex' ? named : null;
}

/** The names of the served venues, of one group or of all. */
export function venuesIn({ entrance }: Pick<PageContext, 'entrance'>, group: VenueGroup | null): string[] {
  const all = entrance.data.venues.map(({ facts }) => facts.exchange);
  return group === null ? all : all.filter((exchange) => DEX.has(exchange) === (group === 'dex'));
}
