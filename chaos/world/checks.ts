import { unit } from '../../sim/noise.ts';
import { PLANS } from '../../src/accounts/plans.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/base/times.ts';
import { AlertBook } from '../invariants/alerts.ts';
import { AsOfWatch, standsStill } from '../invariants/as-of.ts';
import { KeyBook } from '../invariants/keys.ts';
import { wrongListings } from '../invariants/listings.ts';
import { missingPrints, type StoredPrints, wrongPrints } from '../invariants/prints.ts';
import { type FundingRow, missingRows, wrongRows } from '../invariants/rows.ts';
import { TapeBook } from '../invariants/tape.ts';
import { PassedRequests } from '../invariants/windows.ts';
import { SLOT_MS } from '../plan.ts';
import { asOfMsOf, calendarOf, fundingOf, get, type List, runningOf } from './client.ts';
import { freshAnswer } from './fresh-answer.ts';
import type { CreatedKey } from './messages.ts';
import type { Processes, Serving } from './processes.ts';
import type { Truth } from './truth.ts';

/** A gap is retried after 1, 10 and 40 minutes; a venue that was refused, after half an hour. */
const GAP_GRACE_MS = 2.5 * HOUR_MS;
/** Where a call returns the whole history, rarely traded contracts are fetched every six hours. */
const WHOLE_GRACE_MS = 7 * HOUR_MS;
/** A process that has just started has no snapshot of its own yet. */
const WARM_UP_MS = 2 * SLOT_MS;
const STALE_MS = 4 * MINUTE_MS;
/** SNAPSHOT_SECONDS of the run: a newer answer is the newest that was published. */
const SNAPSHOT_MS = 10 * SECOND_MS;
/** A refused venue is called again after half an hour; other failures are retried sooner. */
const RECOVERY_MS = HOUR_MS;
const KEYS_CHECKED = 3;
const BURST = PLANS.demo.requestsPerMinute + 5;
const FUNDING = '/api/v1/funding?limit=500';
const CALENDAR = '/api/v1/listings?limit=500';
/** Near the usual rate, so that contracts cross it several times a day. */
export const RATE_RULE = { boundPct: 0.012, hysteresisPct: 0.004 };
const DATED = ['/api/v1/spreads?limit=1', '/api/v1/coins?limit=1'];

interface CheckedKeys {
  /** Reads every path. */
  reader: CreatedKey;
  /** Exceeds its limit. */
  burster: CreatedKey;
}

/** Compares what clients get, and what is stored, with the simulator's truth. */
export class Checks {
  readonly keys = new KeyBook();
  readonly alerts = new AlertBook(RATE_RULE);
  readonly tape = new TapeBook();
  readonly passed = new PassedRequests({
    perMinute: PLANS.demo.requestsPerMinute,
    perMonth: PLANS.demo.requestsPerMonth,
  });
  readonly #counts = {
    answers: 0,
    rows: 0,
    prints: 0,
    'calendar rows': 0,
    'keys tried': 0,
    'tape minutes': 0,
  };
  readonly #truth: Truth;
  readonly #processes: Processes;
  readonly #seed: number;
  readonly #checked: CheckedKeys;
  readonly #asOf = new Map<string, AsOfWatch>();
  readonly #startMs: number;
  readonly #letTimePass: (realMs: number) => Promise<void>;
  /** When the processes, the disk, the database or the clock were last disturbed. */
  disturbedUntilMs: number;
  #month: number;

  /** `letTimePass`: a few seconds of the clock of the run, and at least the given real time. */
  constructor(
    truth: Truth,
    processes: Processes,
    checked: CheckedKeys,
    seed: number,
    letTimePass: (realMs: number) => Promise<void>,
  ) {
    this.#letTimePass = letTimePass;
    this.#truth = truth;
    this.#processes = processes;
    this.#checked = checked;
    this.#seed = seed;
    this.#startMs = truth.nowMs;
    this.disturbedUntilMs = truth.nowMs;
    this.#month = monthOf(truth.nowMs);
  }

  /** How many answers, rows, prints and alerts were compared. */
  get counts(): Readonly<Record<string, number>> {
    return { ...this.#counts, alerts: this.alerts.count };
  }

  forgetAsOf(): void {
    this.#asOf.clear();
  }

  /** More requests at once than the plan has in a minute. */
  async burst(): Promise<string[]> {
    const serving = this.#processes.serving();
    if (serving.length === 0) return [];
    const nowMs = this.#truth.nowMs;
    const answers = await Promise.all(
      Array.from({ length: BURST }, (_, i) =>
        get(
          serving[i % serving.length]?.member.baseUrl ?? '',
          '/api/v1/coins?limit=1',
          this.#checked.burster.text,
        ).catch(() => null),
      ),
    );
    // The month of a clock that is off may have begun or not.
    if (monthOf(nowMs) !== this.#month || monthOf(nowMs + HOUR_MS) !== monthOf(nowMs - HOUR_MS)) {
      this.passed.newMonth();
      this.#month = monthOf(nowMs);
    }
    return answers.flatMap((answer) => (answer?.status === 200 ? this.passed.note(nowMs) : []));
  }

  async everything(stored: readonly StoredPrints[]): Promise<string[]> {
    const violations = [...this.#prints(stored), ...this.alerts.wrongAlerts()];
    for (const [place, serving] of this.#processes.serving().entries())
      violations.push(...(await this.#answers(serving, place === 0)));
    return violations;
  }

  #prints(stored: readonly StoredPrints[]): string[] {
    this.#counts.prints += stored.reduce((sum, { prints }) => sum + prints.length, 0);
    const { nowMs } = this.#truth;
    return [
      ...wrongPrints(stored, this.#truth),
      ...missingPrints(stored, this.#truth, {
        fromMs: this.#startMs - 12 * HOUR_MS,
        graceMsOf: (exchange) =>
          this.#truth.venueOf(exchange)?.settlementsComeWhole ? WHOLE_GRACE_MS : GAP_GRACE_MS,
        nowMs,
        undisturbedSinceMs: (exchange) =>
          Math.max(this.disturbedUntilMs, this.#truth.faultyUntilMs(exchange)),
      }),
    ];
  }

  async #answers(serving: Serving, isFirst: boolean): Promise<string[]> {
    const clockMs = () => this.#truth.nowMs + this.#processes.aheadMs;
    const isUndisturbed = () => this.#isRecovered(this.#truth.allFaultyUntilMs);
    const watch = this.#asOf.get(serving.member.name) ?? new AsOfWatch();
    this.#asOf.set(serving.member.name, watch);
    const violations: string[] = [];
    const isLate = ({ status, text }: { status: number; text: string }, path: string) =>
      status === 200 &&
      ((isUndisturbed() && standsStill(asOfMsOf(text), clockMs())) ||
        (path === FUNDING && missingRows(fundingOf(text).rows, this.#due()).length > 0));
    const read = async (path: string): Promise<string | null> => {
      const { status, text } = await freshAnswer(
        () => get(serving.member.baseUrl, path, this.#checked.reader.text),
        (answer) => isLate(answer, path),
        this.#letTimePass,
      );
      this.#counts.answers++;
      if (status === 200) {
        violations.push(...watch.note(path, asOfMsOf(text), clockMs(), isUndisturbed()));
        return text;
      }
      // Shared windows refuse everything while counts may be unknown (docs/windows.md).
      if (status === 429 && this.#processes.isShared) return null;
      const isWarmingUp = status === 503 && this.#truth.nowMs - serving.upSinceMs <= WARM_UP_MS;
      if (!isWarmingUp) violations.push(`wrong answer: ${path} is ${status}: ${text.slice(0, 200)}`);
      return null;
    };
    const funding = await read(FUNDING);
    const isNewest = funding !== null && clockMs() - asOfMsOf(funding) < SNAPSHOT_MS;
    if (isNewest && this.#processes.aheadMs === 0) {
      const { asOfMs, rows } = fundingOf(funding);
      this.tape.note(asOfMs, rows);
    }
    const calendar = await read(CALENDAR);
    for (const path of DATED) await read(path);
    if (funding !== null) {
      violations.push(...this.#rows(funding, clockMs(), isFirst));
      violations.push(...(await this.#tape(serving, fundingOf(funding))));
    }
    if (calendar !== null) violations.push(...this.#calendar(calendar, clockMs()));
    violations.push(...(await this.#keys(serving)));
    return violations;
  }

  #rows(text: string, clockMs: number, isFirst: boolean): string[] {
    const { rows, asOfMs } = fundingOf(text);
    this.#counts.rows += rows.length;
    const isStale = clockMs - asOfMs > STALE_MS;
    const truth = this.#truth;
    const comparable = rows.filter(({ exchange }) => this.#isRecovered(truth.faultyUntilMs(exchange)));
    return [
      // Once in a check, whatever the number of processes.
      ...(isFirst ? this.alerts.missingAlerts(comparable) : []),
      ...missingRows(rows, this.#due()),
      ...wrongRows(rows, {
        asOfMs,
        venueOf: truth.venueOf,
        hasShown: (...row) => (isStale ? null : truth.hasShown(...row, this.#processes.aheadMs === 0)),
        isTraded: (...row) => isStale || truth.isTraded(...row),
      }),
    ];
  }

  /** Compares one coin: a process has another one in each check. */
  async #tape({ member }: Serving, { rows, asOfMs }: List<FundingRow>): Promise<string[]> {
    const coins = [...new Set(rows.map(({ coin }) => coin))];
    const coin = coins[Math.floor(unit(`tape ${member.name}`, this.#seed, asOfMs) * coins.length)];
    if (coin === undefined) return [];
    const path = `/api/v1/funding/running?step=1m&days=1&coin=${encodeURIComponent(coin)}`;
    const { compared, violations } = await freshAnswer(
      async () => {
        const { status, text } = await get(member.baseUrl, path, this.#checked.reader.text);
        return this.tape.compare(status === 200 ? runningOf(text) : [], asOfMs);
      },
      (answer) => answer.violations.length > 0,
      this.#letTimePass,
    );
    this.#counts['tape minutes'] += compared;
    return violations;
  }

  /** The contracts that must have a row. */
  #due() {
    const truth = this.#truth;
    return truth
      .listed()
      .filter(({ exchange, listedAtMs }) =>
        this.#isRecovered(Math.max(listedAtMs, truth.faultyUntilMs(exchange))),
      );
  }

  /** Whether neither the service was disturbed since, nor anything else up to the given time. */
  #isRecovered(disturbedUntilMs: number): boolean {
    return this.#truth.nowMs - Math.max(this.disturbedUntilMs, disturbedUntilMs) > RECOVERY_MS;
  }

  #calendar(text: string, clockMs: number): string[] {
    const { rows } = calendarOf(text);
    this.#counts['calendar rows'] += rows.length;
    const truth = this.#truth;
    return wrongListings(rows, {
      nowMs: Math.max(truth.nowMs, clockMs) + 15 * MINUTE_MS,
      events: truth.events(),
      isInformed: (exchange) => truth.isInformed(exchange),
    });
  }

  async #keys({ member }: Serving): Promise<string[]> {
    const violations: string[] = [];
    for (const [name, keys] of [
      ['active', this.keys.active],
      ['revoked', this.keys.revoked],
    ] as const)
      for (let i = 0; i < Math.min(KEYS_CHECKED, keys.length); i++) {
        const key = keys[Math.floor(unit(`${name} ${i}`, this.#seed, this.#truth.nowMs) * keys.length)];
        if (!key) continue;
        const { status } = await get(member.baseUrl, '/api/v1/usage', key.text);
        this.#counts['keys tried']++;
        violations.push(...this.keys.violations(key, status));
      }
    return violations;
  }
}

function monthOf(timeMs: number): number {
  return new Date(timeMs).getUTCMonth();
}
