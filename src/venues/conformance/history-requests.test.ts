import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import type { Contract } from '../observations.ts';
import { VENUES } from '../registry.ts';
import type { SendRequest, VenueRequest } from '../venue.ts';

suite('E4: history is requested for one contract, never without a symbol', () => {
  const contract: Contract = { ...fakeContract('SYM-USDT'), venueId: '4711', intervalHours: 8 };
  for (const venue of VENUES.filter(({ facts }) => facts.noHistory === undefined)) {
    test(venue.facts.exchange, async () => {
      const requested: VenueRequest[] = [];
      const send: SendRequest = async (request) => {
        requested.push(request);
        throw new Error('only the request is needed');
      };
      const window = { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 0, 2) };
      await venue.settlements(contract, window, { send, contracts: new Map() }).catch(() => undefined);
      const [request] = requested;
      assert.ok(request, 'a call is made');
      const text = JSON.stringify(request);
      assert.ok(/SYM-USDT|SYMUSDT|4711|SYM/.test(text), text);
    });
  }
});
