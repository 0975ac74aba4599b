import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR_MS } from '../../base/times.ts';
import { heldContract, SettlementDirectory } from '../../history/settlements/directory.ts';
import { VENUES } from '../../venues/registry.ts';
import type { OperationContext } from '../operation.ts';
import { seriesContracts } from './series.ts';

const NOW_MS = Date.UTC(2026, 10, 14, 9, 30);

interface Made {
  venueSymbol: string;
  symbol: string;
  volume?: number;
  isInverse?: boolean;
  lastPrintMs?: number;
}

/** What `/funding/history` chooses of OKX's contracts on ETH before there is any snapshot. */
function choiceOf(...contracts: readonly Made[]): string | undefined {
  const directory = new SettlementDirectory();
  for (const [i, made] of contracts.entries())
    directory.put(
      heldContract({
        ...{ id: i + 1, exchange: 'OKX', venue_symbol: made.venueSymbol, symbol: made.symbol, coin: 'ETH' },
        ...{
          is_inverse: made.isInverse ? 1 : 0,
          listed_at_ms: null,
          walked_from_ms: null,
          walked_to_ms: null,
        },
        ...{ held_since_ms: 0, last_print_ms: made.lastPrintMs ?? NOW_MS - HOUR_MS, print_count: 1 },
        ...{ revision: 1, volume_24h_usdt: made.volume ?? null },
      }),
    );
  const context = {
    ...{ nowMs: NOW_MS, plan: { delaySeconds: 0 } },
    data: { venues: VENUES, history: { directory }, funding: { at: () => null } },
  } as unknown as OperationContext;
  const filter = { coin: 'ETH', only: undefined, without: undefined, symbol: undefined };
  return seriesContracts(filter, context)[0]?.symbol;
}

const USDT: Made = { venueSymbol: 'ETH-USDT-SWAP', symbol: 'ETH-USDT' };
const USDC: Made = { venueSymbol: 'ETH-USDC-SWAP', symbol: 'ETH-USDC' };
const INVERSE: Made = { venueSymbol: 'ETH-USD-SWAP', symbol: 'ETH-USD', isInverse: true, volume: 9e9 };

suite('the contract of a venue before the first snapshot', () => {
  test('the largest stored volume decides', () => {
    assert.equal(choiceOf({ ...USDC, volume: 10 }, { ...USDT, volume: 500 }), 'ETH-USDT');
    assert.equal(choiceOf({ ...USDC, volume: 500 }, { ...USDT, volume: 10 }), 'ETH-USDC');
  });

  test('without stored volumes the usual quote: USDT, USDC, USD, in any order of the contracts', () => {
    const usd = { venueSymbol: 'ETH-USD-LINEAR', symbol: 'ETH-USD' };
    assert.equal(choiceOf(usd, USDC, USDT), 'ETH-USDT');
    assert.equal(choiceOf(USDT, USDC, usd), 'ETH-USDT');
    assert.equal(choiceOf(usd, USDC), 'ETH-USDC');
  });

  test('a linear one before a larger inverse one, and one that settles before a delisted one', () => {
    assert.equal(choiceOf(INVERSE, USDC), 'ETH-USDC');
    const delisted = { ...USDT, volume: 500, lastPrintMs: NOW_MS - 72 * HOUR_MS };
    assert.equal(choiceOf(delisted, { ...USDC, volume: 10 }), 'ETH-USDC');
  });
});
