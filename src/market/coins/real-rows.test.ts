import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { AssetClass } from '../../venues/observations.ts';
import { IdentityResolver } from '../identity.ts';

/** A row that a venue published: exchange, base, mark price, and the class by our adapter. */
type RealRow = readonly [exchange: string, base: string, price: number, assetClass: AssetClass];

/**
 * Mark prices of both names side by side, without another note from https://github.com/belyjelli/ai-rates, 2026-09-12 (fuels
 * and metals) and 2026-09-13 (indices and Brent). Where the source has only the lowest and the highest mark of a name, they
 * stand beside two venues that list it.
 */
const REAL: readonly { coin: string; rows: readonly RealRow[] }[] = [
  {
    coin: 'NATGAS',
    rows: [
      ['Binance', 'NATGAS', 2.942, 'commodity'],
      ['Bybit', 'NATGAS', 2.946, 'commodity'],
      ['BloFin', 'NG', 2.937, 'commodity'],
      ['Phemex', 'NG', 2.944, 'commodity'],
    ],
  },
  {
    coin: 'CL',
    rows: [
      ['Binance', 'CL', 96.146, 'commodity'],
      ['OKX', 'CL', 96.409, 'commodity'],
      ['dYdX', 'WTI', 96.122, 'commodity'],
      ['Pionex', 'WTI', 96.125, 'commodity'],
    ],
  },
  {
    coin: 'XAU',
    rows: [
      ['Binance', 'XAU', 4355.79, 'commodity'],
      ['OKX', 'XAU', 4359.35, 'commodity'],
      ['BingX', 'NCCOGOLD2USD', 4353.3, 'commodity'],
    ],
  },
  {
    coin: 'XAG',
    rows: [
      ['Binance', 'XAG', 64.52, 'commodity'],
      ['OKX', 'XAG', 64.58, 'commodity'],
      ['WhiteBIT', 'SILVER', 64.39, 'commodity'],
    ],
  },
  {
    coin: 'US500',
    rows: [
      ['Lighter', 'US500', 7620.6, 'index'],
      // OKX has indices among its shares.
      ['OKX', 'US500', 7630, 'index'],
      ['Gate', 'SPX500', 7616.7, 'index'],
      ['MEXC', 'SPX500', 7630, 'index'],
      ['Bitget', 'SP500', 7616.1, 'stock'],
    ],
  },
  {
    coin: 'NAS100',
    rows: [
      ['Extended', 'NAS100', 29_040.4, 'index'],
      ['HTX', 'NASDAQ100', 29_044, 'index'],
    ],
  },
  {
    coin: 'BZ',
    rows: [
      ['Binance', 'BZ', 103.1, 'commodity'],
      ['MEXC', 'BRENT', 103.13, 'commodity'],
    ],
  },
  // 2026-09-22: the index of Toobit's TON is GRAMUSDT of Binance.
  {
    coin: 'GRAM',
    rows: [
      ['Binance', 'GRAM', 1.45, 'crypto'],
      ['Toobit', 'TON', 1.45, 'crypto'],
      ['WEEX', 'TON', 1.45, 'crypto'],
    ],
  },
  // SPX6900 stays what it is.
  {
    coin: 'SPX',
    rows: [
      ['Binance', 'SPX', 0.486, 'crypto'],
      ['OKX', 'SPX', 0.486, 'crypto'],
    ],
  },
];

suite('the table of names over figures that venues published', () => {
  const contracts = REAL.flatMap(({ rows }) =>
    rows.map(([exchange, base, price, assetClass]) => ({
      ...{ key: `${exchange}/${base}`, exchange, base, assetClass, price },
    })),
  );
  const identities = new IdentityResolver().resolve(contracts);
  for (const { coin, rows } of REAL)
    test(`${coin}: ${rows.map(([exchange, base]) => `${exchange} ${base}`).join(', ')}`, () => {
      for (const [exchange, base] of rows) {
        const identity = identities.get(`${exchange}/${base}`);
        assert.deepEqual([identity?.coin, identity?.isPriceOutlier], [coin, false], `${exchange} ${base}`);
      }
    });

  test('oil and Brent, 7 % apart, are two coins', () => {
    assert.notEqual(identities.get('dYdX/WTI')?.coin, identities.get('MEXC/BRENT')?.coin);
  });
});
