import { shiftDecimal } from '../../base/numbers.ts';
import { MINUTE_MS, nextFullHourMs } from '../../base/times.ts';
import { amountOf, epochMsOf, positiveOf, textOf } from '../fields.ts';
import { HeldTops } from '../held-tops.ts';
import { type Batch, type Contract, emptyBatch, isLive } from '../observations.ts';
import { ignore, isRow, NOT_LISTED, type Row, readRows, rowOf } from '../reading.ts';
import { readTop } from '../units.ts';
import type { ParseContext, Stream, StreamSession } from '../venue.ts';
import { addMarketFigures } from './parse.ts';
import {
  INTERVAL_HOURS,
  MARKETS_PER_SOCKET,
  SUBSCRIPTIONS_PER_MINUTE,
  UNANSWERED_SUBSCRIPTIONS,
} from './wire.ts';

export function subscription(channel: string): string {
  return JSON.stringify({ type: 'subscribe', channel });
}

/**
 * `market_stats/all` has rates, volumes and best prices of all markets in one subscription; sizes need one `ticker`
 * subscription per market. These are sent gradually, because the venue limits their number.
 */
class MarketSession implements StreamSession {
  readonly opening: readonly string[];
  readonly #symbols: ReadonlyMap<string, string>;
  #waiting: string[];
  readonly #unanswered = new Set<string>();
  #sentAtMs: number[] | null = null;
  #pausedUntilMs = 0;
  readonly #withTicker = new Set<string>();
  readonly #held = new HeldTops();

  constructor(contracts: readonly Contract[]) {
    this.#symbols = new Map(contracts.map((contract) => [contract.venueId ?? '', contract.venueSymbol]));
    this.#waiting = [...this.#symbols.keys()];
    const first = this.#waiting.splice(0, UNANSWERED_SUBSCRIPTIONS);
    for (const id of first) this.#unanswered.add(id);
    this.opening = ['market_stats/all', ...first.map((id) => `ticker/${id}`)].map(subscription);
  }

  receive(message: unknown, context: ParseContext): { batch: Batch; replies: string[] } {
    const batch = emptyBatch();
    const row = rowOf(message, 'message');
    const type = textOf(row.type) ?? '';
    this.#sentAtMs ??= this.opening.map(() => context.receivedAtMs);
    if (type.endsWith('/market_stats')) this.#readStats(row, context, batch);
    else if (type.endsWith('/ticker')) this.#readTicker(row, context, batch);
    else if (row.error !== undefined || type === 'error') this.#pause(context.receivedAtMs, batch);
    batch.bookTops.push(...this.#held.due(context));
    const replies = this.#next(context.receivedAtMs);
    if (type === 'ping') replies.push(JSON.stringify({ type: 'pong' }));
    return { batch, replies };
  }

  #readStats(message: Row, context: ParseContext, batch: Batch): void {
    const stats = message.market_stats;
    if (!isRow(stats)) {
      batch.ignored.set('message without content', 1);
      return;
    }
    // A message about one market has its figures where a message about all has one object per market.
    const rows = 'market_id' in stats ? [stats] : Object.values(stats);
    readRows(rows, batch, 'symbol', (row, venueSymbol) => {
      const contract = context.contracts.get(venueSymbol);
      if (!contract || contract.venueId !== String(row.market_id)) return NOT_LISTED;
      if (!isLive(contract)) return ignore('not trading');
      const venueTimeMs = epochMsOf(message.timestamp);
      const volume24hUsdt = amountOf(row.daily_quote_token_volume);
      const referencePrice = positiveOf(row.last_trade_price) ?? positiveOf(row.mark_price);
      addMarketFigures(batch, contract, row, 'quote');
      if (volume24hUsdt !== null) batch.dayVolumes.push({ venueSymbol, volume24hUsdt, referencePrice });
      if (!this.#withTicker.has(venueSymbol)) {
        const fields = { bidPrice: row.best_bid_price, askPrice: row.best_ask_price };
        const top = readTop(contract, { ...fields, bidSize: null, askSize: null }, 'base', venueTimeMs);
        if (typeof top !== 'string') batch.bookTops.push(top);
      }
      // The upcoming payment in percent of one hour; `funding_rate` beside it is the last one paid.
      const ratePct = shiftDecimal(row.current_funding_rate, 0);
      if (ratePct === null) return 'no rate';
      batch.fundingQuotes.push({
        venueSymbol,
        ratePct,
        nextFundingAtMs: nextFullHourMs(context.receivedAtMs),
        intervalHours: INTERVAL_HOURS,
        venueTimeMs,
      });
      return volume24hUsdt === null ? 'no volume' : null;
    });
  }

  #readTicker(message: Row, context: ParseContext, batch: Batch): void {
    const id = textOf(message.channel)?.split(':')[1] ?? '';
    this.#unanswered.delete(id);
    const contract = context.contracts.get(this.#symbols.get(id) ?? '');
    if (!contract) return;
    const { ticker } = message;
    // The held top stays valid: the message says nothing about it.
    if (!isRow(ticker)) {
      batch.ignored.set('message without content', 1);
      return;
    }
    const [bid, ask] = [ticker.b, ticker.a].map((side) => (isRow(side) ? side : {}));
    this.#withTicker.add(contract.venueSymbol);
    this.#held.drop(contract.venueSymbol);
    // An empty side has "" for a price.
    if (!positiveOf(bid?.price) || !positiveOf(ask?.price)) {
      batch.ignored.set('one-sided book', 1);
      return;
    }
    const fields = { bidPrice: bid?.price, bidSize: bid?.size, askPrice: ask?.price, askSize: ask?.size };
    const top = readTop(contract, fields, 'base', epochMsOf(message.timestamp));
    if (typeof top === 'string') {
      batch.rejected.push({ venueSymbol: contract.venueSymbol, reason: top });
      return;
    }
    this.#held.hold(top);
    batch.bookTops.push(top);
  }

  /** The venue rejects a message without naming it, most likely because there were too many. */
  #pause(receivedAtMs: number, batch: Batch): void {
    batch.rejected.push({ venueSymbol: null, reason: 'error message' });
    this.#pausedUntilMs = receivedAtMs + MINUTE_MS;
    this.#waiting.push(...this.#unanswered);
    this.#unanswered.clear();
  }

  #next(receivedAtMs: number): string[] {
    if (this.#waiting.length === 0) return [];
    const recent = (this.#sentAtMs ?? []).filter((sentAtMs) => receivedAtMs - sentAtMs < MINUTE_MS);
    const free = Math.min(
      UNANSWERED_SUBSCRIPTIONS - this.#unanswered.size,
      SUBSCRIPTIONS_PER_MINUTE - recent.length,
    );
    const ids = receivedAtMs < this.#pausedUntilMs ? [] : this.#waiting.splice(0, Math.max(0, free));
    for (const id of ids) {
      this.#unanswered.add(id);
      recent.push(receivedAtMs);
    }
    this.#sentAtMs = recent;
    return ids.map((id) => subscription(`ticker/${id}`));
  }
}

export const marketStream: Stream = {
  name: 'market_stats and ticker',
  gives: [
    'rate',
    'interval',
    'next settlement',
    'volume',
    'bid and ask',
    'sizes',
    'mark price',
    'index price',
    'open interest',
  ],
  host: 'ws',
  path: '/stream?readonly=true',
  call: 'market_stats/all, ticker/{market_id}',
  contractsPerSocket: MARKETS_PER_SOCKET,
  applies: isLive,
  open: (contracts) => new MarketSession(contracts),
  // The venue closes a connection that has sent nothing for two minutes.
  heartbeat: { everySeconds: 60, message: () => JSON.stringify({ type: 'ping' }) },
  silenceSeconds: 30,
};
