import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseDayTickers, parseExchangeInfo } from './binance/parse.ts';
import { emptyBatch } from './observations.ts';
import { convertVolumes } from './quotes.ts';

const symbol = (baseAsset: string, quoteAsset: string) => ({
  symbol: `${baseAsset}${quoteAsset}`,
  contractType: 'PERPETUAL',
  status: 'TRADING',
  baseAsset,
  quoteAsset,
  marginAsset: quoteAsset,
  underlyingType: 'COIN',
});
const listed = parseExchangeInfo(
  {
    symbols: [symbol('BTC', 'USDT'), symbol('BTC', 'USDC'), symbol('ETH', 'BTC'), symbol('ETH', 'USD1')],
  },
  'usd-m',
);
const contracts = new Map(
  (listed.contractList?.contracts ?? []).map((contract) => [contract.venueSymbol, contract]),
);
const context = { receivedAtMs: 0, contracts };
const BTC_USDT = { symbol: 'BTCUSDT', lastPrice: '96400', quoteVolume: '9000000000' };
const BTC_USDC = { symbol: 'BTCUSDC', lastPrice: '96500', quoteVolume: '700000000' };
const ETH_BTC = { symbol: 'ETHBTC', lastPrice: '0.03434', quoteVolume: '150' };

suite('volumes in a quote that is no dollar', () => {
  test('Binance ETHBTC: 150 BTC of turnover are 14.46 million USDT, at the price of BTCUSDT in the same reply', () => {
    const batch = parseDayTickers([ETH_BTC, BTC_USDC, BTC_USDT], context);
    assert.deepEqual(batch.rejected, []);
    assert.deepEqual(
      batch.dayVolumes.map((volume) => [volume.venueSymbol, volume.volume24hUsdt, volume.referencePrice]),
      [
        ['ETHBTC', 14_460_000, 0.03434],
        ['BTCUSDC', 700_000_000, 96_500],
        ['BTCUSDT', 9_000_000_000, 96_400],
      ],
    );
  });

  test('without a price of the quote in the reply there is no volume, and the reason is counted', () => {
    const batch = parseDayTickers([ETH_BTC, { ...BTC_USDT, lastPrice: '' }], context);
    assert.deepEqual(
      batch.dayVolumes.map((volume) => volume.venueSymbol),
      ['BTCUSDT'],
    );
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'ETHBTC', reason: 'no price of the quote BTC' }]);
  });

  test('open interest in BTC becomes USDT with the mark price of BTCUSDT; without that price it is unknown', () => {
    const figures = (venueSymbol: string, markPrice: number, openInterestUsdt: number) => ({
      venueSymbol,
      markPrice,
      indexPrice: null,
      openInterestUsdt,
    });
    const ethBtc = figures('ETHBTC', 0.03434, 20);
    const both = { ...emptyBatch(), marketFigures: [ethBtc, figures('BTCUSDT', 96_400, 5e9)] };
    convertVolumes(both, contracts);
    assert.deepEqual(both.marketFigures, [
      { ...ethBtc, openInterestUsdt: 1_928_000 },
      figures('BTCUSDT', 96_400, 5e9),
    ]);
    const alone = { ...emptyBatch(), marketFigures: [ethBtc] };
    convertVolumes(alone, contracts);
    assert.deepEqual(alone.marketFigures, [{ ...ethBtc, openInterestUsdt: null }]);
    assert.deepEqual(alone.rejected, []);
  });

  test('every dollar stablecoin counts one to one', () => {
    const usd1 = { symbol: 'ETHUSD1', lastPrice: '3310', quoteVolume: '1000' };
    assert.equal(parseDayTickers([usd1, BTC_USDT], context).dayVolumes[0]?.volume24hUsdt, 1000);
  });
});
