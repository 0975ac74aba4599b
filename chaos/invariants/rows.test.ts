import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { VENUES } from '../../src/venues/registry.ts';
import { type FundingRow, missingRows, wrongRows } from './rows.ts';

const AS_OF_MS = Date.UTC(2026, 5, 1, 7, 30);
const ROW: FundingRow = {
  exchange: 'OKX',
  venue_symbol: 'BTC-USDT-SWAP',
  coin: 'BTC',
  rate_pct: 0.01,
  interval_hours: 8,
  next_funding_at: '2026-06-01T08:00:00Z',
  volume_24h_usdt: 1e9,
  mark_price: 96_000,
  last_funding_at: '2026-06-01T00:00:00Z',
};
const CONTEXT = {
  asOfMs: AS_OF_MS,
  venueOf: (exchange: string) => VENUES.find(({ facts }) => facts.exchange === exchange),
  hasShown: (_exchange: string, _symbol: string, ratePct: number) => ratePct === 0.01,
  isTraded: (_exchange: string, venueSymbol: string) => venueSymbol === ROW.venue_symbol,
};

suite('rows of /funding', () => {
  test('a right row', () => assert.deepEqual(wrongRows([ROW], CONTEXT), []));

  for (const [name, changed, expected] of [
    ['a contract that the venue does not trade', { venue_symbol: 'XYZ' }, /does not trade/],
    ['a venue that is not watched', { exchange: 'Nowhere' }, /not watched/],
    ['a rate above the cap of the venue', { rate_pct: 50 }, /above the cap/],
    ['a rate that the venue has not shown', { rate_pct: 0.011 }, /has not shown/],
    ['an interval that does not exist', { interval_hours: 5 }, /interval of 5 h/],
    ['a next settlement that has passed', { next_funding_at: '2026-06-01T07:30:00Z' }, /not after as_of/],
    ['a last settlement that is to come', { last_funding_at: '2026-06-01T08:00:00Z' }, /is after as_of/],
    ['a negative volume', { volume_24h_usdt: -1 }, /volume of -1/],
    ['a mark price of zero', { mark_price: 0 }, /mark price of 0/],
  ] satisfies [string, Partial<FundingRow>, RegExp][])
    test(name, () => assert.match(wrongRows([{ ...ROW, ...changed }], CONTEXT).join(), expected));

  test('a traded contract without a row', () => {
    const due = ['BTC-USDT-SWAP', 'ETH-USDT-SWAP'].map((venueSymbol) => ({ exchange: 'OKX', venueSymbol }));
    assert.deepEqual(missingRows([ROW], due), ['missing row: OKX ETH-USDT-SWAP']);
  });
  test('the same row twice', () => assert.match(wrongRows([ROW, ROW], CONTEXT).join(), /twice/));
  test('nulls are in bounds, and the rate of a venue that shows no truth is not compared', () => {
    const unknown = { interval_hours: null, next_funding_at: null, last_funding_at: null, mark_price: null };
    assert.deepEqual(
      wrongRows([{ ...ROW, ...unknown, rate_pct: 0.5 }], { ...CONTEXT, hasShown: () => null }),
      [],
    );
  });
});
