import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { AS_OF_MS, CALLER, COINS, EXCHANGES, madeEntrance, STATES } from '../../test/operations/made-data.ts';
import { Problem } from '../base/problems.ts';
import { DAY_MS, HOUR_MS, isoTime } from '../base/times.ts';
import { flag } from '../query/kinds.ts';
import { type Parameter, readParameters } from '../query/parameter.ts';
import { dataOf } from './answer/answer.ts';
import { type AnyOperation, defineOperation } from './operation.ts';
import { OPERATIONS } from './registry.ts';

/**
 * Every declared parameter must change some answer. The test searches for two valid requests that differ only in that
 * parameter and have different answers, so it needs no list of its own and covers new parameters too.
 */
type Query = ReadonlyMap<string, readonly string[]>;
type Outcome = { text: string; nextCursor: string | undefined };

const entrance = madeEntrance();

/** The answer without what repeats the request itself: the address, and the checksum in the cursor. */
async function outcomeOf(operation: AnyOperation, query: Query): Promise<Outcome | null> {
  try {
    readParameters(operation.parameters, query);
  } catch {
    // Refused before any operation reads it, which proves nothing about the operation.
    return null;
  }
  try {
    const answer = await entrance.run(operation, CALLER, STATES, query);
    const { url: _url, next_cursor: nextCursor, ...meta } = answer.meta;
    return { text: JSON.stringify([dataOf(answer), meta, nextCursor === undefined]), nextCursor };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { text: `${error.code} ${error.detail}`, nextCursor: undefined };
  }
}

const NUMBERS = [-1, 0, 0.01, 0.5, 1, 2, 3, 5, 10, 100, 1000, 1e6];
const TIMES = [-30, -10, -1, 1, 2, 10].map((days) => isoTime(AS_OF_MS + days * DAY_MS + HOUR_MS));

/** Valid values to try, made from the parameter's own schema. */
function valuesFor({ name, schema, example, isExchangeName }: Parameter): readonly string[] {
  const items = (schema.items ?? schema) as { type?: string; enum?: readonly unknown[] };
  if (isExchangeName) return [...EXCHANGES, EXCHANGES.slice(0, 2).join(',')];
  if (name === 'coin') return COINS;
  if (items.enum) return items.enum.map(String);
  if (items.type === 'boolean') return ['true', 'false'];
  if (items.type === 'number') return NUMBERS.map(String);
  if (items.type === 'integer') {
    const { minimum = 1, maximum = 1 } = items as { minimum?: number; maximum?: number };
    return [minimum, maximum, ...NUMBERS]
      .filter((value) => Number.isInteger(value) && value >= minimum && value <= maximum)
      .map(String);
  }
  if (schema.format === 'date-time') return TIMES;
  return [example, 'B', 'E', 'TC', 'BTC-USD'];
}

/** Requests in which the parameter may have an effect: with nothing else, or with one other parameter. */
function* contexts(operation: AnyOperation, tested: Parameter): Generator<Query> {
  const all = Object.values(operation.parameters);
  const required = new Map(
    all.filter((one) => one.isRequired && one.name !== tested.name).map((one) => [one.name, [one.example]]),
  );
  yield required;
  for (const other of all) {
    // With a cursor every change of a filter is refused, whether the operation reads the filter or not.
    if (other.name === tested.name || other.name === 'cursor') continue;
    for (const value of valuesFor(other)) yield new Map(required).set(other.name, [value]);
  }
}

async function hasEffect(operation: AnyOperation, tested: Parameter): Promise<boolean> {
  for (const context of contexts(operation, tested)) {
    const without = tested.isRequired ? null : await outcomeOf(operation, context);
    const values = tested.name === 'cursor' ? [without?.nextCursor ?? ''] : valuesFor(tested);
    const seen = new Set(without === null ? [] : [without.text]);
    for (const value of values) {
      const outcome = await outcomeOf(operation, new Map(context).set(tested.name, [value]));
      if (outcome !== null) seen.add(outcome.text);
      if (seen.size > 1) return true;
    }
  }
  return false;
}

suite('every declared parameter has an effect', () => {
  for (const operation of OPERATIONS) {
    for (const parameter of Object.values(operation.parameters))
      test(`${operation.path}: ${parameter.name}`, async () =>
        assert.ok(await hasEffect(operation, parameter), 'no request was found whose answer it changes'));
  }

  test('a parameter that nothing reads is found', async () => {
    const usage = OPERATIONS.find(({ id }) => id === 'usage');
    assert.ok(usage);
    const unread = flag('unread', 'Declared, but nothing reads it');
    const broken = defineOperation({ ...usage, parameters: { unread } });
    assert.equal(await hasEffect(broken, unread), false);
  });

  test('a filter parameter that nothing reads is found beside those that work', async () => {
    const funding = OPERATIONS.find(({ id }) => id === 'funding');
    assert.ok(funding);
    const unread = flag('unread', 'Declared, but nothing reads it');
    const broken = defineOperation({
      ...funding,
      parameters: { ...funding.parameters, unread },
    });
    assert.equal(await hasEffect(broken, unread), false);
  });
});
