import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MINUTE_MS } from '../src/base/times.ts';
import { coinsOf, type Tier } from './coins.ts';
import type { SimContract, Universe } from './contracts.ts';
import { bookAt } from './market.ts';
import type { SimVenue } from './venue.ts';

/**
 * Many minutes of the past in one reply, because one request per minute would take weeks: the books of all linear
 * contracts on some coins, as deep as an order of 500 USD can reach.
 */
interface PastQuestion {
  fromMinute: number;
  toMinute: number;
  /** Which coins, counted from 0 in the simulator's order, and how many from there on. */
  firstCoin: number;
  coins: number;
}

/** Levels that hold more than 500 USD even when all of them are small; a thin book may end before. */
const LEVELS: Readonly<Record<Tier, number>> = { 0: 1, 1: 1, 2: 4, 3: 8 };
const MAX_MINUTES = 60 * 24 * 31;

export function readPastQuestion(query: URLSearchParams): PastQuestion {
  const number = (name: string, min: number, max: number) => {
    const value = Number(query.get(name) ?? Number.NaN);
    if (!Number.isInteger(value) || value < min || value > max)
      throw new Error(`"${name}" must be a whole number from ${min} to ${max}`);
    return value;
  };
  const fromMinute = number('from_minute', 0, 1e9);
  return {
    fromMinute,
    toMinute: number('to_minute', fromMinute, fromMinute + MAX_MINUTES),
    firstCoin: number('first_coin', 0, 10_000),
    coins: number('coins', 1, 10_000),
  };
}

/**
 * Little-endian. Once: length of a JSON list of [venue, venue symbol], then the list. Per minute: length of what
 * follows, the minute, then per contract its place in the list and the number of levels (16 bits each), and per level
 * bid price, bid size, ask price, ask size (64 bits each), sizes in units of the contract's own base.
 */
export async function sendPast(
  response: ServerResponse,
  question: PastQuestion,
  universe: Universe,
  seed: number,
  venues: readonly SimVenue[],
): Promise<void> {
  const coins = coinsOf(seed, question.firstCoin + question.coins).slice(question.firstCoin);
  const tickers = new Set(coins.map((coin) => coin.ticker));
  const places = new Map<SimContract, number>();
  for (const { profile } of venues) {
    for (const contract of universe.at(profile, question.toMinute * MINUTE_MS))
      if (!contract.isInverse && tickers.has(contract.coin.ticker)) places.set(contract, places.size);
  }
  const names = [...places.keys()].map((contract) => [contract.venue, contract.venueSymbol]);
  const list = Buffer.from(JSON.stringify(names));
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  response.write(Buffer.concat([word(list.length), list]));
  for (let minute = question.fromMinute; minute <= question.toMinute && !response.destroyed; minute++) {
    if (!response.write(minuteBytes(minute, places))) await drained(response);
    // Let other requests run.
    await nextTurn();
  }
  response.end();
}

/** Waits until the response can take more, or the client has disconnected. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

function minuteBytes(minute: number, places: ReadonlyMap<SimContract, number>): Buffer {
  const atMs = minute * MINUTE_MS;
  const parts: Buffer[] = [word(minute)];
  for (const [contract, place] of places) {
    if (atMs < contract.listedAtMs || (contract.delistsAtMs !== null && atMs >= contract.delistsAtMs))
      continue;
    const { bids, asks } = bookAt(contract, atMs, LEVELS[contract.coin.tier]);
    const bytes = Buffer.alloc(4 + bids.length * 32);
    bytes.writeUInt16LE(place, 0);
    bytes.writeUInt16LE(bids.length, 2);
    for (const [i, [bidPrice, bidContracts]] of bids.entries()) {
      const [askPrice, askContracts] = asks[i] ?? [0, 0];
      const numbers = [
        bidPrice,
        bidContracts * contract.contractSize,
        askPrice,
        askContracts * contract.contractSize,
      ];
      for (const [j, number] of numbers.entries()) bytes.writeDoubleLE(number, 4 + i * 32 + j * 8);
    }
    parts.push(bytes);
  }
  const body = Buffer.concat(parts);
  return Buffer.concat([word(body.length), body]);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
