import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { AS_OF_MS, CALLER, madeData, madeEntrance, STATES } from '../../test/operations/made-data.ts';
import { Problem } from '../base/problems.ts';
import type { Answer } from './answer/answer.ts';
import type { DataSources } from './operation.ts';
import { OPERATIONS } from './registry.ts';

const operation = OPERATIONS.find(({ id }) => id === 'funding') ?? assert.fail();

/** A process that has not received the frame yet, which others have. `fetch` brings it if it is stored. */
function behind({ isStored, fault }: { isStored: boolean; fault?: Error }) {
  const data = madeData();
  let isHere = false;
  const fetched: number[] = [];
  const funding: DataSources['funding'] = {
    at: (delaySeconds, nowMs) => data.funding.at(delaySeconds, nowMs),
    exactly: (asOfMs) => (isHere ? data.funding.exactly(asOfMs) : null),
    after: () => null,
    fetch: async (asOfMs) => {
      fetched.push(asOfMs);
      if (fault) throw fault;
      isHere = isStored;
      return isStored;
    },
  };
  return { entrance: madeEntrance({ ...data, funding }), fetched };
}

const sent = (values: Record<string, string>) =>
  new Map(Object.entries(values).map(([name, value]) => [name, [value]]));

async function cursor(): Promise<string> {
  const answer: Answer = await madeEntrance().run(operation, CALLER, STATES, sent({ limit: '20' }));
  return answer.meta.next_cursor ?? assert.fail('there is a second page');
}

suite('a cursor whose snapshot is not here yet', () => {
  test('the snapshot is fetched once, and the answer is that of a process that has it', async () => {
    const page = sent({ limit: '20', cursor: await cursor() });
    const { entrance, fetched } = behind({ isStored: true });
    const here = await entrance.run(operation, CALLER, STATES, page);
    const there = await madeEntrance().run(operation, CALLER, STATES, page);
    assert.deepEqual(here.meta, there.meta);
    assert.deepEqual(fetched, [AS_OF_MS]);
  });

  test('one that nobody has is expired', async () => {
    const page = sent({ limit: '20', cursor: await cursor() });
    const { entrance, fetched } = behind({ isStored: false });
    await assert.rejects(
      async () => await entrance.run(operation, CALLER, STATES, page),
      (error) => error instanceof Problem && /^"cursor" has expired/.test(error.detail),
    );
    assert.deepEqual(fetched, [AS_OF_MS]);
  });

  test('while the database is unavailable the answer is a 503, and not that the cursor has expired', async () => {
    const page = sent({ limit: '20', cursor: await cursor() });
    const fault = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const { entrance } = behind({ isStored: true, fault });
    await assert.rejects(
      async () => await entrance.run(operation, CALLER, STATES, page),
      (error) => error instanceof Problem && error.status === 503,
    );
  });
});
