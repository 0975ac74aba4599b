// There are no recordings of this venue in the shared folder; the fixtures have the shape of a reply of 2026-09-13.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowOfSymbol, rowsOf } from '../../../test/support/as-sent.ts';
import { BadReply } from '../reading.ts';
import { parseStats } from './parse.ts';
import { variational } from './venue.ts';

const row = (ticker: string, fields: object = {}) => ({
  ticker,
  name: ticker,
  mark_price: '2',
  volume_24h: '1000',
  open_interest: { long_open_interest: '30', short_open_interest: '12.5' },
  funding_rate: '0.1095',
  funding_interval_s: 28800,
  ...fields,
});
const parse = (...rows: unknown[]) => parseStats({ listings: rows });
const rejected = (bad: unknown) => {
  const batch = parse(row('GOOD'), bad);
  assert.equal(batch.fundingQuotes.filter(({ venueSymbol }) => venueSymbol === 'GOOD').length, 1);
  return batch.rejected;
};

suite('Variational listings', () => {
  test('the rate is the share of a yearly rate that one interval pays: 0.00125 % an hour', () => {
    const { fundingQuotes } = parse(
      row('A'),
      row('B', { funding_interval_s: 14400 }),
      row('C', { funding_interval_s: 3600 }),
    );
    assert.deepEqual(
      fundingQuotes.map(({ ratePct, intervalHours }) => [ratePct, intervalHours]),
      [
        [0.01, 8],
        [0.005, 4],
        [0.00125, 1],
      ],
    );
  });

  test('no call names the next settlement', () => {
    assert.equal(parse(row('A')).fundingQuotes[0]?.nextFundingAtMs, null);
  });

  test('the time of a row is that of its quotes', () => {
    const at = (updated_at: unknown) =>
      parse(row('A', { quotes: { updated_at } })).fundingQuotes[0]?.venueTimeMs;
    assert.equal(at('2026-09-13T22:00:06.684094484Z'), Date.UTC(2026, 8, 13, 22, 0, 6, 684));
    assert.equal(at(null), null);
  });

  test('a rate of 0 is a rate', () => {
    assert.equal(parse(row('A', { funding_rate: '0' })).fundingQuotes[0]?.ratePct, 0);
  });

  test('a swap has an interval of 0: it is left out, and no fault', () => {
    const batch = parse(row('XAUS', { funding_interval_s: 0, funding_rate: '0' }));
    assert.deepEqual([...batch.ignored], [['swap', 1]]);
    assert.equal(batch.contractList?.contracts.length, 0);
    assert.deepEqual([batch.fundingQuotes, batch.rejected], [[], []]);
  });

  test('quotes on request are no top of a book', () => {
    const quotes = { updated_at: '2026-09-13T22:00:06Z', size_1k: { bid: '1.9', ask: '2.1' } };
    assert.deepEqual(parse(row('A', { quotes })).bookTops, []);
    assert.equal(variational.depth, undefined);
    assert.deepEqual(variational.streams, []);
  });

  test('open interest is that of longs and shorts, because each has the maker on the other side', () => {
    assert.equal(parse(row('A')).marketFigures[0]?.openInterestUsdt, 42.5);
    const half = row('A', { open_interest: { long_open_interest: '30' } });
    assert.equal(parse(half).marketFigures[0]?.openInterestUsdt, null);
  });

  test('companies are known by their registered names, metals by their codes; coins are the rest', () => {
    const { contractList } = parse(
      row('CAT', { name: 'Caterpillar Inc.' }),
      row('SPY', { name: 'SPDR S&P 500 ETF Trust' }),
      row('XAU', { name: 'Gold' }),
      row('INC', { name: 'Inception' }),
      row('1000PEPE', { name: 'Pepe' }),
    );
    assert.deepEqual(
      contractList?.contracts.map(({ base, assetClass }) => [base, assetClass]),
      [
        ['CAT', 'stock'],
        ['SPY', 'stock'],
        ['XAU', 'commodity'],
        ['INC', 'crypto'],
        ['1000PEPE', 'crypto'],
      ],
    );
  });

  test('contracts are linear, in USDC and base units', () => {
    const contract = parse(row('OPN_OPINION')).contractList?.contracts[0];
    const { base, quote, settle, contractSize, isInverse, status } = contract ?? {};
    assert.deepEqual(
      [base, quote, settle, contractSize, isInverse, status],
      ['OPN_OPINION', 'USDC', 'USDC', 1, false, 'trading'],
    );
  });
});

suite('Variational bad rows', () => {
  test('no interval', () => {
    assert.deepEqual(rejected(row('A', { funding_interval_s: null })), [
      { venueSymbol: 'A', reason: 'no interval' },
    ]);
  });

  test('no rate', () => {
    assert.deepEqual(rejected(row('A', { funding_rate: '' })), [{ venueSymbol: 'A', reason: 'no rate' }]);
  });

  test('no volume', () => {
    assert.deepEqual(rejected(row('A', { volume_24h: null })), [{ venueSymbol: 'A', reason: 'no volume' }]);
  });

  test('no ticker', () => {
    assert.deepEqual(rejected(row('')), [{ venueSymbol: null, reason: 'no ticker' }]);
  });

  test('a reply without listings is a bad reply, not an empty venue', () => {
    assert.throws(() => parseStats({ error: 'x' }), BadReply);
    assert.throws(() => parseStats([]), BadReply);
  });
});

suite('Variational settled history', () => {
  test('there is none, and no call is made for it', async () => {
    const send = async () => {
      throw new Error('no call');
    };
    const [contract] = parse(row('A')).contractList?.contracts ?? [];
    assert.ok(contract);
    const window = { fromMs: 0, toMs: Date.UTC(2026, 10, 1) };
    assert.deepEqual(await variational.settlements(contract, window, { send, contracts: new Map() }), {
      settlements: [],
      rejected: [],
      next: null,
    });
  });
});

asSent('variational', {}, (reply) => {
  const batch = parseStats(reply('stats'));

  test('BTC, an hourly coin at its cap, a share; the swap on gold is left out', () => {
    assert.deepEqual([...contractsOf(batch).keys()], ['BTC', 'STORJ', 'CAT']);
    assert.deepEqual([...batch.ignored], [['swap', 1]]);
    assert.deepEqual(batch.rejected, []);
    const [btc, storj, cat] = rowsOf(batch.fundingQuotes, 'BTC', 'STORJ', 'CAT');
    // 9.1241 % a year × 8 / 8760; −8,553.6623 % × 1 / 8760; nothing is paid on the share.
    assert.deepEqual([btc?.ratePct, storj?.ratePct, cat?.ratePct], [0.008332511416, -0.976445468037, 0]);
    assert.deepEqual([btc?.intervalHours, storj?.intervalHours], [8, 1]);
  });

  test('prices, volume and open interest are in dollars', () => {
    const figures = rowOfSymbol(batch.marketFigures, 'BTC');
    // 79,488,330.90 + 70,056,049.65
    assert.equal(Math.round(figures.openInterestUsdt ?? 0), 149_544_381);
    assert.equal(figures.markPrice, 77_229.3565140889);
    assert.equal(figures.indexPrice, null);
    assert.equal(rowOfSymbol(batch.dayVolumes, 'BTC').volume24hUsdt, 245_987_215.191356);
  });

  test('the usual rate of four and of eight hours; 1000PEPE keeps its multiplier', () => {
    const usual = parseStats(reply('hourly'));
    const [four, eight] = rowsOf(usual.fundingQuotes, 'HYPER', '1000PEPE');
    assert.deepEqual([four?.ratePct, eight?.ratePct], [0.005, 0.01]);
    assert.equal(contractsOf(usual).get('1000PEPE')?.base, '1000PEPE');
  });
});
