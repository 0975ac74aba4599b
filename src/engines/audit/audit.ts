import type { Clock } from '../../base/clock.ts';
import type { Job, Jobs } from '../../base/jobs.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { AuditStore } from '../../history/audit/store.ts';
import type { SettlementSums } from '../../history/settlements/sums.ts';
import type { Freezer, FrozenMarket } from '../../market/freeze.ts';
import type { EngineLease } from '../../storage/engine-lease.ts';
import type { Storage } from '../../storage/storage.ts';
import type { ChosenSides } from '../../venues/counting/sides.ts';
import type { Venue } from '../../venues/venue.ts';
import { Alarms, type IsWithheld, type Withholding } from './alarms.ts';
import { Auditor } from './auditor.ts';
import { FigureChecks } from './figure-checks.ts';
import { Mirrors } from './mirrors/mirrors.ts';
import type { PublishedRow } from './published-rates.ts';
import { type AuditReport, auditReport } from './report.ts';
import { AuditReporter } from './reporter.ts';
import { SnapshotChecks } from './snapshot-checks.ts';
import { AuditRestoring, INTERESTS, VOLUMES } from './stored/restoring.ts';
import { AuditSaving } from './stored/saving.ts';

interface AuditOptions {
  storage: Storage;
  venues: readonly Venue[];
  sums: Pick<SettlementSums, 'find' | 'onPut' | 'printsAfter'>;
  sides: { of(venue: Venue): ChosenSides };
  freezer: Pick<Freezer, 'identities'>;
  withholding: Withholding;
  engineLease: EngineLease;
  jobs: Pick<Jobs, 'job'>;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

const REFRESH_EVERY_MS = MINUTE_MS;

/** Compares every published rate with the settled print, and venues with each other. Runs where the engine runs. */
export class Audit {
  readonly #options: AuditOptions;
  readonly #exchanges: readonly string[];
  /** Venues that publish no settled prints. */
  readonly #withoutHistory: ReadonlySet<string>;
  readonly #reporter: AuditReporter;
  readonly #auditor: Auditor;
  readonly #alarms: Alarms;
  readonly #snapshotChecks: SnapshotChecks;
  readonly #figureChecks: FigureChecks;
  readonly #mirrors: Mirrors;
  readonly #saving: AuditSaving;
  readonly #restoring: AuditRestoring;
  readonly #changedVenues = new Set<string>();
  readonly #job: Job;
  #report: AuditReport | null = null;
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
    const store = new AuditStore(storage);
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
    const chosenSides = (venue: Venue) => options.sides.of(venue);
    this.#snapshotChecks = new SnapshotChecks(this.#alarms, reporter, chosenSides);
    this.#figureChecks = new FigureChecks(
      (notice, isOn) => reporter.noticeChanged(notice, isOn),
      chosenSides,
    );
    this.#mirrors = new Mirrors({ ...options, notices: this.#figureChecks.notices });
    this.#saving = new AuditSaving({
      ...options,
      store,
      auditor: this.#auditor,
      hourly: (asOfMs) => ({
        [VOLUMES]: this.#snapshotChecks.stored(asOfMs),
        [INTERESTS]: this.#figureChecks.stored(asOfMs),
      }),
    });
    this.#restoring = new AuditRestoring({
      ...options,
      store,
      exchanges: this.#exchanges,
      auditor: this.#auditor,
      alarms: this.#alarms,
      snapshotChecks: this.#snapshotChecks,
      figureChecks: this.#figureChecks,
      replay: (asOfMs, rows) => this.#auditor.observe(asOfMs, this.#comparable(rows), null),
    });
    this.#job = jobs.job('audit', REFRESH_EVERY_MS);
  }

  /** Goes on from what is stored. Days that only the longest windows need are read after this. */
  static async open(options: AuditOptions): Promise<Audit> {
    const audit = new Audit(options);
    audit.#report = await audit.#restoring.recent();
    for (const alarm of audit.#alarms.all) audit.#reporter.showAlarm(alarm, true);
    const { sums, clock, log } = options;
    audit.#stopListening = sums.onPut((key) => audit.#auditor.printsChanged(key, clock.nowMs()));
    audit.#olderDays = audit.#restoring
      .olderDays(() => audit.#isStopped)
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
    return this.#alarms.withheldLegs(this.#options.withholding, this.#options.freezer.identities);
  }

  /** Saves what is new and computes the report anew; done once a minute by itself. */
  async refresh(): Promise<void> {
    const { clock, engineLease } = this.#options;
    if (!engineLease.isHeld()) return;
    this.#auditor.forgetOld(clock.nowMs());
    this.#judgeRates(this.#exchanges);
    if (this.#market) await this.#mirrors.judge(this.#market);
    await this.#saving.settlements();
    const report = auditReport(
      {
        ...this.#options,
        auditor: this.#auditor,
        alarms: this.#alarms,
        notices: this.#figureChecks.notices,
        checks: this.#snapshotChecks.byExchange,
        withoutHistory: this.#withoutHistory,
      },
      clock.nowMs(),
    );
    this.#report = report;
    this.#reporter.showReport(report);
    await this.#saving.report(report);
  }

  #audit(market: FrozenMarket): void {
    const { clock, metrics } = this.#options;
    const startedMs = performance.now();
    this.#auditor.observe(market.asOfMs, this.#comparable(market.contracts), clock.nowMs());
    this.#snapshotChecks.check(market);
    this.#figureChecks.check(market);
    this.#market = market;
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
}
