import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowOfSymbol } from '../../../test/support/as-sent.ts';
import { parseDexContexts, parseDexContracts, parseFundingHistory } from '../hyperliquid/parse.ts';
import { hyperliquid } from '../hyperliquid/venue.ts';
import { paragon } from '../paragon/venue.ts';
import { BadReply } from '../reading.ts';
import { tradexyz } from './venue.ts';

/** 2026-09-13T14:20:00Z */
const NOW_MS = Date.UTC(2026, 8, 13, 14, 20);
const CONTEXT = { funding: '0.00000625', oraclePx: '10', markPx: '10', dayNtlVlm: '5', openInterest: '1' };

/** The reply of a dex with these markets, each with the same figures. */
const replyOf = (...universe: readonly unknown[]) => [{ universe }, universe.map(() => CONTEXT)];

function classesOf(names: readonly string[], annotations: unknown, dex: string) {
  const reply = replyOf(...names.map((name) => ({ name, maxLeverage: 10 })));
  return parseDexContracts(reply, annotations, dex).contractList?.contracts.map(
    ({ base, assetClass }) => `${base} ${assetClass}`,
  );
}

suite('a dex of another deployer on Hyperliquid', () => {
  test('only markets of the dex are listed, without its name in their base', () => {
    const batch = parseDexContracts(
      replyOf({ name: 'xyz:TSLA' }, { name: 'io:TSLA' }, { name: 'BTC' }),
      [],
      'xyz',
    );
    assert.deepEqual(
      batch.contractList?.contracts.map(({ venueSymbol, base, quote, settle }) => [
        venueSymbol,
        base,
        quote,
        settle,
      ]),
      [['xyz:TSLA', 'TSLA', 'USDC', 'USDC']],
    );
    assert.equal(batch.ignored.get('market of another dex'), 2);
  });

  test('a dex whose name starts with that of the venue is another one', () => {
    assert.deepEqual(
      parseDexContracts(replyOf({ name: 'xyz2:TSLA' }), [], 'xyz').contractList?.contracts,
      [],
    );
  });

  test('a market without a category is no coin, whatever its ticker', () => {
    assert.deepEqual(classesOf(['para:STX', 'para:XAU'], [], 'para'), ['STX stock', 'XAU commodity']);
  });

  test('an annotation of another shape is passed over, and the others are read', () => {
    const annotations = [null, 'xyz:TSLA', ['xyz:TSLA'], ['xyz:PURR', { category: 'crypto' }]];
    assert.deepEqual(classesOf(['xyz:TSLA', 'xyz:PURR'], annotations, 'xyz'), ['TSLA stock', 'PURR crypto']);
  });

  test('a category that nobody knows is a traditional asset', () => {
    assert.deepEqual(classesOf(['xyz:NEW'], [['xyz:NEW', { category: 'weather' }]], 'xyz'), ['NEW stock']);
  });

  test('annotations that are no list fail the poll', () => {
    assert.throws(() => parseDexContracts(replyOf({ name: 'xyz:TSLA' }), { error: 'x' }, 'xyz'), BadReply);
  });

  test('lists of different lengths fail the poll: rates would move to their neighbours', () => {
    const reply = [{ universe: [{ name: 'xyz:TSLA' }, { name: 'xyz:NVDA' }] }, [CONTEXT]];
    assert.throws(() => parseDexContracts(reply, [], 'xyz'), BadReply);
  });

  test('the null that the venue sends for an unknown dex fails the poll', () => {
    assert.throws(() => parseDexContracts(null, [], 'xyz'), BadReply);
  });

  test('the polls of all dexes take under a fifth of their shared budget: prints and books need the rest', () => {
    const polls = [hyperliquid, tradexyz, paragon].flatMap((venue) => venue.polls);
    const perMinute = polls.reduce((sum, { weight, everySeconds }) => sum + (weight * 60) / everySeconds, 0);
    // Figures: 20 every 15, 30 and 60 seconds; lists: twice 40 every five minutes.
    assert.equal(perMinute, 80 + 40 + 20 + 2 * 8);
    assert.equal(tradexyz.budgets.info?.capacity, 900);
    assert.ok(perMinute < 900 / 5);
  });

  test('figures of a market that the list does not have yet wait for the list', () => {
    const contracts = contractsOf(parseDexContracts(replyOf({ name: 'xyz:TSLA' }), [], 'xyz'));
    const reply = replyOf({ name: 'xyz:TSLA' }, { name: 'xyz:NEW' }, { name: 7 });
    const batch = parseDexContexts(reply, { receivedAtMs: NOW_MS, contracts });
    assert.deepEqual(
      batch.fundingQuotes.map(({ venueSymbol }) => venueSymbol),
      ['xyz:TSLA'],
    );
    assert.equal(batch.rejected.length, 1);
  });

  test('a market that has just been delisted has no figures, though the list is older', () => {
    const contracts = contractsOf(parseDexContracts(replyOf({ name: 'xyz:TSLA' }), [], 'xyz'));
    const reply = replyOf({ name: 'xyz:TSLA', isDelisted: true });
    assert.deepEqual(parseDexContexts(reply, { receivedAtMs: NOW_MS, contracts }).fundingQuotes, []);
  });
});

asSent('tradexyz', {}, (sent) => {
  const listOf = () => parseDexContracts(sent('metaAndAssetCtxs'), sent('perpConciseAnnotations'), 'xyz');

  test('contracts with their classes; a delisted one stays in the list', () => {
    const contracts = listOf().contractList?.contracts ?? [];
    assert.deepEqual(
      contracts.map(({ base, assetClass, status, maxLeverage }) => [base, assetClass, status, maxLeverage]),
      [
        ['XYZ100', 'index', 'trading', 30],
        ['AAPL', 'stock', 'trading', 20],
        ['DELISTED', 'stock', 'delisted', 10],
      ],
    );
  });

  test('every spelling of a category has its class', () => {
    const annotations = sent('perpConciseAnnotations');
    assert.deepEqual(classesOf(['xyz:GOLD', 'xyz:JPY', 'xyz:QNT', 'xyz:SP500'], annotations, 'xyz'), [
      'GOLD commodity',
      'JPY forex',
      'QNT stock',
      'SP500 index',
    ]);
    assert.deepEqual(classesOf(['para:10Y', 'para:AAOI', 'para:STX'], annotations, 'para'), [
      '10Y index',
      'AAOI stock',
      'STX stock',
    ]);
    assert.deepEqual(classesOf(['km:EUR'], annotations, 'km'), ['EUR forex']);
    assert.deepEqual(classesOf(['io:ANTH'], annotations, 'io'), ['ANTH stock']);
  });

  test('the rate of the coming hour, with the multiplier of the deployer in it; figures in USD', () => {
    const reply = sent('metaAndAssetCtxs');
    const batch = parseDexContexts(reply, { receivedAtMs: NOW_MS, contracts: contractsOf(listOf()) });
    assert.deepEqual(batch.rejected, []);
    const quote = rowOfSymbol(batch.fundingQuotes, 'xyz:XYZ100');
    assert.deepEqual(
      [quote.ratePct, quote.intervalHours, quote.nextFundingAtMs],
      [0.000625, 1, Date.UTC(2026, 8, 13, 15)],
    );
    assert.equal(rowOfSymbol(batch.fundingQuotes, 'xyz:AAPL').ratePct, -0.00178177);
    assert.equal(batch.fundingQuotes.length, 2, 'none of the delisted one');
    const figures = rowOfSymbol(batch.marketFigures, 'xyz:AAPL');
    assert.deepEqual([figures.markPrice, figures.indexPrice], [333.93, 334.1]);
  });

  test('settled rates, one an hour', () => {
    const { settlements } = parseFundingHistory(sent('fundingHistory'), { toMs: NOW_MS }, 500);
    assert.deepEqual(
      settlements.map(({ ratePct, settledAtMs }) => [ratePct, settledAtMs]),
      [
        [0.000625, 1_789_142_400_047],
        [0.000625, 1_789_146_000_028],
      ],
    );
  });
});
