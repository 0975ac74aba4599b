import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { AssetClass } from '../observations.ts';
import type { Row } from '../reading.ts';
import type { BulkPoll, VenueRequest } from '../venue.ts';
import { lighterrh } from './venue.ts';

const NOW_MS = Date.UTC(2026, 8, 21, 12);
/** As in https://api.rh.lighter.xyz/api/v1/orderBooks on 2026-09-21, with the figures of orderBookDetails. */
const QBTS = {
  ...{ symbol: 'QBTS', market_id: 51, market_type: 'perp', status: 'active' },
  ...{ taker_fee: '0.0000', is_taker_fee_enabled: true, created_at: '1788529452738' },
  ...{ multiplier: '1.000000000000000000', min_initial_margin_fraction: 1000 },
  ...{ last_trade_price: 21.4, mark_price: '21.41', index_price: '21.40' },
  ...{ daily_quote_token_volume: 120_500, open_interest: 3100 },
};

/** What the first poll reads of these markets, with the requests that it makes. */
async function listed(rows: readonly Row[], tokens: readonly Row[] = []) {
  const requests: VenueRequest[] = [];
  const [poll] = lighterrh.polls as readonly BulkPoll[];
  assert.ok(poll);
  const batch = await poll.collect({
    contracts: new Map(),
    send: async (request) => {
      requests.push(request);
      const payload = request.path.endsWith('/tokenlist')
        ? { code: 200, tokens }
        : { code: 200, order_book_details: rows };
      return { payload, receivedAtMs: NOW_MS };
    },
  });
  return { batch, requests, contracts: batch.contractList?.contracts ?? [] };
}

suite('Lighter on Robinhood Chain', () => {
  test('a contract is quoted in dollars and settled in USDG', async () => {
    const { contracts, batch } = await listed([QBTS]);
    assert.deepEqual(
      contracts.map(({ base, quote, settle, venueId, maxLeverage, takerFeePct, listedAtMs }) => ({
        ...{ base, quote, settle, venueId, maxLeverage, takerFeePct, listedAtMs },
      })),
      [
        {
          ...{ base: 'QBTS', quote: 'USD', settle: 'USDG', venueId: '51', maxLeverage: 10, takerFeePct: 0 },
          listedAtMs: 1_788_529_452_738,
        },
      ],
    );
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 120_500);
  });

  test('the classes are those of the main deployment’s token list, read from its host', async () => {
    const tokens = [{ symbol: 'QBTS', market: 'PERPS', asset_type: 'RWA', categories: ['STOCK'] }];
    const classOf = async (list: readonly Row[]): Promise<AssetClass | undefined> =>
      (await listed([QBTS], list)).contracts[0]?.assetClass;
    assert.deepEqual([await classOf(tokens), await classOf([])], ['stock', 'crypto']);
    const { requests } = await listed([QBTS]);
    assert.deepEqual(requests.map(({ host = 'rest', path }) => `${host} ${path}`).sort(), [
      'rest /api/v1/orderBookDetails',
      'tokens /api/v1/tokenlist',
    ]);
    assert.equal(lighterrh.facts.hasNoClasses, true, 'a name that the list does not have is no proven coin');
  });

  test('a market with a multiplier is refused: nobody knows what its prices are for', async () => {
    const { contracts, batch } = await listed([{ ...QBTS, multiplier: '10.0' }]);
    assert.deepEqual(contracts, []);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'QBTS', reason: 'multiplied market' }]);
  });

  test('spot markets such as SNDK/USDG are left out', async () => {
    const { contracts, batch } = await listed([{ ...QBTS, symbol: 'SNDK/USDG', market_type: 'spot' }]);
    assert.deepEqual(contracts, []);
    assert.equal(batch.ignored.get('spot'), 1);
  });
});
