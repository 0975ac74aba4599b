import './migrations/0150-venue-sides.ts';
import type { Storage } from './storage.ts';

export interface StoredSides {
  exchange: string;
  figure: string;
  counts: string;
  releaseSaid: string;
  setAtMs: number;
}

export async function loadVenueSides({ db }: Storage): Promise<StoredSides[]> {
  const rows = await db.selectFrom('venue_sides').selectAll().orderBy('exchange').orderBy('figure').execute();
  return rows.map(({ exchange, figure, counts, release_said, set_at_ms }) => ({
    ...{ exchange, figure, counts },
    releaseSaid: release_said,
    setAtMs: Number(set_at_ms),
  }));
}

export async function saveVenueSides({ db }: Storage, sides: StoredSides): Promise<void> {
  const { exchange, figure, counts, releaseSaid, setAtMs } = sides;
  const values = { counts, release_said: releaseSaid, set_at_ms: setAtMs };
  await db
    .insertInto('venue_sides')
    .values({ exchange, figure, ...values })
    .onConflict((conflict) => conflict.columns(['exchange', 'figure']).doUpdateSet(values))
    .execute();
}

export async function deleteVenueSides(
  { db }: Storage,
  { exchange, figure }: Pick<StoredSides, 'exchange' | 'figure'>,
): Promise<void> {
  await db.deleteFrom('venue_sides').where('exchange', '=', exchange).where('figure', '=', figure).execute();
}
