import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { contractsOf, rowOfSymbol, sentCalls } from '../../../test/support/as-sent.ts';
import { parseMarkets as parseArcusMarkets } from '../arcus/parse.ts';
import { parseDexContexts, parseDexContracts, parseMetaAndAssetCtxs } from '../hyperliquid/parse.ts';
import { parseContracts as parseKucoinContracts } from '../kucoin/parse.ts';
import { type Batch, emptyBatch } from '../observations.ts';
import { parsePrices as parsePacificaPrices } from '../pacifica/parse.ts';
import {
  parseMarkets as parseParadexMarkets,
  parseSummaries as parseParadexSummaries,
} from '../paradex/parse.ts';
import { VENUES } from '../registry.ts';
import { parseSymbols as parseSodexSymbols, parseTickers as parseSodexTickers } from '../sodex/parse.ts';
import { parseOverview, parseSymbols as parseStandxSymbols } from '../standx/parse.ts';
import type { VenueFacts } from '../venue.ts';
import {
  bothSides,
  COUNTED_FIGURES,
  countedOnce,
  NOT_GIVEN,
  oneSide,
  type Sides,
  type SidesFacts,
  unknownSides,
} from './sides.ts';
import { sidesTexts } from './texts.ts';

const AT_MS = Date.UTC(2026, 8, 13, 22);

function factsOf(exchange: string): VenueFacts {
  const found = VENUES.find(({ facts }) => facts.exchange === exchange);
  assert.ok(found, exchange);
  return found.facts;
}

const sent = (venue: string, call: string): unknown => sentCalls(venue)[call]?.reply;

/** The open interest of a row as it is published, in whole dollars. */
function interestOf(exchange: string, batch: Batch, symbol: string): string | undefined {
  const { marketFigures } = countedOnce(batch, factsOf(exchange).counts);
  return rowOfSymbol(marketFigures, symbol).openInterestUsdt?.toFixed(0);
}

suite('open interest and volume of recorded replies, counted once', () => {
  test('StandX, 2026-09-13: 29.6 million for BTC are 14.8', () => {
    const contracts = contractsOf(parseStandxSymbols(sent('standx', 'symbols')));
    const batch = parseOverview(sent('standx', 'overview'), { receivedAtMs: AT_MS, contracts });
    // The venue’s own open_interest_notional of the row is 29,562,753.288012.
    assert.equal(interestOf('StandX', batch, 'BTC-USD'), '14781377');
  });

  test('SoDEX, 2026-09-13: 59.4 million for BTC are 29.7', () => {
    const contracts = contractsOf(parseSodexSymbols(sent('sodex', 'symbols')));
    const batch = parseSodexTickers(sent('sodex', 'tickers'), { receivedAtMs: AT_MS, contracts });
    // 772.14798 / 2 × 76,922.
    assert.equal(interestOf('SoDEX', batch, 'BTC-USD'), '29697583');
  });

  test('Hyperliquid, 2026: 2.12 billion for BTC are 1.06', () => {
    const message = sent('hyperliquid', 'allDexsAssetCtxs') as { data: { ctxs: [string, object[]][] } };
    const contexts = (message.data.ctxs[0]?.[1] ?? []).slice(0, 1);
    const batch = parseMetaAndAssetCtxs([{ universe: [{ name: 'BTC', maxLeverage: 40 }] }, contexts], AT_MS);
    // 27,353.17682 / 2 × 77,562; the volume counts one side.
    assert.equal(interestOf('Hyperliquid', batch, 'BTC'), '1060783550');
    assert.deepEqual(countedOnce(batch, factsOf('Hyperliquid').counts).dayVolumes, batch.dayVolumes);
  });

  test('trade.xyz and Paragon, whose figures are of the same chain', () => {
    const reply = sent('tradexyz', 'metaAndAssetCtxs');
    const contracts = contractsOf(
      parseDexContracts(reply, sent('tradexyz', 'perpConciseAnnotations'), 'xyz'),
    );
    const batch = parseDexContexts(reply, { receivedAtMs: AT_MS, contracts });
    // 8,837.92 / 2 × 29,432.
    for (const exchange of ['trade.xyz', 'Paragon'])
      assert.equal(interestOf(exchange, batch, 'xyz:XYZ100'), '130058831');
  });

  test('Arcus, 2026-09-13: 4.63 million for BTC are 2.32', () => {
    // 60.0595314 / 2 × 77,119.6.
    assert.equal(interestOf('Arcus', parseArcusMarkets(sent('arcus', 'markets')), 'BTC-USD'), '2315884');
  });

  test('Pacifica and Paradex, 2026-09: what DefiLlama halves', () => {
    const list = contractsOf(parseParadexMarkets(sent('paradex', 'markets'), AT_MS));
    const btc = list.get('BTC-USD-PERP');
    assert.ok(btc);
    const known = (symbol: string) => ({
      receivedAtMs: AT_MS,
      contracts: new Map([[symbol, { ...btc, venueSymbol: symbol }]]),
    });
    const prices = { symbol: 'BTC', mark: '76922.3', oracle: '76956.9', open_interest: '412.34157' };
    const rates = { funding: '0.00000475', next_funding: '-0.00000336', timestamp: AT_MS };
    const pacifica = parsePacificaPrices(
      { success: true, data: [{ ...prices, ...rates, volume_24h: '158617298.66148' }] },
      known('BTC'),
    );
    assert.equal(interestOf('Pacifica', pacifica, 'BTC'), '15859131');
    const summary = {
      ...{ symbol: 'BTC-USD-PERP', mark_price: '77804.85141726', underlying_price: '77788.24195927' },
      ...{ bid: '77804.3', bid_size: '2.58196', ask: '77814', ask_size: '0.02581' },
      ...{ volume_24h: '4273947.632803999', open_interest: '50.4599', funding_rate: '0.00007688102642' },
    };
    const paradex = parseParadexSummaries({ results: [summary] }, known('BTC-USD-PERP'));
    // 50.4599 / 2 × 77,804.85141726.
    assert.equal(interestOf('Paradex', paradex, 'BTC-USD-PERP'), '1963013');
  });

  test('KuCoin, 2026-09-11: 511 million traded of XBTUSDTM are 256; open interest is odd and stays', () => {
    const { reply } = sentCalls('kucoin').contractsActive ?? { reply: {} };
    const [row] = (reply as { data: object[] }).data;
    const of2026 = { turnoverOf24h: 511_004_312.1306, volumeOf24h: 6589.31, openInterest: '15548057' };
    const batch = parseKucoinContracts({ code: '200000', data: [{ ...row, ...of2026 }] }, AT_MS);
    const { dayVolumes, marketFigures } = countedOnce(batch, factsOf('KuCoin').counts);
    assert.equal(rowOfSymbol(dayVolumes, 'XBTUSDTM').volume24hUsdt, 255_502_156.0653);
    assert.deepEqual(marketFigures, batch.marketFigures);
  });

  test('a count beside a value is halved with it, and what is null stays null', () => {
    const facts: SidesFacts = {
      openInterest: bothSides('x', '2026', 'x'),
      volume: bothSides('x', '2026', 'x'),
    };
    const figures = { venueSymbol: 'A', markPrice: 2, indexPrice: null };
    const batch: Batch = {
      ...emptyBatch(),
      marketFigures: [
        { ...figures, openInterestUsdt: 10, openInterestCount: 6 },
        { ...figures, openInterestUsdt: null },
      ],
      dayVolumes: [{ venueSymbol: 'A', volume24hUsdt: 8, referencePrice: 2, volumeCount: 4 }],
    };
    const once = countedOnce(batch, facts);
    assert.deepEqual(once.marketFigures, [
      { ...figures, openInterestUsdt: 5, openInterestCount: 3 },
      { ...figures, openInterestUsdt: null },
    ]);
    assert.deepEqual(once.dayVolumes, [
      { venueSymbol: 'A', volume24hUsdt: 4, referencePrice: 2, volumeCount: 2 },
    ]);
  });

  test('the operator’s word goes before that of the release, per figure; what is unknown is published as it comes', () => {
    const facts: SidesFacts = { openInterest: unknownSides('', '', ''), volume: bothSides('', '', '') };
    const batch: Batch = {
      ...emptyBatch(),
      marketFigures: [{ venueSymbol: 'A', markPrice: 1, indexPrice: 1, openInterestUsdt: 10 }],
      dayVolumes: [{ venueSymbol: 'A', volume24hUsdt: 8, referencePrice: 1 }],
    };
    const seen = (...chosen: Parameters<typeof countedOnce>[2][]) => {
      const { marketFigures, dayVolumes } = countedOnce(batch, facts, chosen[0]);
      return [marketFigures[0]?.openInterestUsdt, dayVolumes[0]?.volume24hUsdt];
    };
    assert.deepEqual(seen(), [10, 4]);
    assert.deepEqual(seen({ openInterest: 'both sides' }), [5, 4]);
    assert.deepEqual(seen({ volume: 'one side' }), [10, 8]);
    const once: SidesFacts = { openInterest: oneSide('', '', ''), volume: NOT_GIVEN };
    assert.equal(countedOnce(batch, once), batch, 'nothing to halve, nothing copied');
  });
});

interface Recorded {
  source: string;
  date: string;
  counts: { openInterest: string; volume: string; lotDecimals: number }[];
}

const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures/recorded-counts.json'), 'utf8'),
) as Record<string, Recorded>;

const LEAST_COUNTS = 30;

const isOddIn = (decimals: number) => (count: string) => Math.round(Number(count) * 10 ** decimals) % 2 === 1;

/** The rule: 30 or more counts that are all even in lots, while the other figure of the same rows is not, count both sides. */
function byParity(own: readonly boolean[], other: readonly boolean[]): Sides {
  if (own.some((isOdd) => isOdd)) return 'one side';
  return own.length >= LEAST_COUNTS && other.some((isOdd) => isOdd) ? 'both sides' : 'unknown';
}

suite('a count that is never odd over many contracts is counted twice', () => {
  const verdictOf = (exchange: string) => {
    const { counts = [] } = recorded[exchange] ?? {};
    const [interests, volumes] = (['openInterest', 'volume'] as const).map((name) =>
      counts.map((row) => isOddIn(row.lotDecimals)(row[name])),
    );
    assert.ok(interests && volumes);
    return { openInterest: byParity(interests, volumes), volume: byParity(volumes, interests) };
  };

  test('Hyperliquid: none of 60 open interests is odd, and volumes are', () => {
    assert.deepEqual(verdictOf('Hyperliquid'), { openInterest: 'both sides', volume: 'one side' });
  });

  test('MEXC: odd ones prove one side', () => {
    assert.deepEqual(verdictOf('MEXC'), { openInterest: 'one side', volume: 'one side' });
  });

  test('six even values are too few to decide: KuCoin’s volumes of one reply', () => {
    assert.deepEqual(verdictOf('KuCoin'), { openInterest: 'one side', volume: 'unknown' });
  });

  for (const [exchange, { source, date }] of Object.entries(recorded))
    test(`${exchange}: the facts say nothing else than the recorded counts`, () => {
      assert.ok(source.length > 10 && /^20\d\d/.test(date));
      const { counts } = factsOf(exchange);
      for (const figure of COUNTED_FIGURES) {
        const verdict = verdictOf(exchange)[figure];
        if (verdict !== 'unknown') assert.equal(counts[figure].sides, verdict, figure);
      }
    });
});

suite('every venue states what its open interest and its volume count', () => {
  for (const venue of VENUES)
    test(venue.facts.exchange, () => {
      const given = [...venue.polls, ...venue.streams].flatMap(({ gives }) => gives);
      const { openInterest, volume } = venue.facts.counts;
      assert.equal(openInterest.sides !== 'not given', given.includes('open interest'));
      assert.equal(volume.sides !== 'not given', given.includes('volume'));
      for (const { sides, evidence, date, source } of [openInterest, volume]) {
        if (sides === 'not given') continue;
        assert.ok(evidence.length > 10, 'what shows it');
        assert.match(date, /^20\d\d(-\d\d){0,2}$/);
        assert.match(source, /^https:\/\//);
      }
    });

  test('as sentences for people', () => {
    const [interest, volume] = sidesTexts({
      openInterest: bothSides('all even', '2026-09', 'https://example.org'),
      volume: unknownSides('no source says', '2026', 'https://example.org'),
    });
    assert.equal(
      interest?.sentence,
      'Open interest counts both sides at the venue, so half of it is published. All even.',
    );
    assert.equal(
      volume?.sentence,
      'Whether 24 h volume counts one side or both is not known; it is published as it comes. No source says.',
    );
    const [only, ...rest] = sidesTexts({ openInterest: NOT_GIVEN, volume: oneSide('odd', '2026', 'x') });
    assert.deepEqual([only?.sentence, rest], ['24 h volume counts one side. Odd.', []]);
  });
});
