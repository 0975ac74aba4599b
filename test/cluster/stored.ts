import pg from 'pg';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { SettlementKeeper } from '../../src/history/settlements/keeper.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { venueOf } from '../history/keeping.ts';
import { until } from '../support/until.ts';

export async function query<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until a list of every part of the venues is stored: only what comes later is a listing. */
export async function untilListsStored(databaseUrl: string, slugs: readonly string[]): Promise<void> {
  const polls = slugs.flatMap((slug) =>
    venueOf(slug).polls.filter(({ gives }) => gives.includes('contracts')),
  );
  await until(async () => {
    const rows = await query<{ parts: number }>(
      databaseUrl,
      'select count(*)::int as parts from listing_parts',
    );
    return rows[0]?.parts === polls.length;
  }, 'the lists of all venues');
}

/** Contracts with a listing row, by exchange and venue symbol. */
export async function venueSymbolsListed(databaseUrl: string): Promise<Set<string>> {
  const rows = await query<{ exchange: string; venue_symbol: string }>(
    databaseUrl,
    `select e.exchange, v.venue_symbol from listing_episodes e join listing_versions v using (detected_at_ms)
     where e.kind = 'listing' and v.venue_symbol is not null`,
  );
  return new Set(rows.map((row) => `${row.exchange} ${row.venue_symbol}`));
}

/** Times of the stored snapshots of a series. */
export async function framesHeld(databaseUrl: string, series: string): Promise<Set<number>> {
  const rows = await query<{ at: string }>(
    databaseUrl,
    `select as_of_ms::text as at from snapshot_frames where series = '${series}'`,
  );
  return new Set(rows.map((row) => Number(row.at)));
}

/** The number of stored prints of each contract since the time, by exchange and venue symbol. */
export async function printsHeld(databaseUrl: string, fromMs: number): Promise<Map<string, number>> {
  const log = createLog('silent');
  const storage = await openStorage({ databaseUrl, sqliteFile: '', log });
  try {
    const options = { storage, clock: systemClock, log, metrics: createMetrics(), isReader: true };
    const keeper = await SettlementKeeper.open(options);
    const held = new Map<string, number>();
    for (const contract of keeper.directory.all()) {
      const { minutes } = await keeper.prints(contract, fromMs, systemClock.nowMs());
      if (minutes.length > 0) held.set(`${contract.exchange} ${contract.venueSymbol}`, minutes.length);
    }
    return held;
  } finally {
    await storage.close();
  }
}
