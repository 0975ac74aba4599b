import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import {
  type Memory,
  type ReferenceQuote,
  type ReferenceRow,
  referencePrint,
} from '../../../test/spreads/reference.ts';
import { MadeMarket } from '../../../test/support/made-market.ts';
import type { Table } from '../../market/tables/table.ts';
import { decodeTable, encodeTable } from '../../market/tables/table-codec.ts';
import { VENUES } from '../../venues/registry.ts';
import { LEGS_TABLE } from './legs.ts';
import { rowsFromLegs } from './rows.ts';
import { SpreadTableBuilder } from './table-builder.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);
const EXCHANGES = ['Binance', 'Bybit', 'OKX', 'Kraken', 'dYdX', 'Gate'];
const COINS = ['BTC', 'ETH', 'PEPE', 'DOGE', 'SUI', 'NEIRO'];
/** One unit of the last decimal, where rounding up and down are both right. */
const PERCENT_STEP = 1.5e-8;

/** Small numbers from a seed, so that a failing market can be repeated. */
function dice(seed: number) {
  let state = seed;
  const unit = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return { unit, isOneIn: (n: number) => unit() * n < 1, below: (n: number) => Math.floor(unit() * n) };
}

function firstQuotes(random: ReturnType<typeof dice>): ReferenceQuote[] {
  const quotes: ReferenceQuote[] = [];
  for (const coin of COINS) {
    for (const exchange of EXCHANGES) {
      if (random.isOneIn(4)) continue;
      const multiplier = coin === 'PEPE' && exchange !== 'OKX' ? 1000 : 1;
      const base = multiplier === 1 ? coin : `1000${coin}`;
      const takerFeePct =
        VENUES.find((venue) => venue.facts.exchange === exchange)?.facts.takerFeePct.value ?? 0;
      // Some venues use this ticker for another coin.
      const isNamesake = coin === 'NEIRO' && random.isOneIn(3);
      for (const quote of ['USDT', 'USDC', 'USD']) {
        if (random.isOneIn(2)) continue;
        const bid = 2 * multiplier * (isNamesake ? 1.6 : 1);
        const one = { exchange, base, quote, bid, ask: bid, receivedAtMs: START_MS, takerFeePct };
        quotes.push({ ...one, bidSize: 1, askSize: 1, volume24hUsdt: 1e6, isInverse: random.isOneIn(15) });
      }
    }
  }
  return quotes;
}

function moved(quote: ReferenceQuote, random: ReturnType<typeof dice>, atMs: number): ReferenceQuote {
  const middle = (quote.bid + quote.ask) / 2 || 2;
  const bid = Number((middle * (1 + (random.unit() - 0.5) * 0.02)).toPrecision(6));
  const ask = Number((bid * (1 + random.unit() * 0.002)).toPrecision(7));
  const size = () => (random.isOneIn(6) ? null : (random.unit() * 1000) / bid);
  const next = {
    ...quote,
    bid,
    ask,
    bidSize: size(),
    askSize: size(),
    volume24hUsdt: random.below(2_000_000),
    receivedAtMs: atMs,
  };
  if (random.isOneIn(20)) return { ...next, ask: bid * 0.9 };
  if (random.isOneIn(30)) return { ...next, bid: 0 };
  return random.isOneIn(40)
    ? { ...next, bid: Math.round(bid * 1.3e4) / 1e4, ask: Math.round(ask * 1.3e4 + 1) / 1e4 }
    : next;
}

function rowsOf(table: Table): Record<string, unknown>[] {
  return Array.from({ length: table.rowCount }, (_, row) => JSON.parse(table.rowJson(row)));
}

function assertSame(rows: Record<string, unknown>[], expected: ReferenceRow[], what: string) {
  const sorted = expected.toSorted((x, y) => (nameOf(x) < nameOf(y) ? -1 : 1));
  assert.deepEqual(rows.map(nameOf), sorted.map(nameOf), what);
  for (const [i, { updated_at_ms, ...wanted }] of sorted.entries()) {
    const row = rows[i] ?? {};
    assert.equal(Date.parse(String(row.updated_at)), updated_at_ms, what);
    for (const [name, value] of Object.entries(wanted)) {
      if (name.endsWith('_pct'))
        assert.ok(
          Math.abs(Number(row[name]) - Number(value)) <= PERCENT_STEP,
          `${what}: ${name} ${row[name]} ${value}`,
        );
      else assert.equal(row[name], value, `${what}: ${name} of ${nameOf(row)}`);
    }
  }
}

function nameOf(row: { coin?: unknown; exchange_a?: unknown; exchange_b?: unknown }): string {
  return `${row.coin} ${row.exchange_a} ${row.exchange_b}`;
}

suite('the print compared with a plain reference', () => {
  test('has the same rows on random markets, print by print, from the stored legs', () => {
    let rowsSeen = 0;
    const strengthsSeen = new Set<unknown>();
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (seed) => {
        const random = dice(seed);
        const made = new MadeMarket();
        const builder = new SpreadTableBuilder();
        const memory: Memory = { directions: [], rates: new Map() };
        let quotes = firstQuotes(random);
        let nowMs = START_MS;
        made.hear(quotes, nowMs);
        made.freezer.freeze(nowMs);
        for (let round = 0; round < 10; round++) {
          nowMs += [5000, 5000, 12_000, 40_000][random.below(4)] ?? 0;
          const share = 1 + random.below(3);
          const fresh = quotes.map((quote) => (random.isOneIn(share) ? moved(quote, random, nowMs) : quote));
          const news = fresh.filter((quote) => quote.receivedAtMs === nowMs);
          // A reply in which no row changed counts as frozen; another test covers that.
          made.hear(news, nowMs);
          quotes = fresh;
          if (random.isOneIn(4)) {
            const gone = quotes[random.below(quotes.length)];
            if (gone) made.delist(gone.exchange, `${gone.base}${gone.quote}`, nowMs);
            quotes = quotes.filter((quote) => quote !== gone);
          }
          if (random.isOneIn(2)) made.freezer.freeze(nowMs);
          const { identities } = made.freezer;
          const { rowCount, legs } = builder.build(made.market.states(), identities, nowMs);
          const expected = referencePrint(quotes, identities, nowMs, memory);
          const stored = decodeTable(encodeTable(legs), LEGS_TABLE);
          assert.ok(stored);
          const printed = rowsOf(rowsFromLegs(stored, nowMs));
          assertSame(printed, expected, `seed ${seed}, print ${round}`);
          assert.equal(printed.length, rowCount);
          rowsSeen += printed.length;
          for (const row of printed) strengthsSeen.add(row.strength);
        }
      }),
      { numRuns: 60 },
    );
    assert.ok(rowsSeen > 5000, `${rowsSeen} rows were compared`);
    assert.ok(strengthsSeen.size >= 5, `strengths ${[...strengthsSeen].join()}`);
  });
});
