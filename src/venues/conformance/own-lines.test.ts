import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { VENUES } from '../registry.ts';

const MOST_LINES = 200;

/** Venues of another shape than docs/adding-a-venue.md calls ordinary, and what makes them longer. */
const LONGER: Readonly<Record<string, string>> = {
  binance: 'two families of contracts with hosts of their own',
  bybit: 'two families of contracts, lists in pages, announcements',
  okx: 'linear and inverse contracts with contract values, figures in many calls, announcements',
  bitget: 'three families of contracts in two versions of the API, announcements',
  gate: 'three families of contracts, delistings in several fields, announcements',
  mexc: 'tops from books of a stream, classes from labels, announcements',
  kucoin: 'countdowns instead of times, names of its own, announcements',
  htx: 'two families of contracts with an API each, amounts of both sides',
  bingx: 'two families of contracts, of which one has no prints',
  coinex: 'inverse contracts, intervals from two settlements',
  woox: 'subscriptions in groups, of which some may be refused, and rows that stand still',
  kraken: 'rates as amounts of money, flags instead of a status',
  deribit: 'funding accrues, and rates come over a stream',
  phemex: 'scaled numbers, two families of contracts, books over a stream',
  hyperliquid: 'figures by position in a second list, weights by rows',
  aster: 'classes from three fields, announcements',
  dydx: 'books from changes of a stream',
  lighter: 'books and figures from changes of a stream, contracts by number',
  paradex: 'funding accrues, and prints are made of an index',
  backpack: 'times without a zone, subscriptions that are refused in silence',
  edgex: 'rows by id, calls with lists of ids, figures over two channels',
  grvt: 'all figures over one stream',
  orderly: 'books requested over the stream',
  pionex: 'no interval: it is made of prints, with a call per contract',
  nado: 'scaled numbers, rates of 24 hours, contracts by number',
};

function ownLines(slug: string): number {
  const folder = join(import.meta.dirname, '..', slug);
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return files.reduce(
    (sum, name) => sum + readFileSync(join(folder, name), 'utf8').split('\n').length - 1,
    0,
  );
}

suite('lines that a venue has of its own', () => {
  for (const { slug } of VENUES) {
    const reason = LONGER[slug];
    if (reason === undefined)
      test(`${slug} is of the ordinary shape and has fewer than ${MOST_LINES}`, () => {
        assert.ok(ownLines(slug) < MOST_LINES, `${slug} has ${ownLines(slug)} lines`);
      });
    else
      test(`${slug} has more: ${reason}`, () => {
        assert.ok(
          ownLines(slug) >= MOST_LINES,
          `${slug} has ${ownLines(slug)} lines: it is no exception any more`,
        );
      });
  }
});
