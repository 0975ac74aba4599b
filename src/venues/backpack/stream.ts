import { HeldTops } from '../held-tops.ts';
import { type Batch, type Contract, emptyBatch, isLive } from '../observations.ts';
import { BadReply, isRow, NOT_LISTED, readRows, rowOf } from '../reading.ts';
import { readTop } from '../units.ts';
import type { ParseContext, Stream, StreamSession } from '../venue.ts';
import { microsecondsOf } from './parse.ts';
import { SILENT_AFTER_MS } from './wire.ts';

function subscription(venueSymbols: readonly string[]): string {
  const params = venueSymbols.map((venueSymbol) => `bookTicker.${venueSymbol}`);
  return JSON.stringify({ method: 'SUBSCRIBE', params });
}

/** The venue acknowledges no subscription and refuses none: a market that it does not know is silent. */
class SilentMarkets {
  readonly #markets: Set<string>;
  #sinceMs: number | null = null;

  constructor(contracts: readonly Contract[]) {
    this.#markets = new Set(contracts.map((contract) => contract.venueSymbol));
  }

  hasSpoken(venueSymbol: string): void {
    this.#markets.delete(venueSymbol);
  }

  /** Reports the live markets that have been silent for too long, and returns the message that requests them again. */
  due({ receivedAtMs, contracts }: ParseContext, batch: Batch): string[] {
    this.#sinceMs ??= receivedAtMs;
    if (receivedAtMs - this.#sinceMs < SILENT_AFTER_MS) return [];
    this.#sinceMs = receivedAtMs;
    const silent = [...this.#markets].filter((venueSymbol) => {
      const contract = contracts.get(venueSymbol);
      return contract !== undefined && isLive(contract);
    });
    for (const venueSymbol of silent)
      batch.rejected.push({ venueSymbol, reason: 'no message since the subscription' });
    return silent.length === 0 ? [] : [subscription(silent)];
  }
}

/** A top is sent only when it changes. */
function openBookTickers(contracts: readonly Contract[]): StreamSession {
  const held = new HeldTops();
  const silent = new SilentMarkets(contracts);
  return {
    opening: [subscription(contracts.map((contract) => contract.venueSymbol))],
    receive: (message, context) => {
      const batch = emptyBatch();
      const row = rowOf(message, 'message');
      // One wrong market fails the subscription of all, so reconnect with the contract list of that time.
      if (row.error !== undefined) {
        throw new BadReply(isRow(row.error) ? String(row.error.message) : 'error message');
      }
      if (row.stream !== undefined) {
        readRows([row.data], batch, 's', (data, venueSymbol) => {
          silent.hasSpoken(venueSymbol);
          const contract = context.contracts.get(venueSymbol);
          if (!contract) return NOT_LISTED;
          const fields = { bidPrice: data.b, bidSize: data.B, askPrice: data.a, askSize: data.A };
          const top = readTop(contract, fields, 'base', microsecondsOf(data.T) ?? microsecondsOf(data.E));
          if (typeof top === 'string') {
            held.drop(venueSymbol);
            return top;
          }
          held.hold(top);
          batch.bookTops.push(top);
          return null;
        });
      }
      batch.bookTops.push(...held.due(context));
      return { batch, replies: silent.due(context, batch) };
    },
  };
}

export const bookTickerStream: Stream = {
  name: 'bookTicker',
  gives: ['bid and ask', 'sizes'],
  host: 'ws',
  path: '/',
  call: 'bookTicker.{symbol}',
  contractsPerSocket: 200,
  applies: isLive,
  open: openBookTickers,
  heartbeat: null,
  silenceSeconds: 60,
};
