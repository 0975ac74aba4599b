import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { markdownTable } from '../../../test/backtest/markdown-table.ts';
import { venueCode } from '../../../test/support/venue-code.ts';
import { traditionalClassOf } from '../asset-class.ts';
import { parseExchangeInfo } from '../binance/parse.ts';
import { parseContracts as parseBingx } from '../bingx/parse.ts';
import { parseContracts as parseBitget } from '../bitget/parse.ts';
import { parseInstruments as parseBybit } from '../bybit/parse-contracts.ts';
import { parseContracts as parseGate } from '../gate/parse.ts';
import { parseContracts as parseHtx } from '../htx/parse.ts';
import { parseContracts as parseKucoin } from '../kucoin/parse.ts';
import { parseContracts as parseMexc } from '../mexc/parse.ts';
import type { AssetClass, Batch } from '../observations.ts';
import { parseInstruments as parseOkx } from '../okx/parse-contracts.ts';
import { VENUES } from '../registry.ts';

const NOW_MS = Date.UTC(2026, 8, 14);

function classesOf(batch: Batch): Record<string, AssetClass> {
  assert.deepEqual(batch.rejected, []);
  return Object.fromEntries(
    (batch.contractList?.contracts ?? []).map((contract) => [contract.base, contract.assetClass]),
  );
}

suite('asset classes of contracts that were seen at the venues in September and October 2026', () => {
  test('Binance: shares of Hong Kong, Korea and China, companies before their listing, and a currency pair', () => {
    const rows = [
      ['TENCENT', 'HK_EQUITY'],
      ['SAMSUNG', 'KR_EQUITY'],
      ['MOUTAI', 'CN_EQUITY'],
      ['OPENAI', 'PREMARKET'],
      ['USDJPY', 'FX'],
      ['XAG', 'COMMODITY'],
      ['NEWKIND', 'SOMETHING_ELSE'],
    ].map(([base, underlyingType]) => ({ base, underlyingType, contractType: 'TRADIFI_PERPETUAL' }));
    const coins = [
      ['PAXG', 'COIN'],
      ['BTCDOM', 'INDEX'],
      ['EARLY', 'PREMARKET'],
    ].map(([base, underlyingType]) => ({ base, underlyingType, contractType: 'PERPETUAL' }));
    const symbols = [...rows, ...coins].map(({ base, ...row }) => ({
      ...row,
      symbol: `${base}USDT`,
      baseAsset: base,
      quoteAsset: 'USDT',
      marginAsset: 'USDT',
      status: 'TRADING',
    }));
    assert.deepEqual(classesOf(parseExchangeInfo({ symbols }, 'usd-m')), {
      TENCENT: 'stock',
      SAMSUNG: 'stock',
      MOUTAI: 'stock',
      OPENAI: 'stock',
      USDJPY: 'forex',
      XAG: 'commodity',
      NEWKIND: 'stock',
      PAXG: 'crypto',
      BTCDOM: 'index',
      EARLY: 'crypto',
    });
  });

  test('a traditional asset without a kind: metals and fuels are commodities, CL may be Colgate', () => {
    const classes = ['XAU', 'XPD', 'BRENT', 'NATGAS', 'CL', 'TSLA', 'US500'].map(traditionalClassOf);
    assert.deepEqual(classes, [...Array(4).fill('commodity'), 'stock', 'stock', 'index']);
  });

  test('Bybit: a zone is no class', () => {
    const list = [
      ['FART', 'innovation'],
      ['SPY', 'ETF'],
      ['EURUSD', 'forex'],
      ['XAUT', 'commodity'],
    ].map(([baseCoin, symbolType]) => ({
      symbol: `${baseCoin}USDT`,
      contractType: 'LinearPerpetual',
      status: 'Trading',
      baseCoin,
      quoteCoin: 'USDT',
      settleCoin: 'USDT',
      symbolType,
    }));
    assert.deepEqual(classesOf(parseBybit({ retCode: 0, result: { list } }, 'linear').batch), {
      FART: 'crypto',
      SPY: 'stock',
      EURUSD: 'forex',
      XAUT: 'crypto',
    });
  });

  test('OKX: US500 and JP225 are listed as shares and are indices', () => {
    const data = ['US500', 'JP225', 'TSLA'].map((base) => ({
      instId: `${base}-USDT-SWAP`,
      instType: 'SWAP',
      state: 'live',
      settleCcy: 'USDT',
      ctType: 'linear',
      ctVal: '1',
      ctMult: '1',
      instCategory: '3',
    }));
    assert.deepEqual(classesOf(parseOkx({ code: '0', data })), {
      US500: 'index',
      JP225: 'index',
      TSLA: 'stock',
    });
  });

  test('Bitget: eleven contracts of symbolType crypto are traditional assets by isRwa; gold tokens are coins', () => {
    const traditional = 'EURUSD USDJPY GBPUSD H100 B200 KUAISHOU HPQ FCX BHP RIO VALE'.split(' ');
    const rows = [
      ...traditional.map((base) => ({ base, symbolType: 'crypto', isRwa: 'YES' })),
      { base: 'PAXG', symbolType: 'metal', isRwa: 'YES' },
      { base: 'XAUT', symbolType: 'metal', isRwa: 'YES' },
      { base: 'XAU', symbolType: 'metal', isRwa: 'YES' },
      { base: 'BTC', symbolType: 'crypto', isRwa: 'NO' },
    ];
    const data = rows.map(({ base, ...row }) => ({
      ...row,
      symbol: `${base}USDT`,
      type: 'perpetual',
      baseCoin: base,
      quoteCoin: 'USDT',
      status: 'online',
    }));
    assert.deepEqual(classesOf(parseBitget({ code: '00000', data }, 'usdt', NOW_MS)), {
      EURUSD: 'forex',
      USDJPY: 'forex',
      GBPUSD: 'forex',
      H100: 'commodity',
      B200: 'commodity',
      ...Object.fromEntries(['KUAISHOU', 'HPQ', 'FCX', 'BHP', 'RIO', 'VALE'].map((base) => [base, 'stock'])),
      PAXG: 'crypto',
      XAUT: 'crypto',
      XAU: 'commodity',
      BTC: 'crypto',
    });
  });

  test('Gate: PAXG, XAUT and USDC are coins, whatever group the venue shows them in', () => {
    const rows = [
      ['PAXG', 'metals'],
      ['XAUT', 'metals'],
      ['XAU', 'metals'],
      ['USDC', 'forex'],
      ['EURUSD', 'forex'],
      ['BTC', ''],
    ].map(([base, contract_type]) => ({
      name: `${base}_USDT`,
      contract_type,
      quanto_multiplier: '1',
      funding_next_apply: 1_789_344_000,
    }));
    assert.deepEqual(classesOf(parseGate(rows, 'usdt', NOW_MS)), {
      PAXG: 'crypto',
      XAUT: 'crypto',
      XAU: 'commodity',
      USDC: 'crypto',
      EURUSD: 'forex',
      BTC: 'crypto',
    });
  });

  test('KuCoin: XAUTUSDTM and PAXGUSDTM are METAL and coins', () => {
    const data = ['XAUT', 'PAXG', 'XAU'].map((base) => ({
      symbol: `${base}USDTM`,
      type: 'FFWCSX',
      baseCurrency: base,
      quoteCurrency: 'USDT',
      settleCurrency: 'USDT',
      multiplier: 0.001,
      status: 'Open',
      assetClass: 'METAL',
      turnoverOf24h: 1,
      fundingFeeRate: 0.0001,
      nextFundingRateDateTime: NOW_MS,
    }));
    assert.deepEqual(classesOf(parseKucoin({ code: '200000', data }, NOW_MS)), {
      XAUT: 'crypto',
      PAXG: 'crypto',
      XAU: 'commodity',
    });
  });

  test('HTX: EURUSD carries no label, JP225 only Stocks, and gold tokens Metals', () => {
    const rows = [
      ['EURUSD', []],
      ['JP225', ['Stocks']],
      ['PAXG', ['Metals']],
      ['NVDA', ['Stocks']],
    ] as const;
    const data = rows.map(([base, tradfi_labels]) => ({
      contract_code: `${base}-USDT`,
      contract_size: 1,
      contract_status: 1,
      business_type: 'swap',
      trade_partition: 'USDT',
      tradfi_labels,
    }));
    assert.deepEqual(classesOf(parseHtx({ status: 'ok', data }, 'linear', NOW_MS)), {
      EURUSD: 'forex',
      JP225: 'index',
      PAXG: 'crypto',
      NVDA: 'stock',
    });
  });

  test('BingX: currencies that are not priced in USD (NCFXUSD2JPY, NCFXEUR2GBP)', () => {
    const data = ['NCFXUSD2JPY', 'NCFXEUR2GBP', 'NCFXEUR2USD', 'NCSKTSLA2USD', 'NC', 'PAXG'].map((base) => ({
      symbol: `${base}-USDT`,
      currency: 'USDT',
      status: 1,
    }));
    assert.deepEqual(classesOf(parseBingx({ code: 0, data }, NOW_MS)), {
      NCFXUSD2JPY: 'forex',
      NCFXEUR2GBP: 'forex',
      NCFXEUR2USD: 'forex',
      NCSKTSLA2USD: 'stock',
      NC: 'crypto',
      PAXG: 'crypto',
    });
  });

  test('MEXC: gold tokens are in the zone of metals and are coins', () => {
    const data = ['XAUT', 'PAXG', 'XAU'].map((baseCoin) => ({
      symbol: `${baseCoin}_USDT`,
      baseCoin,
      quoteCoin: 'USDT',
      settleCoin: 'USDT',
      contractSize: 1,
      state: 0,
      conceptPlate: ['mc-trade-zone-metals'],
    }));
    assert.deepEqual(classesOf(parseMexc({ success: true, code: 0, data }, NOW_MS)), {
      XAUT: 'crypto',
      PAXG: 'crypto',
      XAU: 'commodity',
    });
  });
});

suite('the table of asset classes in docs/data-rules.md', () => {
  const root = join(import.meta.dirname, '../../..');
  const rows = markdownTable(
    readFileSync(join(root, 'docs/data-rules.md'), 'utf8'),
    'Venue',
    'Class comes from',
  );

  test('has a row for every venue', () => {
    assert.deepEqual(rows.map((row) => row.Venue).sort(), VENUES.map((venue) => venue.facts.exchange).sort());
  });

  for (const { slug, facts } of VENUES)
    test(`${facts.exchange}: every field and word of the row is one that its parser reads`, () => {
      const code = venueCode(slug);
      const text = rows.find((row) => row.Venue === facts.exchange)?.['Class comes from'] ?? '';
      const words = [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
      for (const word of words) assert.ok(code.includes(word), `${word} is not in the code of ${slug}`);
      assert.ok(text.length > 0, 'the row says something');
    });
});
