import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { nearest, sharingStart } from './suggestions.ts';

const VENUES = ['Binance', 'BingX', 'Bitget', 'Bybit', 'Backpack', 'CoinEx', 'OKX', 'Kraken', 'dYdX', 'WOOX'];

suite('nearest', () => {
  test('puts the same letters in another case first', () => assert.equal(nearest('okx', VENUES)[0], 'OKX'));
  test('then the fewest changes', () => assert.equal(nearest('Binanse', VENUES)[0], 'Binance'));
  test('gives at most eight', () => assert.equal(nearest('x', VENUES).length, 8));
  test('gives fewer when limited', () => assert.equal(nearest('x', VENUES, 2).length, 2));
  test('handles 64 kB of nonsense', () => assert.equal(nearest('x'.repeat(65_536), VENUES).length, 8));
});

suite('sharingStart', () => {
  const coins = ['BTC', 'BTCDOM', 'BTT', 'ETH', 'ETC', 'BNB'];
  test('keeps the first two letters, in any case, nearest first', () => {
    assert.deepEqual(sharingStart('btx', coins), ['BTC', 'BTT', 'BTCDOM']);
  });
  test('is empty when nothing starts so', () => assert.deepEqual(sharingStart('zzz', coins), []));
  test('gives at most eight', () => {
    assert.equal(
      sharingStart(
        'A1',
        Array.from({ length: 30 }, (_, i) => `A1${i}`),
      ).length,
      8,
    );
  });
});
