import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ExactPaths } from './exact-paths.ts';

suite('exact paths', () => {
  const paths = new ExactPaths();
  for (const path of ['/api/v1/spreads', '/api/v1/spreads/backtest']) paths.set(path, () => undefined);

  for (const [url, path] of [
    ['/api/v1/spreads', '/api/v1/spreads'],
    ['/api/v1/spreads?coin=BTC', '/api/v1/spreads'],
    ['/api/v1/spreads?', '/api/v1/spreads'],
    ['/api/v1/spreads/backtest?a', '/api/v1/spreads/backtest'],
    ['/api/v1/spreads/', undefined],
    ['/api/v1/spreadsheet', undefined],
    ['/api/v1/spread', undefined],
    ['/x?/api/v1/spreads', undefined],
    ['', undefined],
  ] as const) {
    test(`"${url}" leads to ${path ?? 'none'}`, () => assert.equal(paths.find(url)?.path, path));
  }
});
