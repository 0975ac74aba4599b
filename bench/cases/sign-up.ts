import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Stranger } from '../../test/security/stranger.ts';
import { type BenchCase, result } from '../harness.ts';

const ROUNDS = 7;
const SIGN_UPS = 200;
/** Requests in flight; the p99 of a round is over all that were sent during the flood. */
const READERS = 4;
const QUIET_REQUESTS = 400;
const MOST_TIMES_QUIET = 3;
const PASSWORD = 'correct horse battery';

interface Target {
  baseUrl: string;
  keys: readonly string[];
}

/** How long `/funding` takes while 200 people sign up at once, beside how long it takes without them. */
export const cases: BenchCase[] = [
  {
    name: 'sign-up: p99 of /funding during 200 parallel sign-ups',
    run: async () => {
      const child = fork(join(import.meta.dirname, '../sign-up/server.ts'));
      try {
        const [target] = (await once(child, 'message')) as [Target];
        const stranger = await Stranger.at(target.baseUrl);
        const quiet: number[] = [];
        const flooded: number[] = [];
        const statuses = new Map<number, number>();
        for (let round = 0; round <= ROUNDS; round++) {
          let sent = 0;
          const calm = await tookMs(target, () => sent++ < QUIET_REQUESTS);
          let isFlooding = true;
          const flood = Promise.all(
            Array.from({ length: SIGN_UPS }, (_, i) =>
              stranger.post(
                '/sign-up',
                { email: `r${round}-${i}@example.com`, password: PASSWORD },
                `198.18.${round}.${i}`,
              ),
            ),
          ).then((replies) => {
            isFlooding = false;
            for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1);
          });
          const busy = await tookMs(target, () => isFlooding);
          await flood;
          // The first round warms up.
          if (round === 0) continue;
          quiet.push(p99(calm));
          flooded.push(p99(busy));
        }
        console.log(
          `  sign-ups by status: ${[...statuses].map(([status, n]) => `${status}: ${n}`).join(', ')}`,
        );
        return [
          result({
            name: 'p99 of /funding during sign-ups, median of the rounds',
            value: median(flooded),
            unit: 'ms',
            baseline: 'without them',
            baselineValue: median(quiet),
            target: { at: 'most', ratio: MOST_TIMES_QUIET },
          }),
        ];
      } finally {
        child.disconnect();
        await once(child, 'exit');
      }
    },
  },
];

let nextKey = 0;

/** Sends requests while `isWanted`; returns the milliseconds of each. */
async function tookMs({ baseUrl, keys }: Target, isWanted: () => boolean): Promise<number[]> {
  const took: number[] = [];
  const read = async () => {
    while (isWanted()) {
      const key = keys[nextKey++ % keys.length] ?? '';
      const startedMs = performance.now();
      const reply = await fetch(`${baseUrl}/api/v1/funding?limit=100`, { headers: { 'x-api-key': key } });
      await reply.arrayBuffer();
      if (reply.status !== 200) throw new Error(`/funding answered ${reply.status}`);
      took.push(performance.now() - startedMs);
    }
  };
  await Promise.all(Array.from({ length: READERS }, read));
  return took;
}

const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
const p99 = (values: readonly number[]) => sorted(values)[Math.floor(values.length * 0.99)] ?? 0;
const median = (values: readonly number[]) => sorted(values)[values.length >> 1] ?? 0;
