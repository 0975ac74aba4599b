import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Take, WindowHolder } from '../../src/accounts/windows/windows.ts';
import { until } from '../support/until.ts';
import type { ApiProcess } from './processes.ts';

/** A request that passed: when it was sent, and when the answer was there. */
interface Passed {
  sentMs: number;
  doneMs: number;
}

const MINUTE_MS = 60_000;

export const slots = (count: number, requestsPerMinute: number): WindowHolder[] =>
  Array.from({ length: count }, (_, number) => ({
    slotId: `account ${number}/key/1`,
    keyId: null,
    plan: { requestsPerMinute, requestsPerMonth: 100_000 },
  }));

/** Requests on all slots, one after the other on each, at random processes of those that are open at the time. */
export class SpreadLoad {
  readonly #holders: readonly WindowHolder[];
  readonly passed = new Map<string, Passed[]>();
  #processes: readonly ApiProcess[];
  readonly #underWay = new Map<ApiProcess, number>();
  #isOver = false;
  readonly #running: Promise<unknown>;

  constructor(t: TestContext, processes: readonly ApiProcess[], holders: readonly WindowHolder[]) {
    this.#processes = processes;
    this.#holders = holders;
    for (const { slotId } of holders) this.passed.set(slotId, []);
    this.#running = Promise.all(holders.map((holder) => this.#send(holder)));
    // After a failed test nobody stops it, and without an end of the load the process would not end.
    this.#running.catch(() => undefined);
    t.after(() => {
      this.#isOver = true;
    });
  }

  /** Sends to other processes from now on. Waits for the requests under way at the former ones, which the caller closes. */
  async moveTo(processes: readonly ApiProcess[]): Promise<void> {
    this.#processes = processes;
    await until(
      () => [...this.#underWay].every(([process, count]) => count === 0 || processes.includes(process)),
      'the requests under way',
    );
  }

  count(slotId: string): number {
    return this.passed.get(slotId)?.length ?? 0;
  }

  /** Waits until every slot has passed that many requests. */
  async untilEach(count: number, slotIds = [...this.passed.keys()]): Promise<void> {
    await until(
      () => slotIds.every((slotId) => this.count(slotId) >= count),
      `${count} requests on each slot`,
    );
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  /** No set of requests that certainly fell within one minute is larger than the limit. */
  assertWithinLimits(): void {
    for (const { slotId, plan } of this.#holders) {
      const passed = this.passed.get(slotId) ?? [];
      for (const { sentMs } of passed) {
        const within = passed.filter(
          (one) => one.sentMs >= sentMs && one.doneMs <= sentMs + MINUTE_MS,
        ).length;
        assert.ok(within <= plan.requestsPerMinute, `${within} requests of ${slotId} in a minute`);
      }
    }
  }

  get total(): number {
    return [...this.passed.values()].reduce((sum, { length }) => sum + length, 0);
  }

  async #takeAt(process: ApiProcess, holder: WindowHolder): Promise<Take> {
    const add = (change: number) => this.#underWay.set(process, (this.#underWay.get(process) ?? 0) + change);
    add(1);
    try {
      return await process.accounts.windows.take(holder);
    } finally {
      add(-1);
    }
  }

  async #send(holder: WindowHolder): Promise<void> {
    while (!this.#isOver) {
      const process = this.#processes[Math.floor(Math.random() * this.#processes.length)];
      const sentMs = performance.now();
      const take = process && (await this.#takeAt(process, holder));
      if (take?.allowed) this.passed.get(holder.slotId)?.push({ sentMs, doneMs: performance.now() });
      await new Promise((resolve) => setTimeout(resolve, take?.allowed ? 40 : 60));
    }
  }
}

/** Waits until all processes count on that many servers. */
export const untilSpread = (processes: readonly ApiProcess[], count: number) =>
  until(async () => {
    const { db } = processes[0]?.storage ?? assert.fail();
    const layout = await db.selectFrom('window_layout').selectAll().executeTakeFirst();
    const servers: unknown = JSON.parse(layout?.servers ?? '["first"]');
    if (!Array.isArray(servers) || servers.length !== count) return false;
    const rows = await db
      .selectFrom('window_peers')
      .select('process_id')
      .where('server', '=', '')
      .where('layout', '=', layout?.version ?? 0)
      .execute();
    return rows.length >= processes.length;
  }, `requests counted on ${count} servers`);

/** The slots that have counted on a server, as the server has them. */
export async function slotsOn({ redisServers }: ApiProcess, place: number): Promise<Set<string>> {
  const reply = await redisServers[place]?.redis.command(['KEYS', '*:month:*']);
  assert.ok(Array.isArray(reply));
  return new Set(
    reply.map((name) =>
      String(name)
        .replace(/^.*:month:/, '')
        .replace(/@\d+$/, ''),
    ),
  );
}
