import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { Universe } from '../../../sim/contracts.ts';
import type { SimVenue } from '../../../sim/venue.ts';
import { SIM_VENUES } from '../../../sim/venues/registry.ts';
import { viewAt } from '../../../sim/view.ts';
import { observeSim, whileOpen } from '../../../test/support/observe.ts';
import {
  type CcxtMarket,
  isInCcxt,
  NOT_IN_CCXT,
  secondOpinion,
} from '../../../test/support/second-opinion.ts';
import { FIELDS, type Field, type Pair, VERDICTS } from '../../../test/venues/ccxt-verdicts.ts';
import { DAY_MS } from '../../base/times.ts';
import { VENUES } from '../registry.ts';
import type { Venue } from '../venue.ts';

/**
 * Compares our parsers with ccxt's on the same simulated replies. Where ccxt is right both must agree; where it is known
 * to be wrong or to lack a field, the test's name says why, and the test fails when a later ccxt is right.
 */
const AT_MS = Date.UTC(2026, 10, 14, 9, 31, 7);
const HISTORY_MS = 3 * DAY_MS;
/** Books and history need a call per contract; every eighth contract is enough. */
const EACH_STEP = 8;

interface CcxtRate {
  fundingRate?: number;
  fundingTimestamp?: number;
  nextFundingTimestamp?: number;
  interval?: string;
}
interface CcxtTop {
  bid?: number;
  bidVolume?: number;
  quoteVolume?: number;
}

function simOf(venue: Venue): SimVenue {
  const sim = SIM_VENUES.find((candidate) => candidate.profile.slug === venue.slug);
  if (!sim) throw new Error(`no simulator for ${venue.slug}`);
  return sim;
}

/** A call that ccxt does not offer, that needs a key, or that the simulator does not answer because we never make it. */
async function orNothing<T>(run: () => Promise<unknown>): Promise<T | null> {
  try {
    return (await run()) as T;
  } catch (error) {
    const name = error instanceof Error ? error.constructor.name : '';
    if (['NotSupported', 'NetworkError', 'ArgumentsRequired', 'AuthenticationError'].includes(name))
      return null;
    throw error;
  }
}

async function compare(venue: Venue): Promise<Map<Field, Pair[]>> {
  const sim = simOf(venue);
  const atMs = whileOpen(venue, AT_MS);
  const view = viewAt(new Universe(1, 40), sim.profile, atMs);
  const { exchange, market, historyParameters, bookLevels } = await secondOpinion(venue, sim, view);
  const { contracts, batch, context } = await observeSim(venue, sim, view);
  const by = <Row extends { venueSymbol: string }>(rows: readonly Row[]) =>
    new Map(rows.map((row) => [row.venueSymbol, row]));
  const quotes = by(batch.fundingQuotes);
  const schedules = by(batch.fundingSchedules);
  const tops = by(batch.bookTops);
  const volumes = by(batch.dayVolumes);
  const polledBooks = by(venue.polls.some(({ gives }) => gives.includes('books')) ? batch.depths : []);
  const rates = await orNothing<Record<string, CcxtRate>>(() => exchange.fetchFundingRates());
  const tickers = await orNothing<Record<string, CcxtTop>>(() => exchange.fetchTickers());
  const bids = await orNothing<Record<string, CcxtTop>>(() => exchange.fetchBidsAsks());

  const found = new Map<Field, Pair[]>();
  const trading = [...contracts.values()].filter((contract) => contract.status === 'trading');
  for (const [index, contract] of trading.entries()) {
    const known: CcxtMarket | undefined = market(contract);
    if (!known) continue;
    const { venueSymbol } = contract;
    const top = tops.get(venueSymbol);
    const price = top?.bidPrice ?? 1;
    const note = (field: Field, ours: Pair['ours'] | null | undefined, ccxt: unknown) => {
      if (ours === null || ours === undefined) return;
      const named = (contract.isInverse ? `inverse ${field}` : field) as Field;
      if (!FIELDS.includes(named)) return;
      const pairs = found.get(named) ?? [];
      found.set(named, [...pairs, { contract, price, ours, ccxt: (ccxt ?? undefined) as Pair['ccxt'] }]);
    };
    note('contract size', contract.contractSize, known.contractSize);
    const quote = quotes.get(venueSymbol);
    const schedule = schedules.get(venueSymbol);
    const rate = rates
      ? rates[known.symbol]
      : await orNothing<CcxtRate>(() => exchange.fetchFundingRate(known.symbol));
    if (rate) {
      note('rate', quote?.ratePct, rate.fundingRate === undefined ? undefined : rate.fundingRate * 100);
      // Where the venue gives no time, ours is null, and ccxt may have any time in the future.
      const next = quote?.nextFundingAtMs ?? schedule?.nextFundingAtMs ?? 0;
      note('fundingTimestamp', next, rate.fundingTimestamp);
      note('nextFundingTimestamp', next, rate.nextFundingTimestamp);
      const hours = quote?.intervalHours ?? schedule?.intervalHours ?? contract.intervalHours;
      note('interval', hours === null ? null : `${hours}h`, rate.interval);
    }
    const ticker = tickers?.[known.symbol];
    const bid = bids?.[known.symbol] ?? ticker;
    if (bid) note('bid', top?.bidPrice, bid.bid);
    if (bid) note('bid size', top?.bidSize, bid.bidVolume);
    if (ticker) note('volume', volumes.get(venueSymbol)?.volume24hUsdt, ticker.quoteVolume);
    const isSampled = index % EACH_STEP === 0 || contract.isInverse;
    if (!isSampled) continue;
    const book = await orNothing<{ bids: [number, number][] }>(() =>
      exchange.fetchOrderBook(known.symbol, bookLevels),
    );
    const depth = book ? ((await venue.depth?.(contract, context)) ?? polledBooks.get(venueSymbol)) : null;
    note('book price', depth?.bids[0]?.[0], book?.bids[0]?.[0]);
    note('book size', depth?.bids[0]?.[1], book?.bids[0]?.[1]);
    const window = { fromMs: atMs - HISTORY_MS, toMs: atMs };
    const prints = await orNothing<{ timestamp: number; fundingRate: number }[]>(() =>
      exchange.fetchFundingRateHistory(known.symbol, window.fromMs, 100, historyParameters),
    );
    if (!prints) continue;
    for (const print of (await venue.settlements(contract, window, context)).settlements) {
      const same = prints.find((other) => Math.abs(other.timestamp - print.settledAtMs) < 60_000);
      note('history', print.ratePct, same ? same.fundingRate * 100 : undefined);
    }
  }
  return found;
}

function isSame({ ours, ccxt }: Pair): boolean {
  if (typeof ours === 'string' || typeof ccxt !== 'number') return ours === ccxt;
  return Math.abs(ours - ccxt) <= Math.abs(ours) * 1e-9 + 1e-12;
}

function show(pairs: readonly Pair[]): string {
  const some = pairs.slice(0, 3).map((p) => `${p.contract.venueSymbol} ours ${p.ours}, ccxt ${p.ccxt}`);
  return some.join('; ');
}

for (const { slug, facts } of VENUES.filter((venue) => NOT_IN_CCXT.has(venue.slug))) {
  test(`${facts.exchange}: ccxt still does not have it`, () => assert.equal(isInCcxt(slug), false));
}

for (const venue of VENUES.filter(({ slug }) => !NOT_IN_CCXT.has(slug))) {
  const verdicts = VERDICTS[venue.slug] ?? {};
  const hasInverse = simOf(venue).profile.inverseQuote !== null;
  suite(`${venue.facts.exchange} beside ccxt`, () => {
    let found = new Map<Field, Pair[]>();
    before(async () => {
      found = await compare(venue);
    });
    for (const field of FIELDS.filter((name) => hasInverse || !name.startsWith('inverse'))) {
      const differs = verdicts.differs?.[field];
      const silent = verdicts.silent?.[field];
      const incomparable = verdicts.incomparable?.[field];
      const pairs = () => found.get(field) ?? [];
      if (differs) {
        test(`${field} differs: ${differs.why}`, () => {
          const unlike = pairs().filter((pair) => !isSame(pair));
          assert.ok(unlike.length > 0, 'ccxt agrees now: compare the two from here on');
          if (differs.by) assert.deepEqual(show(unlike.filter((pair) => !differs.by?.(pair))), '');
        });
      } else if (silent !== undefined) {
        test(`${field} is missing in ccxt: ${silent}`, () => {
          assert.ok(pairs().length > 0, 'ours are known');
          assert.equal(show(pairs().filter((pair) => pair.ccxt !== undefined)), '');
        });
      } else if (incomparable !== undefined) {
        test(`${field} cannot be compared: ${incomparable}`, () => {
          assert.equal(show(pairs().filter((pair) => pair.ccxt !== undefined)), '');
        });
      } else {
        test(`${field} is the same`, () => {
          assert.ok(pairs().length > 0, 'something was compared');
          assert.equal(show(pairs().filter((pair) => !isSame(pair))), '');
        });
      }
    }
  });
}
