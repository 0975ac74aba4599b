import { setImmediate as afterPendingEvents } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import type { Job, Jobs } from '../../base/jobs.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { AUDIT_DAYS, AUDIT_REPORT, dayOf } from '../../history/audit/model.ts';
import { AuditStore } from '../../history/audit/store.ts';
import type { SettlementSums } from '../../history/settlements/sums.ts';
import { storedFrames } from '../../market/frame-store.ts';
import type { Freezer, FrozenMarket } from '../../market/freeze.ts';
import type { EngineLease } from '../../storage/engine-lease.ts';
import type { Storage } from '../../storage/storage.ts';
import { hasEnded } from '../../venues/ended.ts';
import type { Venue } from '../../venues/venue.ts';
import { Alarms, type Withholding } from './alarms.ts';
import { Auditor } from './auditor.ts';
import { checkSnapshot, type VenueChecks } from './checks.ts';
import { FigureChecks } from './figure-checks.ts';
import { HourlyHistory } from './hourly-history.ts';
import { Mirrors } from './mirrors/mirrors.ts';
import type { PublishedRow } from './published-rates.ts';
import { replayFrames } from './replay.ts';
import { type AuditReport, parseReport, venueAccuracy } from './report.ts';
import { AuditReporter } from './reporter.ts';
import { AuditSaving } from './saving.ts';
import { StillRows } from './still-rows.ts';
import { EVIDENCE_DAYS } from './verdict.ts';

interface AuditOptions {
  storage: Storage;
  venues: readonly Venue[];
  sums: Pick<SettlementSums, 'find' | 'onPut' | 'printsAfter'>;
  freezer: Pick<Freezer, 'identities'>;
  withholding: Withholding;
  engineLease: EngineLease;
  jobs: Pick<Jobs, 'job'>;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** Which contracts are withheld. */
type IsWithheld = (contract: { exchange: string; key: string }) => boolean;

const VOLUMES = 'volumes';
const INTERESTS = 'interests';
const REFRESH_EVERY_MS = MINUTE_MS;

/** Compares every published rate with the settled print, and venues with each other. Runs where the engine runs. */
export class Audit {
  readonly #options: AuditOptions;
  readonly #exchanges: readonly string[];
  /** Venues that publish no settled prints. */
  readonly #withoutHistory: ReadonlySet<string>;
  readonly #store: AuditStore;
  readonly #reporter: AuditReporter;
  readonly #auditor: Auditor;
  readonly #alarms: Alarms;
  readonly #figureChecks: FigureChecks;
  readonly #mirrors: Mirrors;
  readonly #saving: AuditSaving;
  readonly #volumes = new HourlyHistory();
  readonly #stillRows = new StillRows();
  readonly #changedVenues = new Set<string>();
  readonly #job: Job;
  #report: AuditReport | null = null;
  #checks: ReadonlyMap<string, VenueChecks> = new Map();
  /** The last one that was audited. */
  #market: FrozenMarket | null = null;
  #olderDays: Promise<void> = Promise.resolve();
  #stopListening: () => void = () => undefined;
  #task: RepeatingTask | null = null;
  #isStopped = false;
  /** False while the audit of snapshots fails: the report is then of old comparisons. */
  #isAuditing = true;

  private constructor(options: AuditOptions) {
    const { venues, sums, storage, jobs } = options;
    this.#options = options;
    this.#exchanges = venues.map(({ facts }) => facts.exchange);
    this.#withoutHistory = new Set(
      venues.filter(({ facts }) => facts.noHistory !== undefined).map(({ facts }) => facts.exchange),
    );
    this.#store = new AuditStore(storage);
    const reporter = new AuditReporter(options);
    this.#reporter = reporter;
    this.#auditor = new Auditor(
      (key, minute, toleranceMinutes) => sums.find(key, minute, toleranceMinutes),
      (exchange) => {
        this.#changedVenues.add(exchange);
        reporter.compared(exchange);
      },
    );
    this.#alarms = new Alarms((alarm, isOn) => reporter.alarmChanged(alarm, isOn));
    this.#figureChecks = new FigureChecks((notice, isOn) => reporter.noticeChanged(notice, isOn));
    this.#mirrors = new Mirrors({ ...options, notices: this.#figureChecks.notices });
    this.#saving = new AuditSaving({
      ...options,
      store: this.#store,
      auditor: this.#auditor,
      hourly: (asOfMs) => ({
        [VOLUMES]: this.#volumes.stored(asOfMs),
        [INTERESTS]: this.#figureChecks.stored(asOfMs),
      }),
    });
    this.#job = jobs.job('audit', REFRESH_EVERY_MS);
  }

  /** Goes on from what is stored. Days that only the longest windows need are read after this. */
  static async open(options: AuditOptions): Promise<Audit> {
    const audit = new Audit(options);
    await audit.#restore();
    const { sums, clock, log } = options;
    audit.#stopListening = sums.onPut((key) => audit.#auditor.printsChanged(key, clock.nowMs()));
    audit.#olderDays = audit
      .#restoreOlderDays()
      .catch((error: unknown) =>
        log.error({ err: error }, 'older days of the audit could not be read; their windows are incomplete'),
      );
    return audit;
  }

  start(): void {
    const { clock, log } = this.#options;
    this.#job.start();
    this.#task = startRepeatingTask({
      name: 'audit report',
      everyMs: REFRESH_EVERY_MS,
      firstDelayMs: REFRESH_EVERY_MS,
      clock,
      log,
      run: async () => {
        await this.#olderDays;
        await this.refresh();
        if (this.#isAuditing) this.#job.finished();
        return undefined;
      },
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    await this.#task?.stop();
    this.#job.stop();
    await this.#olderDays;
    await this.#saving.settlements();
    this.#reporter.reset();
  }

  /** The newest report, which may be an earlier process's; null before the first one. */
  report(): AuditReport | null {
    return this.#report;
  }

  /** Audits a snapshot before it is published, and leaves out the rows that are withheld. */
  publishable(market: FrozenMarket): FrozenMarket {
    try {
      this.#audit(market);
      this.#isAuditing = true;
    } catch (error) {
      this.#isAuditing = false;
      // A fault of the audit must not cost anybody the snapshot.
      this.#options.log.error({ err: error }, 'the audit of a snapshot failed');
    }
    const isWithheld = this.withheldContracts();
    if (!isWithheld) return market;
    return { ...market, contracts: market.contracts.filter((contract) => !isWithheld(contract)) };
  }

  /** The venues whose rates are a copy, with the one that each copies. */
  get mirrors(): ReadonlyMap<string, string> {
    return this.#mirrors.all;
  }

  /** Which contracts are withheld now, by key; null: none is. */
  withheldContracts(): IsWithheld | null {
    return this.#alarms.withheld(this.#options.withholding);
  }

  /** Which venues are withheld now as a leg on a coin; null: none is. */
  withheldLegs(): ((exchange: string, coin: string) => boolean) | null {
    const isWithheld = this.withheldContracts();
    if (!isWithheld) return null;
    const legs = new Set<string>();
    for (const [key, { coin }] of this.#options.freezer.identities) {
      const exchange = key.slice(0, key.indexOf('/'));
      if (isWithheld({ exchange, key })) legs.add(`${exchange}/${coin}`);
    }
    // A venue that states nothing now has no identities, but may have rows made from its past.
    return (exchange, coin) => legs.has(`${exchange}/${coin}`) || isWithheld({ exchange, key: '' });
  }

  /** Saves what is new and computes the report anew; done once a minute by itself. */
  async refresh(): Promise<void> {
    const { clock, engineLease } = this.#options;
    if (!engineLease.isHeld()) return;
    this.#auditor.forgetOld(clock.nowMs());
    this.#judgeRates(this.#exchanges);
    if (this.#market) await this.#mirrors.judge(this.#market);
    await this.#saving.settlements();
    const report = this.#computeReport();
    this.#report = report;
    this.#reporter.showReport(report);
    await this.#saving.report(report);
  }

  #today(): number {
    return dayOf(Math.floor(this.#options.clock.nowMs() / MINUTE_MS));
  }

  async #restore(): Promise<void> {
    const { storage, clock } = this.#options;
    const report = parseReport((await this.#store.loadDocument(AUDIT_REPORT))?.value);
    this.#report = report;
    for (const { exchange, alarms } of report?.venues ?? [])
      this.#alarms.restore(alarms.map((alarm) => ({ exchange, ...alarm })));
    for (const alarm of this.#alarms.all) this.#reporter.showAlarm(alarm, true);
    this.#volumes.restore((await this.#store.loadDocument(VOLUMES))?.value);
    this.#figureChecks.restore((await this.#store.loadDocument(INTERESTS))?.value, report?.venues ?? []);
    for (let day = this.#today() - EVIDENCE_DAYS; day <= this.#today(); day++) await this.#restoreDay(day);
    await replayFrames(storedFrames(storage), clock.nowMs(), (asOfMs, rows) =>
      this.#auditor.observe(asOfMs, this.#comparable(rows), null),
    );
    this.#auditor.settleRestored();
  }

  async #restoreDay(day: number): Promise<void> {
    for (const exchange of this.#exchanges)
      this.#auditor.restore(exchange, await this.#store.load(exchange, day), this.#options.clock.nowMs());
  }

  async #restoreOlderDays(): Promise<void> {
    for (let day = this.#today() - EVIDENCE_DAYS - 1; day > this.#today() - AUDIT_DAYS; day--) {
      if (this.#isStopped) return;
      await this.#restoreDay(day);
      // SQLite answers without a turn of the event loop: timers and replies would wait for all the days.
      await afterPendingEvents();
    }
  }

  #audit(market: FrozenMarket): void {
    const { clock, metrics } = this.#options;
    const startedMs = performance.now();
    this.#auditor.observe(market.asOfMs, this.#comparable(market.contracts), clock.nowMs());
    this.#checkVenues(market);
    this.#judgeRates(this.#changedVenues);
    this.#changedVenues.clear();
    metrics.auditSeconds.observe((performance.now() - startedMs) / SECOND_MS);
    void this.#saving.settlements();
  }

  /** Rows whose settled print will be published. */
  #comparable<Row extends PublishedRow>(rows: readonly Row[]): readonly Row[] {
    const { size } = this.#withoutHistory;
    return size === 0 ? rows : rows.filter(({ exchange }) => !this.#withoutHistory.has(exchange));
  }

  #judgeRates(exchanges: Iterable<string>): void {
    const nowMs = this.#options.clock.nowMs();
    const nowMinute = Math.floor(nowMs / MINUTE_MS);
    for (const exchange of exchanges)
      this.#alarms.judgeRates(exchange, this.#auditor.evidence(exchange).shares(nowMinute), nowMs);
  }

  #checkVenues(market: FrozenMarket): void {
    const { contracts, states, identities, asOfMs } = market;
    const { byExchange, frozenRows } = checkSnapshot(contracts, states, identities, asOfMs, this.#stillRows);
    const totals = new Map([...byExchange].map(([exchange, one]) => [exchange, one.volume24hUsdt]));
    const ratios = this.#volumes.ratios(totals);
    this.#volumes.note(totals, asOfMs);
    for (const [exchange, one] of byExchange) {
      one.volumeRatio = ratios.get(exchange) ?? null;
      this.#alarms.judgeChecks(exchange, one, asOfMs);
      this.#reporter.showChecks(exchange, one);
    }
    this.#alarms.noteFrozenRows(frozenRows);
    this.#checks = byExchange;
    this.#figureChecks.check(market);
    this.#market = market;
  }

  #computeReport(): AuditReport {
    const { venues, withholding, clock } = this.#options;
    const checks = this.#checks;
    const accruing = new Set(
      [...checks].filter(([, one]) => one.settlementsStated === 0).map(([exchange]) => exchange),
    );
    const { notices } = this.#figureChecks;
    const withoutHistory = this.#withoutHistory;
    const sources = {
      ...{ auditor: this.#auditor, alarms: this.#alarms, notices, checks, accruing },
      ...{ withoutHistory, withholding },
    };
    const nowMs = clock.nowMs();
    const shown = venues
      .map(({ facts }) => ({ facts, made: venueAccuracy(facts.exchange, sources, nowMs) }))
      // A venue that has ended stays for as long as it has figures.
      .filter(({ facts, made }) => !hasEnded(facts, nowMs) || made.days.length > 0);
    return { asOfMs: nowMs, withholding, venues: shown.map(({ made }) => made) };
  }
}
