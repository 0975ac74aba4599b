import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Universe } from '../../sim/contracts.ts';
import { quoteAt } from '../../sim/market.ts';
import { SIM_VENUES } from '../../sim/venues/registry.ts';
import { createLog } from '../../src/base/log.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import { encodeDay } from '../../src/history/tape/block.ts';
import { premiumPct, rounded, TapeSeries } from '../../src/history/tape/series.ts';
import { DAY_MINUTES, TapeStore } from '../../src/history/tape/store.ts';
import { tapeDayId } from '../../src/storage/blocks.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { startScript } from '../processes.ts';
import { END_MS } from './prints.ts';

export const TAPE_DAYS = 30;
const TO_MINUTE = END_MS / MINUTE_MS - 1;
const FROM_MINUTE = END_MS / MINUTE_MS - TAPE_DAYS * DAY_MINUTES;

export interface BenchTape {
  /** Reads the running rates of 30 days of a contract by minute. */
  ours(contract: number): Promise<Float64Array>;
  /** The same rows of a plain table with an index on contract and minute. */
  plain(contract: number): number;
  close(): Promise<void>;
}

/** The simulator's figures of some contracts, in the store and in a plain table. */
export async function buildTape(folder: string, contracts: number): Promise<BenchTape> {
  const log = createLog('silent');
  const storage = await openStorage({ databaseUrl: null, sqliteFile: join(folder, 'tape.sqlite'), log });
  const raw = new DatabaseSync(join(folder, 'raw-tape.sqlite'));
  raw.exec(`pragma journal_mode = wal; pragma synchronous = normal;
    create table raw_tape (contract_id integer not null, minute integer not null, rate_pct real not null,
      interval_hours integer, next_funding_at_ms integer, premium_pct real, primary key (contract_id, minute)) without rowid;
    begin`);
  const insert = raw.prepare('insert into raw_tape values (?, ?, ?, ?, ?, ?)');
  const profile = SIM_VENUES[0]?.profile;
  if (!profile) throw new Error('there is no simulated venue');
  const exchange = 'Binance';
  const chosen = new Universe(1, 2 * contracts).at(profile, END_MS).slice(0, contracts);
  for (const [place, contract] of chosen.entries()) {
    const id = place + 1;
    const names = { exchange, venue_symbol: `C${id}`, symbol: `C${id}-USDT`, coin: `C${id}` };
    await storage.db
      .insertInto('tape_contracts')
      .values({ id, ...names })
      .execute();
    for (let day = FROM_MINUTE / DAY_MINUTES; day < END_MS / MINUTE_MS / DAY_MINUTES; day++) {
      const series = new TapeSeries(day * DAY_MINUTES, DAY_MINUTES);
      for (let i = 0; i < DAY_MINUTES; i++) {
        const minute = day * DAY_MINUTES + i;
        const quote = quoteAt(contract, minute * MINUTE_MS + 55_000);
        const { rateE8, intervalHours, nextFundingAtMs, markPrice, indexPrice } = quote;
        const premium = premiumPct(markPrice, indexPrice);
        series.column('ratePct')[i] = rateE8 / 1e6;
        series.column('intervalHours')[i] = intervalHours;
        series.column('nextFundingAtMs')[i] = nextFundingAtMs;
        series.column('premiumPct')[i] = premium;
        const five = Math.floor(i / 5);
        series.column('markPrice')[five] = rounded('markPrice', markPrice);
        series.column('openInterestUsdt')[five] = rounded('openInterestUsdt', quote.openInterestContracts);
        series.column('volume24hUsdt')[five] = rounded('volume24hUsdt', quote.volume24hUsd);
        insert.run(id, minute, rateE8 / 1e6, intervalHours, nextFundingAtMs, premium);
      }
      await storage.db
        .insertInto('tape_days')
        .values(encodeDay(series).map((block, part) => ({ id: tapeDayId(day, id, part), block })))
        .execute();
    }
  }
  raw.exec('commit');
  const store = new TapeStore(storage, log);
  const query = raw.prepare(`select minute, rate_pct, interval_hours, next_funding_at_ms from raw_tape
    where contract_id = ? and minute between ? and ? order by minute`);
  return {
    ours: async (contract) => {
      const of = { exchange, venueSymbol: `C${1 + (contract % contracts)}` };
      const series = await store.series(of, FROM_MINUTE, TO_MINUTE, [
        'ratePct',
        'intervalHours',
        'nextFundingAtMs',
      ]);
      return series.column('ratePct');
    },
    plain: (contract) => query.all(1 + (contract % contracts), FROM_MINUTE, TO_MINUTE).length,
    close: async () => {
      raw.close();
      await storage.close();
    },
  };
}

/** What recording adds to the peak of a process, in MB. */
export async function recordingMb(contracts: number): Promise<number> {
  const peakMb = async (...flags: string[]) => {
    const program = startScript('bench/history/tape-memory.ts', ['--contracts', String(contracts), ...flags]);
    try {
      return (JSON.parse(await program.line(/^\{/)) as { peakMb: number }).peakMb;
    } finally {
      await program.stop();
    }
  };
  const without = await peakMb();
  return (await peakMb('--tape')) - without;
}
