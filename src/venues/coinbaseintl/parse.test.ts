// There are no recorded replies of Coinbase International beside the checkout. The parser was compared with a row of
// 2026-09-12 that another project keeps.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent } from '../../../test/support/as-sent.ts';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import { hasEnded } from '../ended.ts';
import { BadReply } from '../reading.ts';
import { parseFunding, parseInstruments, parseQuote } from './parse.ts';
import { coinbaseintl } from './venue.ts';

const RECEIVED_MS = Date.UTC(2026, 8, 12, 18, 47, 45, 900);
const batch = parseInstruments(
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/instruments.json`, 'utf8')),
  { receivedAtMs: RECEIVED_MS, contracts: new Map() },
);
const contracts = new Map((batch.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const contractOf = (venueSymbol: string) => {
  const contract = contracts.get(venueSymbol);
  assert.ok(contract, venueSymbol);
  return contract;
};
const by = <T extends { venueSymbol: string }>(rows: T[]) =>
  new Map(rows.map((row) => [row.venueSymbol, row]));

suite('CoinbaseIntl contracts', () => {
  test('spot markets and other kinds are ignored, bad rows rejected with a reason', () => {
    assert.deepEqual(
      [...contracts.keys()],
      ['BTC-PERP', '1000SHIB-PERP', 'TSLA-PERP', 'OLD-PERP', 'SOON-PERP'],
    );
    assert.deepEqual(
      [...batch.ignored],
      [
        ['spot', 1],
        ['not a perpetual', 1],
      ],
    );
    assert.deepEqual(batch.rejected, [
      { venueSymbol: '1000SHIB-PERP', reason: 'no next settlement' },
      { venueSymbol: 'ODD-PERP', reason: 'unknown status SLEEPING' },
      { venueSymbol: 'BARE-PERP', reason: 'no base or quote' },
      { venueSymbol: null, reason: 'no symbol' },
    ]);
  });

  test('contracts are linear, settled in USDC, in base units; the base keeps its multiplier', () => {
    const { settle, isInverse, contractSize, maxLeverage } = contractOf('BTC-PERP');
    assert.deepEqual([settle, isInverse, contractSize, maxLeverage], ['USDC', false, 1, 50]);
    assert.equal(contractOf('1000SHIB-PERP').base, '1000SHIB');
  });

  test('only TRADING trades; what does not has no figures and is no bad row', () => {
    const states = ['BTC-PERP', 'TSLA-PERP', 'OLD-PERP', 'SOON-PERP'].map((name) => contractOf(name).status);
    assert.deepEqual(states, ['trading', 'halted', 'delisted', 'preopen']);
  });

  test('TSLA is a stock: the list does not say so', () => {
    assert.deepEqual(
      [contractOf('TSLA-PERP').assetClass, contractOf('BTC-PERP').assetClass],
      ['stock', 'crypto'],
    );
  });

  test('an error body is no empty list', () => {
    const context = { receivedAtMs: RECEIVED_MS, contracts };
    assert.throws(() => parseInstruments({ title: 'Forbidden', status: 403 }, context), BadReply);
  });

  test('the exchange closed on 2026-10-01 at 09:00:29 UTC, not at midnight: from then on it is not called', () => {
    assert.equal(hasEnded(coinbaseintl.facts, Date.UTC(2026, 9, 1, 9, 0, 28)), false);
    assert.equal(hasEnded(coinbaseintl.facts, Date.UTC(2026, 9, 1, 9, 0, 29)), true);
  });
});

suite('CoinbaseIntl figures', () => {
  const quote = by(batch.fundingQuotes).get('BTC-PERP');

  test('funding_interval is nanoseconds, not milliseconds: an hour', () => {
    assert.equal(quote?.intervalHours, 1);
  });

  test('predicted_funding is a fraction of the hour that runs', () => {
    assert.deepEqual([quote?.ratePct, quote?.venueTimeMs], [0.0012, Date.UTC(2026, 8, 12, 18, 47, 45, 92)]);
  });

  test('D7: no field has the next settlement, so it is the next full hour, and unknown for other intervals', () => {
    assert.equal(quote?.nextFundingAtMs, Date.UTC(2026, 8, 12, 19));
    assert.equal(by(batch.fundingQuotes).get('1000SHIB-PERP'), undefined);
  });

  test('sizes and open interest are coins, the turnover is dollars', () => {
    const top = by(batch.bookTops).get('BTC-PERP');
    assert.deepEqual(
      [top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize],
      [76_999.9, 4.4, 77_000, 3.9],
    );
    assert.equal(by(batch.dayVolumes).get('BTC-PERP')?.volume24hUsdt, 1_150_000_000.25);
    assert.deepEqual(by(batch.marketFigures).get('BTC-PERP'), {
      venueSymbol: 'BTC-PERP',
      markPrice: 77_000.5,
      indexPrice: 77_003.2,
      openInterestUsdt: 1500.5 * 77_000.5,
      openInterestCount: 1500.5,
    });
  });
});

suite('CoinbaseIntl history and books', () => {
  const window = { fromMs: Date.UTC(2024, 0, 1), toMs: Date.UTC(2024, 1, 10, 20) };
  const print = (atMs: number) => ({
    instrument_id: '149264167780483072',
    funding_rate: '0.000011',
    mark_price: '47388.1',
    event_time: new Date(atMs).toISOString(),
  });

  test('prints have ISO times; a full page leads to the next offset, a short one ends the walk', async () => {
    const times = Array.from({ length: 100 }, (_, i) => window.toMs - i * 3_600_000);
    const page = parseFunding({ results: times.map(print) }, contractOf('BTC-PERP'), window);
    assert.deepEqual(page.settlements[0], {
      venueSymbol: 'BTC-PERP',
      ratePct: 0.0011,
      settledAtMs: window.toMs,
    });
    assert.equal(page.next?.cursor, '2');
    const short = parseFunding({ results: times.slice(1).map(print) }, contractOf('BTC-PERP'), window);
    assert.equal(short.next, null);

    let query: Record<string, unknown> | undefined;
    const send = async (request: { query?: Record<string, unknown> }) => {
      query = request.query;
      return { payload: { results: [] }, receivedAtMs: RECEIVED_MS };
    };
    assert.ok(page.next);
    await coinbaseintl.settlements(contractOf('BTC-PERP'), page.next, { send, contracts });
    assert.deepEqual(query, { result_limit: 100, result_offset: 100 });
  });

  test('a book has one level, because no public call has more', () => {
    const { quote } = JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/instruments.json`, 'utf8'))[0];
    assert.deepEqual(parseQuote(quote, contractOf('BTC-PERP')), {
      venueSymbol: 'BTC-PERP',
      bids: [[76_999.9, 4.4]],
      asks: [[77_000, 3.9]],
      venueTimeMs: Date.UTC(2026, 8, 12, 18, 47, 45, 92),
    });
  });
});

asSent('coinbaseintl', {}, (sent) => {
  test('an instrument: 3.6e12 ns are an hour, notional is the turnover, open interest counts coins', () => {
    const at = { receivedAtMs: Date.UTC(2024, 1, 10, 16, 7, 40), contracts: new Map() };
    const list = parseInstruments(sent('instruments'), at);
    assert.deepEqual(list.rejected, []);
    const [eth] = list.contractList?.contracts ?? [];
    // 1 / 0.1.
    assert.deepEqual([eth?.base, eth?.quote, eth?.status, eth?.maxLeverage], ['ETH', 'USDC', 'trading', 10]);
    const [quote] = list.fundingQuotes;
    assert.deepEqual(
      [quote?.ratePct, quote?.intervalHours, quote?.nextFundingAtMs],
      [0.0009, 1, Date.UTC(2024, 1, 10, 17)],
    );
    // notional_24hr agrees with qty_24hr: 44,434.8131 ETH at about 2,497.
    assert.equal(list.dayVolumes[0]?.volume24hUsdt, 110_943_454.279785);
    // 1,270.749 ETH × 2,490.8.
    assert.equal(list.marketFigures[0]?.openInterestUsdt?.toFixed(2), '3165181.61');
    const [top] = list.bookTops;
    assert.deepEqual(
      [top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize],
      [2490.8, 9.0515, 2490.81, 4.8486],
    );
  });

  test('a settled rate', () => {
    const window = { fromMs: 1_700_000_000_000, toMs: RECEIVED_MS };
    assert.deepEqual(parseFunding(sent('funding'), fakeContract('BTC-PERP'), window).settlements, [
      { venueSymbol: 'BTC-PERP', ratePct: 0.0011, settledAtMs: Date.UTC(2024, 1, 10, 16) },
    ]);
  });
});
