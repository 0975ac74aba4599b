import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { fundingOf, get } from '../../chaos/world/client.ts';
import { Member } from '../../chaos/world/member.ts';
import { startSimServer } from '../../sim/server.ts';
import { ManualClock, systemClock } from '../../src/base/clock.ts';
import { HOUR_MS, isoTime, MINUTE_MS, SECOND_MS } from '../../src/base/times.ts';
import { until } from '../support/until.ts';

/** Snapshots are taken this often, and read after each: two in a minute. */
const STEP_MS = 30 * SECOND_MS;
const LAST_SECOND = 35;
const START_MS = Date.UTC(2036, 10, 14, 9, 52, 5);
const VENUES = ['binance', 'okx'];

interface Point {
  at: string;
  rate_pct: number;
  interval_hours: number | null;
  next_funding_at: string | null;
}
type Row = Omit<Point, 'at'> & { exchange: string; venue_symbol: string; coin: string };

/** A service in a process of its own, on a clock that the test moves, and what it answered last in each minute. */
class Recorded {
  readonly minutes = new Map<number, Row[]>();
  readonly sim: Awaited<ReturnType<typeof startSimServer>>;
  readonly #clock: ManualClock;
  readonly #folder = mkdtempSync(join(tmpdir(), 'perpwire-tape-kill-'));
  /** How far the clock of the service is ahead. */
  #aheadMs = 0;
  #key = '';
  member!: Member;

  private constructor(sim: Recorded['sim'], clock: ManualClock) {
    this.sim = sim;
    this.#clock = clock;
  }

  static async start(): Promise<Recorded> {
    const clock = new ManualClock(START_MS);
    const sim = await startSimServer({
      ...{ seed: 3, coins: 5, venues: VENUES, port: 0, clock, pushEveryMs: 2000 },
    });
    const recorded = new Recorded(sim, clock);
    await recorded.startMember();
    const { member } = recorded;
    const accountId = String(await member.order({ order: 'create account', plan: 'business' }));
    recorded.#key = (await member.createKey(accountId)).text;
    return recorded;
  }

  get nowMs(): number {
    return this.#clock.nowMs() + this.#aheadMs;
  }

  async startMember(): Promise<void> {
    const settings = {
      ...{ DATA_DIR: this.#folder, VENUES: VENUES.join(','), VENUES_URL: this.sim.url, PORT: '0' },
      ...{ ADMIN_PORT: '0', HISTORY_DAYS: '1', HISTORY_PACED: 'false', BACKTEST_DAYS: '1' },
      ...{ SNAPSHOT_SECONDS: '30', LOG_LEVEL: 'warn', SHED_LOAD: 'false' },
    };
    this.member = await Member.start({ name: 'service', settings }, this.nowMs, (why) => assert.fail(why));
  }

  /** Time passes; the service is down for it if it was killed. */
  pass(byMs: number): void {
    this.#clock.advanceMs(byMs);
  }

  async advance(byMs = STEP_MS): Promise<void> {
    this.pass(byMs);
    this.sim.push();
    await this.member.order({ order: 'advance', byMs });
  }

  async setClock(byMs: number): Promise<void> {
    await this.member.order({ order: 'step clock', byMs });
    this.#aheadMs += byMs;
  }

  /** Notes what /funding answers, and returns the time of the snapshot; 0 if there is none. */
  async read(): Promise<number> {
    const { status, text } = await get(this.member.baseUrl, '/api/v1/funding?limit=500', this.#key);
    if (status !== 200) return 0;
    const { asOfMs, rows } = fundingOf(text);
    this.minutes.set(Math.floor(asOfMs / MINUTE_MS), rows as unknown as Row[]);
    return asOfMs;
  }

  /** The same, once the answer is of the last step. */
  async note(): Promise<void> {
    await until(async () => (await this.read()) > this.nowMs - STEP_MS, 'a snapshot of the last step');
  }

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      await this.advance();
      await this.note();
    }
  }

  /** Until so many seconds of a minute have passed. */
  async runToSecond(second: number): Promise<void> {
    do await this.run(1);
    while (new Date(this.nowMs).getUTCSeconds() !== second);
  }

  /** A process that has just started shows the snapshot of the one before for some seconds. */
  async warmUp(): Promise<void> {
    const startedMs = this.nowMs;
    let asOfMs = 0;
    do {
      await this.advance(STEP_MS / 3);
      asOfMs = await this.read();
    } while (asOfMs <= startedMs || (this.nowMs - START_MS) % STEP_MS !== 0);
  }

  async restart(): Promise<void> {
    await this.startMember();
    await this.warmUp();
  }

  async points(coin: string, venueSymbol: string, exchange: string): Promise<Point[]> {
    const query = new URLSearchParams({ coin, symbol: venueSymbol, exchange, step: '1m', days: '1' });
    const { status, text } = await get(this.member.baseUrl, `/api/v1/funding/running?${query}`, this.#key);
    assert.equal(status, 200, text.slice(0, 300));
    const { data } = JSON.parse(text) as { data: { series: { points: Point[] }[] } };
    return data.series[0]?.points ?? [];
  }

  /** Compares every minute that is over; returns how many. `unknown`: what was answered last in these was not read. */
  async compare(unknown: ReadonlySet<number>): Promise<number> {
    const lastMinute = Math.floor(this.nowMs / MINUTE_MS) - 1;
    const contracts = new Map(
      [...this.minutes.values()].flat().map((row) => [`${row.exchange} ${row.venue_symbol}`, row]),
    );
    let compared = 0;
    for (const [name, { coin, venue_symbol, exchange }] of contracts) {
      const wanted = [...this.minutes].flatMap(([minute, rows]): Point[] => {
        const row = rows.find((one) => one.exchange === exchange && one.venue_symbol === venue_symbol);
        if (!row || minute > lastMinute || unknown.has(minute)) return [];
        const { rate_pct, interval_hours, next_funding_at } = row;
        return [{ at: isoTime(minute * MINUTE_MS), rate_pct, interval_hours, next_funding_at }];
      });
      const got = (await this.points(coin, venue_symbol, exchange))
        .filter(({ at }) => !unknown.has(Date.parse(at) / MINUTE_MS))
        .map(({ at, rate_pct, interval_hours, next_funding_at }) => ({
          ...{ at, rate_pct, interval_hours, next_funding_at },
        }));
      assert.deepEqual(got, wanted, name);
      compared += got.length;
    }
    return compared;
  }

  async stop(): Promise<void> {
    await this.member?.kill();
    await this.sim.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

suite('the tape says what /funding answered', () => {
  test('through kills at any moment, and a clock that is set forward and back', async (t) => {
    const recorded = await Recorded.start();
    t.after(() => recorded.stop());
    const unknown = new Set<number>();
    const minuteNow = () => Math.floor(recorded.nowMs / MINUTE_MS);
    await recorded.warmUp();

    // Killed when the last snapshot of a minute was answered and the minute is not stored yet; down for two minutes.
    await recorded.runToSecond(LAST_SECOND);
    await recorded.member.kill();
    recorded.pass(2 * MINUTE_MS);
    await recorded.restart();

    // Killed in the middle of a minute, and started again at once.
    await recorded.runToSecond(5);
    await recorded.member.kill();
    await recorded.restart();

    // Killed while a minute is being stored: this many milliseconds after the first snapshot of the next is due.
    for (const delayMs of [0, 10, 40]) {
      await recorded.runToSecond(LAST_SECOND);
      const advanced = recorded.advance().catch(() => undefined);
      await systemClock.sleep(delayMs);
      await recorded.member.kill();
      await advanced;
      // Nobody has read what was answered last before the kill.
      unknown.add(minuteNow());
      await recorded.restart();
    }

    // An hour has passed, so minutes are packed.
    await recorded.runToSecond(5);
    const compared = await recorded.compare(unknown);
    assert.ok(compared > 50, `${compared} minutes compared`);

    // The clock is set forward by an hour for three minutes. What it dated is wrong, and goes when it is set back.
    const right = new Map(recorded.minutes);
    await recorded.setClock(HOUR_MS);
    await recorded.run(6);
    await recorded.setClock(-HOUR_MS);
    unknown.add(minuteNow());
    recorded.minutes.clear();
    for (const [minute, rows] of right) recorded.minutes.set(minute, rows);
    await recorded.run(3);
    // When the time has come that it was set to, what was dated then is not there.
    await recorded.advance(HOUR_MS);
    await recorded.warmUp();
    await recorded.run(3);
    const afterSteps = await recorded.compare(unknown);
    assert.ok(afterSteps > compared, `${afterSteps} minutes compared after the clock was set`);
  });
});
