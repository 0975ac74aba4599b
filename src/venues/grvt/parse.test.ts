import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent } from '../../../test/support/as-sent.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import type { SendRequest, VenueRequest } from '../venue.ts';
import { parseBook, parseFunding, parseInstruments, parseTicker } from './parse.ts';
import { tickers } from './stream.ts';
import { grvt } from './venue.ts';
import { FIGURES_EVERY_MS } from './wire.ts';

const listed = parseInstruments(
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/instruments.json`, 'utf8')),
);
const contracts = new Map((listed.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const context = { receivedAtMs: 1_794_697_200_500, contracts };

function contractOf(venueSymbol: string): Contract {
  const contract = contracts.get(venueSymbol);
  if (!contract) throw new Error(`no ${venueSymbol} in the fixture`);
  return contract;
}
const bitcoin = contractOf('BTC_USDT_Perp');

suite('GRVT contracts', () => {
  test('perpetuals are taken, options ignored, bad rows rejected with a reason', () => {
    assert.equal(contracts.size, 6);
    assert.deepEqual([...listed.ignored], [['not a perpetual', 1]]);
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'ODD_USDT_Perp', reason: 'no base or quote' },
      { venueSymbol: 'BARE_USDT_Perp', reason: 'no kind' },
      { venueSymbol: null, reason: 'no instrument' },
    ]);
  });

  test('F1: a capital K is a thousand on KPEPE, and a letter on KAITO', () => {
    assert.equal(contractOf('KPEPE_USDT_Perp').base, 'kPEPE');
    assert.equal(contractOf('KAITO_USDT_Perp').base, 'KAITO');
  });

  test('A1, A7: the interval is each contract’s own, 8 or 4 hours; one that is not given stays unknown', () => {
    assert.equal(bitcoin.intervalHours, 8);
    assert.equal(contractOf('ENA_USDT_Perp').intervalHours, 4);
    assert.equal(contractOf('KAITO_USDT_Perp').intervalHours, null);
  });

  test('F3: the class is UNSPECIFIED everywhere, so known names decide', () => {
    assert.deepEqual(
      ['XAU', 'AAPL', 'BTC'].map((name) => contractOf(`${name}_USDT_Perp`).assetClass),
      ['commodity', 'stock', 'crypto'],
    );
  });

  test('create_time is that of a deployment, not of a listing', () => {
    assert.equal(bitcoin.listedAtMs, null);
  });

  test('an error object is a bad reply', () => {
    assert.throws(() => parseInstruments({ code: 1000, message: 'Unauthorized', status: 401 }), BadReply);
    assert.throws(() => parseBook({ error: { code: 1004 } }, bitcoin), BadReply);
  });
});

suite('GRVT tickers', () => {
  const feed = {
    event_time: '1794697200230624861',
    instrument: 'BTC_USDT_Perp',
    mark_price: '96000',
    index_price: '96020.5',
    last_price: '96010.5',
    best_bid_price: '96010.0',
    best_bid_size: '2.435',
    best_ask_price: '96010.1',
    best_ask_size: '3.825',
    funding_rate_8h_curr: '0.0031',
    buy_volume_24h_q: '48600000.5',
    sell_volume_24h_q: '50000000.25',
    open_interest: '2523.5',
    funding_rate: '0.0031',
    next_funding_time: '1794700800000000000',
  };
  const quoteOf = (fields: object) => parseTicker({ ...feed, ...fields }, context, true).fundingQuotes[0];

  test('C2: the rate is percent already, without float noise', () => {
    assert.equal(quoteOf({})?.ratePct, 0.0031);
    assert.equal(quoteOf({ funding_rate: undefined })?.ratePct, 0.0031);
    assert.equal(quoteOf({ funding_rate: '-0.0745' })?.ratePct, -0.0745);
    assert.equal(quoteOf({ funding_rate: '0' })?.ratePct, 0);
  });

  test('C2: the rate is that of the contract’s own interval, although its field says 8h', () => {
    const ena = quoteOf({
      instrument: 'ENA_USDT_Perp',
      funding_rate: '0.005',
      funding_rate_8h_curr: '0.005',
    });
    assert.deepEqual([ena?.ratePct, ena?.intervalHours], [0.005, 4]);
    assert.equal(quoteOf({ funding_interval_hours: 4 })?.intervalHours, 4);
  });

  test('D3: times are nanoseconds', () => {
    assert.equal(quoteOf({})?.nextFundingAtMs, 1_794_700_800_000);
    assert.equal(quoteOf({})?.venueTimeMs, 1_794_697_200_231);
    const late = parseTicker({ ...feed, next_funding_time: '1794700800' }, context, true);
    assert.deepEqual(late.rejected, [{ venueSymbol: 'BTC_USDT_Perp', reason: 'no next settlement' }]);
  });

  test('F8: turnover is what takers bought plus what they sold; open interest is in coins', () => {
    const batch = parseTicker(feed, context, true);
    assert.deepEqual(batch.dayVolumes, [
      { venueSymbol: 'BTC_USDT_Perp', volume24hUsdt: 98_600_000.75, referencePrice: 96_000 },
    ]);
    assert.deepEqual(batch.marketFigures, [
      {
        venueSymbol: 'BTC_USDT_Perp',
        markPrice: 96_000,
        indexPrice: 96_020.5,
        openInterestUsdt: 2523.5 * 96_000,
        openInterestCount: 2523.5,
      },
    ]);
    const half = parseTicker({ ...feed, sell_volume_24h_q: '' }, context, true);
    assert.deepEqual(half.rejected, [{ venueSymbol: 'BTC_USDT_Perp', reason: 'no volume' }]);
  });

  test('one socket: selectors go out fifty to a request; figures are read every 15 seconds, tops always', () => {
    const many = Array.from({ length: 60 }, (_, i) => ({ ...bitcoin, venueSymbol: `C${i}_USDT_Perp` }));
    const session = tickers.open(many);
    const requests = session.opening.map((text) => JSON.parse(text));
    assert.deepEqual(
      requests.map(({ id, params }) => [id, params.stream, params.selectors.length]),
      [
        [1, 'v1.ticker.s', 50],
        [2, 'v1.ticker.s', 10],
      ],
    );
    assert.equal(requests[1].params.selectors[9], 'C59_USDT_Perp@1000');
    const message = { stream: 'v1.ticker.s', selector: 'BTC_USDT_Perp@1000', sequence_number: '0', feed };
    const counts = [0, 1000, FIGURES_EVERY_MS].map((afterMs) => {
      const at = { ...context, receivedAtMs: context.receivedAtMs + afterMs };
      const { batch } = session.receive(message, at);
      return [batch.bookTops.length, batch.fundingQuotes.length];
    });
    assert.deepEqual(counts, [
      [1, 1],
      [1, 0],
      [1, 1],
    ]);
  });

  test('the rate of a contract that changed between two readings and is quiet since is read with the next message', () => {
    const ether = { ...bitcoin, venueSymbol: 'ETH_USDT_Perp' };
    const session = tickers.open([bitcoin, ether]);
    const contracts = new Map([bitcoin, ether].map((contract) => [contract.venueSymbol, contract]));
    const receive = (instrument: string, funding_rate: string, afterMs: number) => {
      const message = { stream: 'v1.ticker.s', feed: { ...feed, instrument, funding_rate } };
      const at = { receivedAtMs: context.receivedAtMs + afterMs, contracts };
      return session
        .receive(message, at)
        .batch.fundingQuotes.map((quote) => [quote.venueSymbol, quote.ratePct]);
    };
    assert.deepEqual(receive('ETH_USDT_Perp', '0.01', 0), [['ETH_USDT_Perp', 0.01]]);
    assert.deepEqual(receive('ETH_USDT_Perp', '0.02', 5000), []);
    assert.deepEqual(receive('BTC_USDT_Perp', '0.03', 6000), [['BTC_USDT_Perp', 0.03]]);
    assert.deepEqual(receive('BTC_USDT_Perp', '0.04', FIGURES_EVERY_MS + 1000), [['ETH_USDT_Perp', 0.02]]);
    assert.deepEqual(receive('BTC_USDT_Perp', '0.05', FIGURES_EVERY_MS + 7000), [['BTC_USDT_Perp', 0.05]]);
  });

  test('sizes are base units; an acknowledgement says nothing, an error ends the connection', () => {
    const [top] = parseTicker(feed, context, false).bookTops;
    assert.deepEqual(
      [top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize],
      [96_010, 2.435, 96_010.1, 3.825],
    );
    const session = tickers.open([bitcoin]);
    const ack = { jsonrpc: '2.0', result: { stream: 'v1.ticker.s' }, id: 1, method: 'subscribe' };
    assert.deepEqual(session.receive(ack, context).batch.bookTops, []);
    assert.throws(() => session.receive({ jsonrpc: '2.0', error: { code: 1101 }, id: 1 }, context), BadReply);
  });
});

suite('GRVT prints and books', () => {
  const print = (timeMs: number, fields: object = {}) => ({
    instrument: 'BTC_USDT_Perp',
    funding_rate: '0.0061',
    funding_time: `${timeMs}000000`,
    mark_price: '77098.4',
    funding_rate_8_h_avg: '0.0061',
    funding_interval_hours: 8,
    ...fields,
  });
  const NEWEST_MS = Date.UTC(2026, 10, 14, 16);
  const HOUR_MS = 3_600_000;
  const window = { fromMs: 0, toMs: NEWEST_MS };
  const page = (next: string, ...result: object[]) => parseFunding({ result, next }, bitcoin, window);

  test('B3: a print is percent; the minute charges of 2025, of 0 hours, are no prints', () => {
    const minute = print(NEWEST_MS - 60_000, { funding_interval_hours: '0', funding_rate: '-0.0034' });
    assert.deepEqual(page('', print(NEWEST_MS), minute), {
      settlements: [{ venueSymbol: 'BTC_USDT_Perp', ratePct: 0.0061, settledAtMs: NEWEST_MS }],
      rejected: [],
      next: null,
    });
  });

  test('E3: a page with more behind it continues before its oldest print, a page of minutes ends the walk', () => {
    const oldestMs = NEWEST_MS - 12 * HOUR_MS;
    assert.deepEqual(page('eyJm', print(NEWEST_MS), print(oldestMs)).next, { fromMs: 0, toMs: oldestMs - 1 });
    assert.equal(page('', print(NEWEST_MS), print(oldestMs)).next, null);
    assert.equal(page('eyJm', print(oldestMs, { funding_interval_hours: '0' })).next, null);
  });

  test('E1: a request names both ends of its window in nanoseconds', async () => {
    const sent: VenueRequest[] = [];
    const send: SendRequest = async (request) => {
      sent.push(request);
      return { payload: { result: [], next: '' }, receivedAtMs: NEWEST_MS };
    };
    await grvt.settlements(
      bitcoin,
      { fromMs: 1_794_600_000_000, toMs: 1_794_697_200_500 },
      { send, contracts },
    );
    assert.deepEqual(sent[0]?.body, {
      instrument: 'BTC_USDT_Perp',
      start_time: '1794600000000000000',
      end_time: '1794697200500000000',
      limit: 1000,
    });
  });

  test('F7: a print or a book of another contract is refused', () => {
    const other = page('', print(NEWEST_MS, { instrument: 'ETH_USDT_Perp' }));
    assert.deepEqual([other.settlements.length, other.rejected[0]?.reason], [0, 'row of another contract']);
    const level = (price: string, size: string) => ({ price, size, num_orders: 1 });
    const result = {
      event_time: `${NEWEST_MS}000000`,
      instrument: 'BTC_USDT_Perp',
      bids: [level('100', '1'), level('99', '2')],
      asks: [level('101', '3')],
    };
    const depth = parseBook({ result }, bitcoin);
    assert.deepEqual([depth.bids[0], depth.asks[0], depth.venueTimeMs], [[100, 1], [101, 3], NEWEST_MS]);
    assert.throws(() => parseBook({ result: { ...result, instrument: 'ETH_USDT_Perp' } }, bitcoin), BadReply);
  });
});

asSent('grvt', {}, (sent) => {
  test('an instrument has its interval in hours', () => {
    const [btc] = parseInstruments(sent('allInstruments')).contractList?.contracts ?? [];
    assert.deepEqual([btc?.base, btc?.quote, btc?.intervalHours, btc?.contractSize], ['BTC', 'USDT', 8, 1]);
  });

  test('a ticker: the rate is percent already, times are nanoseconds, turnover is bought plus sold', () => {
    const batch = parseTicker(sent('ticker'), context, true);
    assert.deepEqual(batch.rejected, []);
    const [quote] = batch.fundingQuotes;
    assert.deepEqual(
      [quote?.ratePct, quote?.nextFundingAtMs, quote?.venueTimeMs],
      [0.0037, Date.UTC(2025, 11, 3, 16), 1_764_774_730_025],
    );
    // 266,955,739.1606 + 268,170,211.7109.
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt.toFixed(4), '535125950.8715');
    // 1,523.218935908 BTC × 92,697.300078773.
    assert.equal(batch.marketFigures[0]?.openInterestUsdt?.toFixed(2), '141198282.79');
    const [top] = batch.bookTops;
    assert.deepEqual(
      [top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize],
      [92_682.9, 5.332, 92_683, 0.009],
    );
  });

  test('charges of a minute, with an interval of 0 hours, are no prints', () => {
    const window = { fromMs: 1_760_000_000_000, toMs: 1_761_000_000_000 };
    assert.deepEqual(parseFunding(sent('funding'), bitcoin, window).settlements, []);
  });

  test('a book', () => {
    const depth = parseBook(sent('book'), bitcoin);
    assert.deepEqual(
      [depth.bids, depth.asks, depth.venueTimeMs],
      [[[92_336, 0.005]], [[92_336.1, 5.711]], 1_764_777_396_650],
    );
  });
});
