import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemberSpec } from '../chaos/world/deployment.ts';
import { Member } from '../chaos/world/member.ts';
import { type SimServer, startSimServer } from '../sim/server.ts';
import { ManualClock, systemClock } from '../src/base/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../src/base/times.ts';
import { freePort } from '../test/support/free-port.ts';
import { launchPostgres, launchRedis } from '../test/support/servers.ts';

export type Form = 'one process' | 'two processes';

export interface WorldOptions {
  form: Form;
  /** Slugs; all venues when empty. */
  venues: readonly string[];
  coins: number;
  startMs: number;
  /** The data folder; the processes continue on what it has. By default a new one. */
  dataFolder?: string;
}

/** A past Wednesday: no share market is closed for the weekend, and payments of every interval are near. */
export const START_MS = Date.parse('2026-10-14T05:37:00Z');
const SEED = 1;
/** Links in answers must not contain a port that is another one in each run. */
export const BASE_URL = 'http://127.0.0.1:8080';
/** Streams push when the clock moves; a timer only keeps them from being silent in real time. */
const PUSH_EVERY_MS = 2000;
/** Frames reach the other process in real time, by a notification of PostgreSQL. */
const REAL_MS_PER_STEP = 350;

/** The simulator of all venues and the whole service on it, on a clock that the run moves. */
export class World {
  readonly form: Form;
  readonly dataFolder: string;
  readonly #sim: SimServer;
  readonly #clock: ManualClock;
  readonly #members: readonly Member[];
  readonly #close: () => Promise<void>;

  private constructor(
    form: Form,
    dataFolder: string,
    parts: { sim: SimServer; clock: ManualClock; members: readonly Member[]; close: () => Promise<void> },
  ) {
    this.form = form;
    this.dataFolder = dataFolder;
    this.#sim = parts.sim;
    this.#clock = parts.clock;
    this.#members = parts.members;
    this.#close = parts.close;
  }

  static async start({ form, venues, coins, startMs, dataFolder }: WorldOptions): Promise<World> {
    const clock = new ManualClock(startMs);
    const sim = await startSimServer({
      seed: SEED,
      coins,
      venues,
      port: 0,
      clock,
      pushEveryMs: PUSH_EVERY_MS,
    });
    const folder = mkdtempSync(join(tmpdir(), 'perpwire-golden-'));
    const data = dataFolder ?? join(folder, 'data');
    mkdirSync(data, { recursive: true });
    const { specs, stop } = await (form === 'one process' ? oneProcess : twoProcesses)(
      settingsOf(sim.url, venues, data),
    );
    const died = (why: string) => {
      console.error(why);
      process.exit(1);
    };
    const members = await Promise.all(specs.map((spec) => Member.start(spec, startMs, died)));
    // The first replies of all venues come before the first step.
    await Promise.all(members.map((member) => member.order({ order: 'walk', byMs: 0 })));
    const close = async () => {
      await Promise.all(members.map((member) => member.kill()));
      await Promise.all([stop(), sim.close()]);
      rmSync(folder, { recursive: true, force: true });
    };
    return new World(form, data, { sim, clock, members, close });
  }

  get nowMs(): number {
    return this.#clock.nowMs();
  }

  /** Where the service answers. */
  get address(): string {
    return this.#server.baseUrl;
  }

  get #server(): Member {
    const [server] = this.#members;
    if (!server) throw new Error('no process');
    return server;
  }

  /** Lets time pass in steps: first the venues move, then everything that is due in the service runs in its order. */
  async pass(byMs: number, stepMs: number): Promise<void> {
    for (const endMs = this.nowMs + byMs; this.nowMs < endMs; ) {
      const nextMs = Math.min(stepMs, endMs - this.nowMs);
      await this.#sim.delivered();
      this.#clock.advanceMs(nextMs);
      this.#sim.push();
      await this.#sim.delivered();
      await Promise.all(this.#members.map((member) => member.order({ order: 'walk', byMs: nextMs })));
      if (this.form === 'two processes') await systemClock.sleep(REAL_MS_PER_STEP);
    }
  }

  /** Resolves to the text of a key of a new account, whose windows nobody has used. */
  async newKey(plan: string): Promise<string> {
    const accountId = await this.newAccount(plan);
    return (await this.#server.createKey(accountId)).text;
  }

  async newAccount(plan: string): Promise<string> {
    return String(await this.#server.order({ order: 'create account', plan }));
  }

  /** An alert on funding rates that is sent to a web server. */
  async createAlert(accountId: string, url: string, boundPct: number): Promise<void> {
    const rule = { boundPct, hysteresisPct: 0 };
    await this.#server.order({ order: 'create alert', accountId, url, rule });
  }

  /** Stops the processes as an operator does, so that everything is stored, and copies the data. */
  async saveData(folder: string): Promise<void> {
    await Promise.all(this.#members.map((member) => member.order({ order: 'stop' })));
    rmSync(folder, { recursive: true, force: true });
    cpSync(this.dataFolder, folder, { recursive: true });
  }

  stop(): Promise<void> {
    return this.#close();
  }
}

function settingsOf(simUrl: string, venues: readonly string[], dataFolder: string): Record<string, string> {
  return {
    DATA_DIR: dataFolder,
    VENUES: venues.join(','),
    VENUES_URL: simUrl,
    BASE_URL,
    ADMIN_PORT: '0',
    HISTORY_DAYS: '31',
    HISTORY_PACED: 'false',
    BACKTEST_DAYS: '1',
    SNAPSHOT_SECONDS: '30',
    SPREADS_SECONDS: '30',
    LOG_LEVEL: 'warn',
    ALERT_NETWORKS: '127.0.0.1/32',
    // Load and computing time are measured in real time.
    SHED_LOAD: 'false',
    ...{ VISITOR_WORK_MS: '0', VISITORS_WORK_MS: '0', ACCOUNT_WORK_MS: '0' },
  };
}

interface Placed {
  /** The first one answers requests. */
  specs: readonly MemberSpec[];
  stop(): Promise<void>;
}

async function oneProcess(settings: Record<string, string>): Promise<Placed> {
  const port = await freePort();
  return { specs: [answering('service', settings, port)], stop: async () => undefined };
}

async function twoProcesses(settings: Record<string, string>): Promise<Placed> {
  const [postgres, redis] = await Promise.all([launchPostgres(), launchRedis()]);
  if (typeof postgres === 'string') throw new Error(postgres);
  if (typeof redis === 'string') throw new Error(redis);
  const shared = {
    ...settings,
    DATABASE_URL: await postgres.createDatabase(),
    REDIS_URL: redis.url,
    SECRET_KEY: 'golden'.repeat(8),
  };
  const port = await freePort();
  const api = answering('api', { ...shared, ROLE: 'api' }, port);
  const collector = { name: 'collector', settings: { ...shared, ROLE: 'collector' } };
  return {
    specs: [api, collector],
    stop: async () => {
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}

/** Assistants may call it at its real address, too. */
function answering(name: string, settings: Record<string, string>, port: number): MemberSpec {
  const host = `127.0.0.1:${port}`;
  return {
    name,
    settings: { ...settings, PORT: String(port), ALLOWED_HOSTS: host },
    address: `http://${host}`,
  };
}

const FINE_MS = 2 * MINUTE_MS;
const FINE_STEP_MS = 10 * SECOND_MS;
const REPORTS_STORED_MS = 6 * SECOND_MS;

/** Runs until there is something of everything. The last steps are short, so that the venues' figures are fresh. */
export async function fill(world: World, minutes: number, say: (text: string) => void): Promise<void> {
  const tenMinutes = 10 * MINUTE_MS;
  const untilMs = world.nowMs + minutes * MINUTE_MS - FINE_MS;
  while (world.nowMs < untilMs) {
    await world.pass(Math.min(tenMinutes, untilMs - world.nowMs), MINUTE_MS);
    say(`${world.form}: ${Math.ceil((untilMs - world.nowMs) / MINUTE_MS)} simulated minutes left`);
  }
  await world.pass(FINE_MS - FINE_STEP_MS, FINE_STEP_MS);
  // Reports of venues are stored every five seconds of real time. The last step reads them.
  await systemClock.sleep(REPORTS_STORED_MS);
  await world.pass(FINE_STEP_MS, FINE_STEP_MS);
}
