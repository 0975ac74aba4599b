import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, rowOfSymbol } from '../../../test/support/as-sent.ts';
import { capture, ccxtInstruments, sample } from '../../../test/support/recordings.ts';
import { HOUR_MS } from '../../base/times.ts';
import { interestFaultAt } from '../../market/figures.ts';
import { figureFault } from '../../market/limits.ts';
import type { Contract } from '../observations.ts';
import { BadReply, type Row } from '../reading.ts';
import { fundingHistoryWeight } from './dex.ts';
import { parseBook, parseFundingHistory, parseMetaAndAssetCtxs } from './parse.ts';

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
    assert.equal(all.ignored.get('market of another dex'), 1);
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

asSent(
  'hyperliquid',
  {
    allDexsAssetCtxs: () => capture('hyperliquid', 'ws_all_dexs_asset_ctxs.json'),
    metaAndAssetCtxs: () => sample('hyperliquid', 'Futures__ExchangeData__GetExchangeInfoAndTickers.txt'),
    meta: () => sample('hyperliquid', 'Futures__ExchangeData__GetExchangeInfo.txt'),
    assets2024: () => (ccxtInstruments('hyperliquid') as Row[]).filter((info) => info.funding !== undefined),
    allPerpMetas: () => capture('hyperliquid', 'http_all_perp_metas_non_usdc_collateral.json'),
    fundingHistory: () => capture('hyperliquid', 'http_funding_history.json'),
    fundingHistoryDocumented: () => sample('hyperliquid', 'Futures__ExchangeData__GetFundingRateHistory.txt'),
    l2Book: () => capture('hyperliquid', 'http_l2_book_btc.json'),
  },
  (sent) => {
    test('contexts: rates are fractions of one hour, volumes dollars; an ended market has 0 and no mid', () => {
      const message = sent('allDexsAssetCtxs') as { data: { ctxs: [string, Row[]][] } };
      const [dex, contexts] = message.data.ctxs[0] ?? ['', []];
      const universe = contexts.map(({ oraclePx }) => ({ name: `at ${oraclePx}`, maxLeverage: 5 }));
      const batch = parseMetaAndAssetCtxs([{ universe }, contexts], NOW_MS);
      assert.deepEqual([dex, batch.rejected, batch.fundingQuotes.length], ['', [], contexts.length]);
      const named = (price: string) => {
        const symbol = `at ${price}`;
        const { ratePct, intervalHours, nextFundingAtMs } = rowOfSymbol(batch.fundingQuotes, symbol);
        const { volume24hUsdt, referencePrice } = rowOfSymbol(batch.dayVolumes, symbol);
        const { openInterestUsdt } = rowOfSymbol(batch.marketFigures, symbol);
        assert.deepEqual([intervalHours, nextFundingAtMs], [1, Date.UTC(2026, 10, 15)]);
        return [ratePct, volume24hUsdt, referencePrice, openInterestUsdt?.toFixed(2)];
      };
      // 27,353.17682 × 77,562 and 4,082,146 × 0.12489; the reference is the mid price, or the mark price without one.
      assert.deepEqual(named('77605.0'), [-0.00015186, 1_516_669_192.195_389_7, 77_558.5, '2121567100.51']);
      assert.deepEqual(named('0.1254'), [-0.04440643, 1_396_295.823_62, 0.1248, '509819.21']);
      assert.deepEqual(named('0.3754'), [0, 0, 0.37621, '0.00']);
      assert.ok(batch.fundingQuotes.every((quote) => Math.abs(quote.ratePct) <= 4));
    });

    test('no open interest is quarantined: five of all 412 are beyond 1,000 times their volume, and small', () => {
      const message = sent('allDexsAssetCtxs') as { data: { ctxs: [string, Row[]][] } };
      const contexts = message.data.ctxs.flatMap(([, rows]) => rows);
      const universe = contexts.map((_, i) => ({ name: `C${i}`, maxLeverage: 5 }));
      const { marketFigures, dayVolumes } = parseMetaAndAssetCtxs([{ universe }, contexts], NOW_MS);
      let beyond = 0;
      for (const { venueSymbol, openInterestUsdt } of marketFigures) {
        if (openInterestUsdt === null) continue;
        const { volume24hUsdt } = rowOfSymbol(dayVolumes, venueSymbol);
        if (openInterestUsdt > 1000 * volume24hUsdt) beyond++;
        const figures = { openInterestUsdt: { value: openInterestUsdt, atMs: NOW_MS } };
        assert.equal(interestFaultAt(figures, volume24hUsdt, NOW_MS), null, venueSymbol);
        assert.equal(figureFault('openInterestUsdt', openInterestUsdt), null, venueSymbol);
      }
      if (contexts.length === 412) assert.equal(beyond, 5);
    });

    test('metaAndAssetCtxs joins the two lists by position', () => {
      const batch = parseMetaAndAssetCtxs(sent('metaAndAssetCtxs'), NOW_MS);
      assert.deepEqual(
        batch.contractList?.contracts.map((c) => [c.venueSymbol, c.maxLeverage]),
        [
          ['BTC', 50],
          ['ETH', 50],
          ['HPOS', 3],
        ],
      );
      assert.equal(rowOfSymbol(batch.fundingQuotes, 'ETH').ratePct, 0.00125);
      assert.equal(rowOfSymbol(batch.dayVolumes, 'HPOS').volume24hUsdt, 809_774.565507);
      assert.deepEqual(batch.bookTops, [], 'impactPxs are no bid and ask');
    });

    test('figures as text are read too', () => {
      const assets = sent('assets2024') as Row[];
      const batch = parseMetaAndAssetCtxs([{ universe: assets }, assets], NOW_MS);
      assert.deepEqual(batch.rejected, []);
      assert.equal(rowOfSymbol(batch.contractList?.contracts ?? [], 'MEME').maxLeverage, 10);
      assert.equal(rowOfSymbol(batch.fundingQuotes, 'MEME').ratePct, 0.00424);
    });

    test('isDelisted ends a market; those of other dexs are left out', () => {
      const meta = sent('meta') as { universe: object[] };
      const batch = parseMetaAndAssetCtxs([meta, meta.universe.map(() => ({}))], NOW_MS);
      assert.equal(rowOfSymbol(batch.contractList?.contracts ?? [], 'LOOM').status, 'delisted');
      const counts = (sent('allPerpMetas') as object[]).map(
        (one) => parseMetaAndAssetCtxs([one, [{}]], NOW_MS).contractList?.contracts.length,
      );
      assert.deepEqual(counts, [1, 0, 0]);
    });

    test('settled rates, one an hour', () => {
      const prints = (call: string) =>
        parseFundingHistory(sent(call), { toMs: NOW_MS }, 500).settlements.map((print) => [
          print.ratePct,
          print.settledAtMs,
        ]);
      assert.deepEqual(prints('fundingHistory'), [
        [0.00125, Date.UTC(2026, 1, 1, 1, 20)],
        [-0.00081, Date.UTC(2026, 1, 1, 2, 20)],
        [0.00033, Date.UTC(2026, 1, 1, 3, 20)],
      ]);
      assert.deepEqual(prints('fundingHistoryDocumented'), [[-0.022196, 1_683_849_600_076]]);
    });

    test('a book', () => {
      const book = parseBook(sent('l2Book'), contractOf('BTC'));
      assert.deepEqual(
        [book.bids[0], book.asks[0], book.venueTimeMs],
        [[110_427, 4.11882], [110_428, 3.72573], 1_761_786_491_067],
      );
    });
  },
);
