// There are no recordings of this venue in the shared folder; the fixtures have the shape of replies of 2026-09-14.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent } from '../../../test/support/as-sent.ts';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import { parseFundingHistory, parseFundingRates, parseFutures, parseInfo } from './parse.ts';
import { bestOffers } from './stream.ts';
import { orderly } from './venue.ts';

const listed = parseInfo(JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/info.json`, 'utf8')));
const contracts = new Map((listed.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const context = { receivedAtMs: 1_794_697_200_500, contracts };

function contractOf(venueSymbol: string): Contract {
  const contract = contracts.get(venueSymbol);
  if (!contract) throw new Error(`no ${venueSymbol} in the fixture`);
  return contract;
}

const rows = (...data: object[]) => ({ success: true, data: { rows: data }, timestamp: 1_794_697_200_000 });

suite('Orderly contracts', () => {
  test('perpetuals are taken, spot ignored, bad rows rejected with a reason', () => {
    assert.equal(contracts.size, 8);
    assert.deepEqual([...listed.ignored], [['not a perpetual', 1]]);
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'PERP_MYST_USDC', reason: 'unknown status SLEEPING' },
      { venueSymbol: 'PERP_ODD', reason: 'no base or quote' },
      { venueSymbol: 'PERP_A_USDC_b_c', reason: 'no base or quote' },
      { venueSymbol: null, reason: 'no symbol' },
    ]);
  });

  test('a contract that a front end listed has its name at the end of the symbol, not in the base', () => {
    const { base, quote, settle, contractSize } = contractOf('PERP_MSFT_USDC_mythos');
    assert.deepEqual([base, quote, settle, contractSize], ['MSFT', 'USDC', 'USDC', 1]);
  });

  test('F1: the base keeps its multiplier', () => {
    assert.equal(contractOf('PERP_1000PEPE_USDC').base, '1000PEPE');
  });

  test('A1: funding_period is the interval of each contract, in hours: 8 and 4; without it the interval is unknown', () => {
    assert.deepEqual(
      ['BTC', 'HYPE', 'NOPERIOD'].map((base) => contractOf(`PERP_${base}_USDC`).intervalHours),
      [8, 4, null],
    );
  });

  test('F3: a margin for closed markets marks stocks and currencies; gold and the S&P 500 are known by name', () => {
    assert.deepEqual(
      [...contracts.values()].map((contract) => [contract.base, contract.assetClass]),
      [
        ['BTC', 'crypto'],
        ['1000PEPE', 'crypto'],
        ['HYPE', 'crypto'],
        ['XAU', 'commodity'],
        ['SPX500', 'index'],
        ['EURUSD', 'forex'],
        ['MSFT', 'stock'],
        ['NOPERIOD', 'crypto'],
      ],
    );
  });

  test('leverage is the inverse of the initial margin; created_time is the listing', () => {
    const { maxLeverage, listedAtMs } = contractOf('PERP_BTC_USDC');
    assert.deepEqual([maxLeverage, listedAtMs], [100, 1_698_307_630_011]);
  });

  test('a refusal with HTTP 200 is a bad reply, not an empty list', () => {
    const refusal = { success: false, code: -1005, message: 'symbol is invalid' };
    assert.throws(() => parseInfo(refusal), BadReply);
    assert.throws(() => parseFundingRates(refusal, context), BadReply);
    assert.throws(() => parseFutures({ success: true, data: {} }, context), BadReply);
  });
});

suite('Orderly funding', () => {
  const nextMs = 1_794_700_800_000;
  const row = (symbol: string, est_funding_rate: unknown, next_funding_time: unknown = nextMs) => ({
    symbol,
    est_funding_rate,
    est_funding_rate_timestamp: 1_794_697_140_000,
    last_funding_rate: 0.00071,
    last_funding_rate_timestamp: 1_794_672_000_000,
    next_funding_time,
  });
  const batch = parseFundingRates(
    rows(
      row('PERP_BTC_USDC', 0.0001),
      row('PERP_HYPE_USDC', 0.00005),
      row('PERP_XAU_USDC', 0),
      row('PERP_1000PEPE_USDC', null),
      row('PERP_SPX500_USDC', 0.0001, 0),
      row('PERP_NEW_USDC', 0.0001),
    ),
    context,
  );
  const rate = (venueSymbol: string) =>
    batch.fundingQuotes.find((quote) => quote.venueSymbol === venueSymbol)?.ratePct;

  test('the rate is for one funding_period, never made one of eight hours: the resting rate of 4 hours stays 0.005 %', () => {
    assert.deepEqual([rate('PERP_BTC_USDC'), rate('PERP_HYPE_USDC')], [0.01, 0.005]);
    assert.equal(batch.fundingQuotes[0]?.intervalHours, undefined);
  });

  test('B1, B5: est_funding_rate is the running rate, last_funding_rate the settled one; zero is a value', () => {
    assert.equal(rate('PERP_XAU_USDC'), 0);
    assert.deepEqual(
      [batch.fundingQuotes[0]?.nextFundingAtMs, batch.fundingQuotes[0]?.venueTimeMs],
      [nextMs, 1_794_697_140_000],
    );
  });

  test('a symbol that is not in the list yet, and bad rows, never lose the rest', () => {
    assert.equal(batch.fundingQuotes.length, 3);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
    assert.deepEqual(batch.rejected, [
      { venueSymbol: 'PERP_1000PEPE_USDC', reason: 'no rate' },
      { venueSymbol: 'PERP_SPX500_USDC', reason: 'no next settlement' },
    ]);
  });

  const contract = contractOf('PERP_BTC_USDC');
  const window = { fromMs: 1_794_600_000_000, toMs: 1_794_700_000_000 };
  const page = (times: number[], total: number) =>
    parseFundingHistory(
      {
        success: true,
        data: {
          rows: times.map((funding_rate_timestamp) => ({
            symbol: 'PERP_BTC_USDC',
            funding_rate: -0.00004953,
            funding_rate_timestamp,
          })),
          meta: { total, records_per_page: times.length, current_page: 1 },
        },
      },
      contract,
      window,
    );

  test('E3: a page with more behind it continues before its oldest row, the last one ends', () => {
    const first = page([1_794_686_400_000, 1_794_672_000_000], 5);
    assert.deepEqual(
      first.settlements.map((print) => print.ratePct),
      [-0.004953, -0.004953],
    );
    assert.deepEqual(first.next, { fromMs: window.fromMs, toMs: 1_794_671_999_999 });
    assert.equal(page([1_794_686_400_000, 1_794_672_000_000], 2).next, null);
  });

  test('a venue that ignores the window neither adds rows outside it nor makes the walk endless', () => {
    const ignored = page([1_794_786_400_000, 1_794_772_000_000], 500);
    assert.deepEqual([ignored.settlements, ignored.next], [[], null]);
  });

  test('F7: a print of another contract is rejected', () => {
    const reply = {
      success: true,
      data: {
        rows: [{ symbol: 'PERP_ETH_USDC', funding_rate: 0, funding_rate_timestamp: window.toMs }],
        meta: {},
      },
    };
    const { settlements, rejected } = parseFundingHistory(reply, contract, window);
    assert.deepEqual(settlements, []);
    assert.equal(rejected[0]?.reason, 'row of another contract');
  });

  test('E1: history is requested with both ends in milliseconds; seconds would return nothing', async () => {
    const queries: unknown[] = [];
    const send = async ({ query }: { query?: object }) => {
      queries.push(query);
      return { payload: rows(), receivedAtMs: 0 };
    };
    await orderly.settlements(contract, window, { send, contracts }).catch(() => undefined);
    assert.deepEqual(queries, [
      { symbol: 'PERP_BTC_USDC', start_t: window.fromMs, end_t: window.toMs, page: 1, size: 500 },
    ]);
  });
});

suite('Orderly volumes and figures', () => {
  test('F8: 24h_amount is the turnover in USDC, 24h_volume and open_interest are in base units', () => {
    const batch = parseFutures(
      rows(
        {
          symbol: 'PERP_BTC_USDC',
          index_price: 96_410,
          mark_price: 96_400,
          open_interest: 2.5,
          '24h_volume': 10,
          '24h_amount': 964_000,
        },
        { symbol: 'PERP_HYPE_USDC', index_price: null, mark_price: null, open_interest: 3, '24h_amount': 0 },
        { symbol: 'PERP_XAU_USDC', mark_price: 4_300, '24h_volume': 7 },
      ),
      context,
    );
    assert.deepEqual(batch.dayVolumes, [
      { venueSymbol: 'PERP_BTC_USDC', volume24hUsdt: 964_000, referencePrice: 96_400 },
      { venueSymbol: 'PERP_HYPE_USDC', volume24hUsdt: 0, referencePrice: null },
    ]);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'PERP_XAU_USDC', reason: 'no volume' }]);
    assert.deepEqual(batch.marketFigures, [
      {
        venueSymbol: 'PERP_BTC_USDC',
        markPrice: 96_400,
        indexPrice: 96_410,
        openInterestUsdt: 241_000,
        openInterestCount: 2.5,
      },
      { venueSymbol: 'PERP_XAU_USDC', markPrice: 4_300, indexPrice: null, openInterestUsdt: null },
    ]);
  });
});

suite('Orderly stream', () => {
  const open = () => bestOffers.open([...contracts.values()]);
  const push = (...data: object[]) => ({ topic: 'bbos', ts: 1_794_697_200_000, data });
  const book = {
    id: 'PERP_BTC_USDC',
    event: 'request',
    success: true,
    data: {
      symbol: 'PERP_BTC_USDC',
      ts: 1_794_697_199_000,
      bids: [
        [99, 2],
        [100, 1],
      ],
      asks: [
        [102, 4],
        [101, 3],
      ],
    },
  };

  test('one subscription gives the tops of all contracts, with sizes in base units', () => {
    assert.deepEqual(
      open().opening.map((text) => JSON.parse(text).topic),
      ['bbos'],
    );
    const { batch } = open().receive(
      push(
        { symbol: 'PERP_BTC_USDC', bid: 86_821, bidSize: 0.35, ask: 87_243, askSize: 0.32 },
        { symbol: 'PERP_HYPE_USDC', bid: 2, bidSize: 1, ask: 1, askSize: 1 },
        { symbol: 'PERP_XAU_USDC', ask: 1, askSize: 1 },
      ),
      context,
    );
    assert.deepEqual(batch.bookTops, [
      {
        venueSymbol: 'PERP_BTC_USDC',
        bidPrice: 86_821,
        bidSize: 0.35,
        askPrice: 87_243,
        askSize: 0.32,
        venueTimeMs: 1_794_697_200_000,
      },
    ]);
    assert.deepEqual(
      batch.rejected.map(({ reason }) => reason),
      ['crossed book', 'no bid or ask'],
    );
  });

  test('books are requested over the socket a few a second, in turn; the call over HTTP needs a key', () => {
    assert.equal(orderly.depth, undefined);
    const session = open();
    const requested = Array.from({ length: 9 }, () => session.receive(push(), context).replies ?? []).flat();
    assert.deepEqual(
      requested.map((text) => JSON.parse(text).params.symbol),
      [...contracts.keys(), 'PERP_BTC_USDC'],
    );
    assert.deepEqual(JSON.parse(requested[0] ?? ''), {
      id: 'PERP_BTC_USDC',
      event: 'request',
      params: { type: 'orderbook', symbol: 'PERP_BTC_USDC' },
    });
  });

  test('no book is requested of a contract that has left the list', () => {
    const session = open();
    assert.deepEqual(session.receive(push(), { receivedAtMs: 0, contracts: new Map() }).replies, []);
  });

  test('a book comes out best first and confirms the top of a contract that pushes leave out', () => {
    const { batch } = open().receive(book, context);
    assert.deepEqual(batch.depths[0]?.bids, [
      [100, 1],
      [99, 2],
    ]);
    assert.deepEqual(batch.depths[0]?.asks, [
      [101, 3],
      [102, 4],
    ]);
    assert.deepEqual([batch.bookTops[0]?.bidPrice, batch.bookTops[0]?.askSize], [100, 3]);
    assert.equal(batch.bookTops[0]?.venueTimeMs, 1_794_697_199_000);
  });

  test('a refused book costs that book only, a refused subscription the connection', () => {
    const refused = open().receive({ id: 'PERP_BTC_USDC', event: 'request', success: false }, context).batch;
    assert.deepEqual(refused.rejected, [{ venueSymbol: 'PERP_BTC_USDC', reason: 'book request refused' }]);
    assert.throws(
      () => open().receive({ id: 'bbos', event: 'subscribe', success: false }, context),
      BadReply,
    );
  });

  test('a ping is answered, a pong and an acknowledgement say nothing', () => {
    assert.deepEqual(open().receive({ event: 'ping', ts: 1 }, context).replies, ['{"event":"pong"}']);
    assert.deepEqual(open().receive({ event: 'pong' }, context).batch.rejected, []);
    assert.deepEqual(open().receive({ event: 'subscribe', success: true }, context).batch.rejected, []);
  });
});

asSent('orderly', {}, (sent) => {
  test('a contract: a margin of 0.1 is a leverage of 10; funding_period counts hours', () => {
    const [btc] = parseInfo(sent('info')).contractList?.contracts ?? [];
    assert.deepEqual(
      [btc?.base, btc?.quote, btc?.maxLeverage, btc?.intervalHours, btc?.listedAtMs],
      ['BTC', 'USDC', 10, 8, 1_684_140_107_326],
    );
  });

  test('the estimated rate is the running one', () => {
    const at = { receivedAtMs: 0, contracts: new Map([['PERP_AAVE_USDT', fakeContract('PERP_AAVE_USDT')]]) };
    const [quote] = parseFundingRates(sent('fundingRates'), at).fundingQuotes;
    assert.deepEqual(
      [quote?.ratePct, quote?.nextFundingAtMs, quote?.venueTimeMs],
      [-0.003447, Date.UTC(2022, 4, 27, 7), 1_653_633_959_001],
    );
  });

  test('24h_amount is the turnover in USDC, open interest counts coins', () => {
    const batch = parseFutures(sent('futures'), context);
    // 24h_amount agrees with 24h_volume: 102.2817 BTC at about 64,485.
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 6_595_662.199482);
    // 110.64612 BTC × 64,171.
    assert.equal(batch.marketFigures[0]?.openInterestUsdt?.toFixed(2), '7100272.17');
  });

  test('a settled rate', () => {
    const window = { fromMs: 1_684_000_000_000, toMs: 1_685_000_000_000 };
    const eth = fakeContract('PERP_ETH_USDC');
    assert.deepEqual(parseFundingHistory(sent('fundingRateHistory'), eth, window).settlements, [
      { venueSymbol: 'PERP_ETH_USDC', ratePct: 0.01, settledAtMs: Date.UTC(2023, 4, 16, 8) },
    ]);
  });
});
