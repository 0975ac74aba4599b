import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { VENUES } from '../../../../venues/registry.ts';
import { venueSite } from './venue-site.ts';

suite('the link to a venue', () => {
  const siteOf = (exchange: string) => {
    const venue = VENUES.find(({ facts }) => facts.exchange === exchange);
    return venue ? venueSite(venue.facts) : undefined;
  };

  test('is the site whose pages our facts cite', () => {
    assert.equal(siteOf('Binance'), 'https://www.binance.com/');
    assert.equal(siteOf('Hyperliquid'), 'https://app.hyperliquid.xyz/');
    assert.equal(siteOf('dYdX'), 'https://dydx.trade/');
  });

  test('is missing where they cite documents only', () => {
    for (const exchange of ['Paradex', 'Lighter', 'XT', 'edgeX'])
      assert.equal(siteOf(exchange), null, exchange);
  });
});
