import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { capture, ccxtInstruments, recordingsMissing, sample } from '../../../test/support/recordings.ts';
import { HOUR_MS } from '../../base/times.ts';
import type { Contract } from '../observations.ts';
import { BadReply, type Row } from '../reading.ts';
import { parseBook, parseFundingHistory, parseMetaAndAssetCtxs } from './parse.ts';
import { fundingHistoryWeight } from './venue.ts';

/** 2026-11-14T23:00:00.500Z */
const NOW_MS = 1_794_697_200_500;
const fixture: unknown = JSON.parse(
  readFileSync(`${import.meta.dirname}/fixtures/meta-and-asset-ctxs.json`, 'utf8'),
);
const all = parseMetaAndAssetCtxs(fixture, NOW_MS);
const contracts = new Map((all.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const rates = new Map(all.fundingQuotes.map((quote) => [quote.venueSymbol, quote.ratePct]));

function contractOf(name: string): Contract {
  const [only] =
    parseMetaAndAssetCtxs([{ universe: [{ name, maxLeverage: 3 }] }, [{}]], NOW_MS).contractList?.contracts ??
    [];
  assert.ok(only);
  return only;
}

suite('Hyperliquid contracts', () => {
  test('every coin of the first dex is a linear contract in USDC, of one base unit', () => {
    assert.deepEqual([...contracts.keys()], ['BTC', 'OLDIE', 'kPEPE', 'CALM', 'MUTE', 'DULL', 'GONE']);
    const btc = contracts.get('BTC');
    assert.deepEqual(
      [btc?.quote, btc?.settle, btc?.isInverse, btc?.contractSize, btc?.maxLeverage],
      ['USDC', 'USDC', false, 1, 40],
    );
  });

  test('trap F1: the k of kPEPE stays in the base, so a price is for a thousand', () => {
    assert.equal(contracts.get('kPEPE')?.base, 'kPEPE');
  });

  test('trap F4: a builder-deployed dex:COIN market is left out', () => {
    assert.equal(all.ignored.get('builder-deployed market'), 1);
    assert.equal(contracts.has('abc:TSLA'), false);
  });

  test('trap G1: a delisted coin has the status delisted and its frozen figures are not quoted', () => {
    assert.equal(contracts.get('OLDIE')?.status, 'delisted');
    assert.equal(rates.has('OLDIE'), false);
    assert.equal(
      all.dayVolumes.some((volume) => volume.venueSymbol === 'OLDIE'),
      false,
    );
  });

  test('isDelisted null means that the coin trades', () => {
    assert.equal(contracts.get('kPEPE')?.status, 'trading');
  });

  test('a list and contexts of unlike length are a bad reply: rates would move to the neighbour', () => {
    const [meta, contexts] = fixture as [object, object[]];
    assert.throws(() => parseMetaAndAssetCtxs([meta, contexts.slice(1)], NOW_MS), BadReply);
  });

  test('a reply of another shape is a bad reply, not an empty list', () => {
    for (const payload of [null, {}, [], [{ universe: [] }], 'Failed to deserialize the JSON body'])
      assert.throws(() => parseMetaAndAssetCtxs(payload, NOW_MS), BadReply);
  });
});

suite('Hyperliquid funding', () => {
  test('trap B4: the running rate is the funding of metaAndAssetCtxs, a fraction of an hour, without float noise', () => {
    assert.equal(rates.get('BTC'), 0.00125);
    assert.equal(rates.get('kPEPE'), -0.01234567);
  });

  test('trap A6: the interval is one hour for every coin, not eight', () => {
    assert.ok(all.fundingQuotes.every((quote) => quote.intervalHours === 1));
  });

  test('trap D7: without a next time in the reply it is the next full hour', () => {
    assert.equal(all.fundingQuotes[0]?.nextFundingAtMs, 1_794_700_800_000);
    const onTheHour = parseMetaAndAssetCtxs(fixture, 1_794_700_800_000);
    assert.equal(onTheHour.fundingQuotes[0]?.nextFundingAtMs, 1_794_704_400_000);
  });

  test('a rate of zero is a value, also on a coin without a mid price', () => {
    assert.equal(rates.get('CALM'), 0);
    const volume = all.dayVolumes.find((v) => v.venueSymbol === 'CALM');
    assert.deepEqual([volume?.volume24hUsdt, volume?.referencePrice], [0, 2.01]);
  });

  test('bad rows are rejected one by one and never cost the rest', () => {
    assert.deepEqual(all.rejected, [
      { venueSymbol: 'MUTE', reason: 'no rate' },
      { venueSymbol: 'DULL', reason: 'no volume' },
      { venueSymbol: 'GONE', reason: 'no context' },
      { venueSymbol: null, reason: 'no name' },
    ]);
    assert.deepEqual([...rates.keys()], ['BTC', 'kPEPE', 'CALM', 'DULL']);
  });

  test('library trap 6: impactPxs are no best bid and ask, so the reply gives no book tops', () => {
    assert.deepEqual(all.bookTops, []);
  });

  test('volume is the notional of the day in USDC, the reference price the mid', () => {
    const volume = all.dayVolumes.find((v) => v.venueSymbol === 'BTC');
    assert.deepEqual([volume?.volume24hUsdt, volume?.referencePrice], [1_500_000_000.25, 96_415.5]);
  });
});

suite('Hyperliquid settlements', () => {
  const row = (time: number) => ({ coin: 'kPEPE', fundingRate: '0.0000125', premium: '0.0', time });
  const window = { fromMs: 1_794_600_000_000, toMs: 1_794_700_000_000 };

  test('trap E3: a full page continues after its last timestamp, a short one ends', () => {
    const rows = [row(1_794_672_000_031), row(1_794_675_600_004)];
    assert.deepEqual(parseFundingHistory(rows, window, 2).next, {
      fromMs: 1_794_675_600_005,
      toMs: window.toMs,
    });
    assert.equal(parseFundingHistory(rows, window, 3).next, null);
  });

  test('trap D2: the next page starts after the last print, because both ends of a window are in it', () => {
    const last = row(window.toMs);
    assert.equal(parseFundingHistory([row(1_794_672_000_031), last], window, 2).next, null);
  });

  test('trap D1: a print keeps its odd milliseconds, rounding is for the store', () => {
    const [print] = parseFundingHistory([row(1_794_672_000_031)], window, 500).settlements;
    assert.deepEqual(print, { venueSymbol: 'kPEPE', ratePct: 0.00125, settledAtMs: 1_794_672_000_031 });
  });

  test('a print without rate or time is rejected, the others stay', () => {
    const page = parseFundingHistory(
      [row(1_794_672_000_000), { coin: 'kPEPE', fundingRate: '', time: 1 }, {}],
      window,
      500,
    );
    assert.equal(page.settlements.length, 1);
    assert.deepEqual(page.rejected, [
      { venueSymbol: 'kPEPE', reason: 'no rate or time' },
      { venueSymbol: null, reason: 'no coin' },
    ]);
  });

  test('null, the answer about an unknown coin, is a bad reply', () => {
    assert.throws(() => parseFundingHistory(null, window, 500), BadReply);
  });

  test('a call costs 20 and one more for every 20 rows it may return', () => {
    assert.equal(fundingHistoryWeight({ fromMs: 0, toMs: HOUR_MS }), 21);
    assert.equal(fundingHistoryWeight({ fromMs: 0, toMs: 10_000 * HOUR_MS }), 45);
  });
});

suite('Hyperliquid order book', () => {
  test('trap F7: a book of another coin, or none, is a bad reply', () => {
    const book = { coin: 'ETH', time: NOW_MS, levels: [[], []] };
    assert.throws(() => parseBook(book, contractOf('BTC')), BadReply);
    assert.throws(() => parseBook(null, contractOf('BTC')), BadReply);
  });
});

suite('Hyperliquid recordings', { skip: recordingsMissing }, () => {
  test('the contexts of all 230 recorded coins: rates in percent an hour, volumes in USD, 51 without a mid', () => {
    const message = capture('hyperliquid', 'ws_all_dexs_asset_ctxs.json') as {
      data: { ctxs: [string, unknown[]][] };
    };
    const [dex, contexts] = message.data.ctxs[0] ?? ['', []];
    const universe = contexts.map((_, i) => ({ name: i === 0 ? 'BTC' : `C${i}`, maxLeverage: 5 }));
    const batch = parseMetaAndAssetCtxs([{ universe }, contexts], NOW_MS);
    assert.equal(dex, '');
    assert.deepEqual(batch.rejected, []);
    assert.equal(batch.fundingQuotes.length, 230);
    assert.deepEqual(
      [
        batch.fundingQuotes[0]?.ratePct,
        batch.dayVolumes[0]?.volume24hUsdt,
        batch.dayVolumes[0]?.referencePrice,
      ],
      [-0.00015186, 1_516_669_192.1953897, 77_558.5],
    );
    assert.ok(batch.fundingQuotes.every((quote) => Math.abs(quote.ratePct) <= 4));
    assert.equal(contexts.filter((row) => (row as { midPx: unknown }).midPx === null).length, 51);
  });

  test('recorded meta and documented metaAndAssetCtxs', () => {
    const { universe } = capture('hyperliquid', 'http_meta_perp_sample.json') as { universe: object[] };
    const recorded = parseMetaAndAssetCtxs([{ universe }, universe.map(() => ({}))], NOW_MS);
    assert.deepEqual(
      recorded.contractList?.contracts.map((c) => [c.venueSymbol, c.status, c.maxLeverage]),
      [
        ['BTC', 'trading', 40],
        ['ETH', 'trading', 25],
        ['ATOM', 'trading', 5],
      ],
    );
    const documented = parseMetaAndAssetCtxs(
      sample('hyperliquid', 'Futures__ExchangeData__GetExchangeInfoAndTickers.txt'),
      NOW_MS,
    );
    assert.equal(documented.contractList?.contracts.length, 3);
    assert.equal(documented.fundingQuotes[1]?.ratePct, 0.00125);
    assert.equal(documented.dayVolumes[2]?.volume24hUsdt, 809_774.565507);
  });

  test('recorded instruments of ccxt, with figures as text', () => {
    const infos = (ccxtInstruments('hyperliquid') as Row[]).filter((info) => info.funding !== undefined);
    const batch = parseMetaAndAssetCtxs([{ universe: infos }, infos], NOW_MS);
    assert.deepEqual(batch.rejected, []);
    assert.deepEqual(
      batch.contractList?.contracts.map((c) => [c.venueSymbol, c.maxLeverage]),
      [
        ['MEME', 10],
        ['BTC', 50],
        ['SOL', 20],
        ['ETH', 50],
        ['ADA', 20],
      ],
    );
    assert.equal(batch.fundingQuotes[0]?.ratePct, 0.00424);
  });

  test('recorded lists of builder-deployed dexs give no contract', () => {
    const metas = capture('hyperliquid', 'http_all_perp_metas_non_usdc_collateral.json') as object[];
    const counts = metas.map(
      (meta) => parseMetaAndAssetCtxs([meta, [{}]], NOW_MS).contractList?.contracts.length,
    );
    assert.deepEqual(counts, [1, 0, 0]);
  });

  test('a documented delisted coin', () => {
    const meta = sample('hyperliquid', 'Futures__ExchangeData__GetExchangeInfo.txt') as {
      universe: object[];
    };
    const batch = parseMetaAndAssetCtxs([meta, meta.universe.map(() => ({}))], NOW_MS);
    const loom = batch.contractList?.contracts.find((contract) => contract.venueSymbol === 'LOOM');
    assert.equal(loom?.status, 'delisted');
  });

  test('recorded and documented funding history', () => {
    const window = { toMs: NOW_MS };
    const page = parseFundingHistory(capture('hyperliquid', 'http_funding_history.json'), window, 500);
    assert.deepEqual(
      page.settlements.map((print) => [print.ratePct, print.settledAtMs]),
      [
        [0.00125, 1_769_908_800_000],
        [-0.00081, 1_769_912_400_000],
        [0.00033, 1_769_916_000_000],
      ],
    );
    assert.deepEqual(page.rejected, []);
    const documented = parseFundingHistory(
      sample('hyperliquid', 'Futures__ExchangeData__GetFundingRateHistory.txt'),
      window,
      500,
    );
    assert.deepEqual(documented.settlements, [
      { venueSymbol: 'ETH', ratePct: -0.022196, settledAtMs: 1_683_849_600_076 },
    ]);
  });

  test('recorded books', () => {
    const book = parseBook(capture('hyperliquid', 'http_l2_book_btc.json'), contractOf('BTC'));
    assert.deepEqual(
      [book.bids[0], book.asks[0]],
      [
        [110_427, 4.11882],
        [110_428, 3.72573],
      ],
    );
    assert.equal(book.venueTimeMs, 1_761_786_491_067);
    const other = parseBook(capture('hyperliquid', 'http_l2_book_snapshot.json'), contractOf('BTC'));
    assert.equal(other.bids.length, 5);
    const spot = sample('hyperliquid', 'Spot__ExchangeData__GetOrderBook.txt');
    assert.equal(parseBook(spot, contractOf('@107')).asks.length, 20);
  });
});
