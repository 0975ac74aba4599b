import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { EXCHANGES_TABLE } from '../../src/engines/funding/catalogue.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { rowsOf } from '../support/service.ts';
import { commonStatuses } from './common-statuses.ts';
import { metaOf, problemOf, type Rest, startRest } from './rest-service.ts';

const PATH = '/api/v1/exchanges';
const SERVED = ['binance', 'okx', 'kraken', 'deribit'];
/** The largest leverage of the simulated contracts, at venues whose lists have one. */
const LISTED_LEVERAGE: Readonly<Record<string, number>> = { OKX: 125, Kraken: 100, Deribit: 50 };

suite('GET /exchanges', () => {
  let rest: Rest;
  before(async () => {
    rest = await startRest({ venues: SERVED });
  });
  after(() => rest.stop());
  const names = async (query: string) =>
    rowsOf(await rest.get(`${PATH}?${query}`)).map((row) => row.exchange);

  commonStatuses(() => rest, { path: PATH, scope: null });

  suite('200', () => {
    test('has one row per served venue with the facts of its folder', async () => {
      const reply = await rest.get(PATH);
      const rows = rowsOf(reply);
      assert.equal(metaOf(reply).count, SERVED.length);
      assert.equal(metaOf(reply).total, SERVED.length);
      assert.equal(metaOf(reply).next_cursor, undefined);
      for (const row of rows) {
        assert.deepEqual(
          Object.keys(row),
          EXCHANGES_TABLE.columns.map((column) => column.name),
        );
        const facts = VENUES.find((venue) => venue.facts.exchange === row.exchange)?.facts;
        assert.equal(row.taker_fee_pct, facts?.takerFeePct.value);
        const contracts = LISTED_LEVERAGE[String(row.exchange)];
        assert.equal(row.max_leverage, contracts ?? facts?.maxLeverage.value);
        assert.equal(row.has_spot, facts?.hasSpot);
      }
    });

    test('counts the contracts that /funding has', async () => {
      for (const row of rowsOf(await rest.get(PATH))) {
        const funding = await rest.get(`/api/v1/funding?limit=1&exchange=${row.exchange}`);
        assert.equal(row.tracked_instruments, metaOf(funding).total, String(row.exchange));
      }
    });

    test('its icons exist', async () => {
      for (const row of rowsOf(await rest.get(PATH))) {
        const icon = await fetch(String(row.icon_url));
        assert.equal(icon.headers.get('content-type'), 'image/svg+xml');
        assert.match(await icon.text(), /^<svg/);
      }
    });

    test('is sorted by name by default', async () => {
      assert.deepEqual(await names(''), ['Binance', 'Deribit', 'Kraken', 'OKX']);
    });

    for (const [sort, column, sign] of [
      ['instruments_desc', 'tracked_instruments', -1],
      ['fee_asc', 'taker_fee_pct', 1],
      ['leverage_desc', 'max_leverage', -1],
    ] as const) {
      test(`sorts by ${sort}`, async () => {
        const values = rowsOf(await rest.get(`${PATH}?sort=${sort}`)).map((row) => Number(row[column]));
        assert.deepEqual(
          values,
          values.toSorted((a, b) => sign * (a - b)),
        );
      });
    }

    test('q is the start of a name, in any case', async () => {
      assert.deepEqual(await names('q=ok'), ['OKX']);
      assert.deepEqual(await names('q=KX'), []);
    });
    test('q is the start of a name too, with its spaces and dots', async () => {
      for (const { facts } of VENUES.filter((venue) => SERVED.includes(venue.slug))) {
        assert.deepEqual(await names(`q=${encodeURIComponent(facts.name.toUpperCase())}`), [facts.exchange]);
        assert.deepEqual(await names(`q=${encodeURIComponent(facts.exchange)}`), [facts.exchange]);
      }
    });
    test('an empty q keeps all', async () => assert.equal((await names('q=')).length, SERVED.length));

    for (const flag of ['trading_enabled', 'has_spot'] as const) {
      test(`${flag} keeps one side`, async () => {
        const all = rowsOf(await rest.get(PATH));
        for (const wanted of [true, false]) {
          const expected = all.filter((row) => row[flag] === wanted).map((row) => row.exchange);
          assert.deepEqual(await names(`${flag}=${wanted}`), expected);
        }
      });
    }

    test('fields keeps only these, in the order of the row', async () => {
      const rows = rowsOf(await rest.get(`${PATH}?fields=page_url,exchange`));
      assert.deepEqual(rows[0], {
        exchange: 'Binance',
        page_url: `${rest.service.baseUrl}/exchanges/Binance`,
      });
    });

    test('page_url is our page of the venue; specs_url and funding_url are the venue’s own', async () => {
      for (const row of rowsOf(await rest.get(PATH))) {
        assert.equal((await fetch(String(row.page_url))).status, 200, String(row.exchange));
        const facts = VENUES.find((venue) => venue.facts.exchange === row.exchange)?.facts;
        assert.deepEqual([row.specs_url, row.funding_url], [facts?.specsUrl, facts?.fundingUrl]);
      }
    });

    test('max_leverage is declared as an unsigned integer and is one', async () => {
      const reply = await fetch(`${rest.service.baseUrl}/api/v1/openapi.json`);
      const { components } = (await reply.json()) as {
        components: { schemas: Record<string, { properties: Record<string, { format?: string }> }> };
      };
      assert.equal(components.schemas.ExchangeRow?.properties.max_leverage?.format, 'uint32');
      for (const row of rowsOf(await rest.get(PATH))) assert.ok(Number.isInteger(row.max_leverage));
    });

    test('comes whole on Demo too', async () => {
      assert.equal(rowsOf(await rest.get(PATH, { plan: 'demo' })).length, SERVED.length);
    });
  });

  suite('400', () => {
    for (const [query, detail] of [
      ['sort=fee_desc', /"sort" must be one of name_asc, instruments_desc, fee_asc, leverage_desc/],
      ['fields=fee', /"fields" has an unknown name "fee"; the row's fields are exchange, name,/],
      ['has_spot=maybe', /"has_spot" must be true or false/],
      ['trading_enabled=', /"trading_enabled" is empty/],
      [`q=${'x'.repeat(41)}`, /"q" must be at most 40 characters/],
    ] as const) {
      test(query.slice(0, 30), async () => {
        const reply = await rest.get(`${PATH}?${query}`);
        assert.match(problemOf(rest, reply, 400, 'invalid-parameter').detail, detail);
      });
    }
  });
});
