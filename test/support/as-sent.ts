import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'node:test';
import type { Batch, Contract } from '../../src/venues/observations.ts';
import { hasRecordings } from './recordings.ts';

/**
 * One call of `fixtures/as-sent.json`: rows with the names and figures that the venue sent. Rows that a source shows alone
 * stand in the envelope of their call.
 */
interface SentCall {
  /** Method and path, or the channel of a stream. */
  call: string;
  source: string;
  /** Of the figures, or of the document where a sample has no time. */
  date: string;
  reply: unknown;
}

const fileOf = (venue: string) =>
  join(import.meta.dirname, `../../src/venues/${venue}/fixtures/as-sent.json`);

/** False for a venue that is read by the parser of another one. */
export const hasSentCalls = (venue: string): boolean => existsSync(fileOf(venue));

/** The replies of a venue as it sent them, by the name of the call. */
export function sentCalls(venue: string): Readonly<Record<string, SentCall>> {
  return JSON.parse(readFileSync(fileOf(venue), 'utf8')) as Record<string, SentCall>;
}

export type Reply = (call: string) => unknown;

/**
 * Runs the tests on the venue's fixture, and again on the larger recordings of its calls, if there are any beside the
 * checkout. Both have the rows whose values the tests expect, so a test looks rows up by their symbols.
 */
export function asSent(
  venue: string,
  recordings: Readonly<Record<string, () => unknown>>,
  tests: (reply: Reply) => void,
): void {
  const calls = sentCalls(venue);
  const fixture: Reply = (call) => {
    const sent = calls[call];
    if (!sent) throw new Error(`fixtures/as-sent.json of ${venue} has no call ${call}`);
    return structuredClone(sent.reply);
  };
  suite(`${venue}: replies as sent`, () => tests(fixture));
  if (!hasRecordings || Object.keys(recordings).length === 0) return;
  suite(`${venue}: larger recordings`, () => tests((call) => recordings[call]?.() ?? fixture(call)));
}

/** The contracts of lists by their symbols. */
export function contractsOf(...lists: readonly Batch[]): Map<string, Contract> {
  const contracts = lists.flatMap((batch) => batch.contractList?.contracts ?? []);
  return new Map(contracts.map((contract) => [contract.venueSymbol, contract]));
}

export function rowOfSymbol<Row extends { venueSymbol: string }>(rows: readonly Row[], symbol: string): Row {
  const row = rows.find(({ venueSymbol }) => venueSymbol === symbol);
  if (!row) throw new Error(`no row of ${symbol}`);
  return row;
}

/** The rows of these symbols, in this order. */
export function rowsOf<Row extends { venueSymbol: string }>(
  rows: readonly Row[],
  ...symbols: string[]
): Row[] {
  return symbols.map((symbol) => rowOfSymbol(rows, symbol));
}
