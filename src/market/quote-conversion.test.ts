import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type QuotedMid, usdtPerQuote } from './quote-conversion.ts';

const mid = (exchange: string, coin: string, quote: string, price: number): QuotedMid => ({
  exchange,
  coin,
  quote,
  mid: price,
});

/** A venue that quotes the coin in both, at this rate. */
const both = (exchange: string, coin: string, quote: string, rate: number) => [
  mid(exchange, coin, 'USDT', 100 * rate),
  mid(exchange, coin, quote, 100),
];

suite('USDT per unit of a quote', () => {
  test('is the median over the coins that one venue quotes in both', () => {
    const rates = usdtPerQuote([
      ...both('Binance', 'BTC', 'USDC', 0.999),
      ...both('Binance', 'ETH', 'USDC', 0.9992),
      ...both('OKX', 'BTC', 'USDC', 1.2),
    ]);
    assert.equal(rates.get('USDC'), 0.9992);
    assert.equal(rates.get('USDT'), 1);
  });

  test('prices of two different venues give no rate', () => {
    assert.equal(
      usdtPerQuote([mid('Binance', 'BTC', 'USDT', 100), mid('OKX', 'BTC', 'USDC', 99)]).get('USDC'),
      undefined,
    );
  });

  test('is converted through another quote where no venue has a USDT pair', () => {
    const rates = usdtPerQuote([
      ...both('Binance', 'BTC', 'USDC', 0.998),
      mid('OKX', 'BTC', 'USDC', 100),
      mid('OKX', 'BTC', 'USD', 100.2),
    ]);
    assert.equal(rates.get('USD'), 0.99601); // 100 / 100.2 x 0.998
  });

  test('stays at the last known rate while no venue gives one', () => {
    const before = usdtPerQuote(both('Binance', 'BTC', 'USDC', 0.97));
    assert.equal(usdtPerQuote([], before).get('USDC'), 0.97);
    assert.equal(usdtPerQuote(both('Binance', 'BTC', 'USDC', 0.98), before).get('USDC'), 0.98);
  });

  test('two coins under one ticker at a venue give no rate', () => {
    assert.equal(usdtPerQuote(both('Binance', 'NEIRO', 'USDC', 48)).get('USDC'), undefined);
  });
});
