import { inTurns } from '../../base/async/in-turns.ts';
import { nextTurn } from '../../base/async/next-turn.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { type Alarm, Alarms } from '../../engines/audit/alarms.ts';
import { Auditor } from '../../engines/audit/auditor.ts';
import { checkSteps, type VenueChecks } from '../../engines/audit/checks.ts';
import { FAULT_WORDS } from '../../engines/audit/faults.ts';
import { FigureChecks } from '../../engines/audit/figure-checks.ts';
import { HourlyHistory } from '../../engines/audit/hourly-history.ts';
import { noticeLogger, showNotices } from '../../engines/audit/notice-reporter.ts';
import {
  type AuditReport,
  parseReport,
  type VenueAccuracy,
  venueAccuracy,
} from '../../engines/audit/report.ts';
import { StillRows } from '../../engines/audit/still-rows.ts';
import { EVIDENCE_DAYS } from '../../engines/audit/verdict.ts';
import { AUDIT_DAYS_KEPT, AUDIT_REPORT, dayOf } from '../../history/audit/model.ts';
import { AuditStore } from '../../history/audit/store.ts';
import { storedFrames } from '../../market/frame-store.ts';
import type { Freezer, FrozenMarket } from '../../market/freeze.ts';
import { isStorageUnavailable } from '../../storage/errors.ts';
import { FencedError } from '../../storage/fences.ts';
import { hasEnded } from '../../venues/ended.ts';
import type { Part, PartContext } from '../part.ts';
import { replayFrames } from './audit-replay.ts';
import type { HistoryPart } from './history.ts';

export interface AuditPart extends Part {
  /** Audits a snapshot before it is published, and leaves out the rows that are withheld. */
  publishable(market: FrozenMarket): Promise<FrozenMarket>;
  /** Which contracts are withheld now, by key; null: none is. */
  withheldContracts(): ((contract: { exchange: string; key: string }) => boolean) | null;
  /** Which venues are withheld now as a leg on a coin; null: none is. */
  withheldLegs(): ((exchange: string, coin: string) => boolean) | null;
  /** Saves what is new and computes the report anew; done once a minute by itself. */
  refresh(): Promise<void>;
  /** The newest report, which may be an earlier process's; null before the first one. */
  report(): AuditReport | null;
}

const VOLUMES = 'volumes';
const INTERESTS = 'interests';
const REFRESH_EVERY_MS = MINUTE_MS;
/** Settlements of one venue that wait while the database is unavailable; beyond it the oldest are dropped. */
const MOST_UNSAVED = 50_000;

/** Holds every published rate against the settled print, and venues against each other. Runs where the engine runs. */
export async function auditPart(
  context: PartContext,
  freezer: Freezer,
  { keeper }: Pick<HistoryPart, 'keeper'>,
): Promise<AuditPart> {
  const { storage, clock, log, metrics, settings, engineLease, venues } = context;
  const store = new AuditStore(storage);
  const slugOf = new Map(venues.map(({ slug, facts }) => [facts.exchange, slug]));
  const exchanges = [...slugOf.keys()];
  const nameOf = (exchange: string) => slugOf.get(exchange) ?? exchange;
  const changedVenues = new Set<string>();
  const volumes = new HourlyHistory();
  const stillRows = new StillRows();
  const auditor = new Auditor(
    (key, minute, toleranceMinutes) => keeper.sums.find(key, minute, toleranceMinutes),
    (exchange) => {
      changedVenues.add(exchange);
      metrics.auditComparisons.inc({ venue: nameOf(exchange) });
    },
  );
  const showAlarm = ({ exchange, fault }: Alarm, isOn: boolean) =>
    metrics.venueAuditAlarm.set({ venue: nameOf(exchange), fault }, isOn ? 1 : 0);
  const alarms = new Alarms((alarm, isOn) => {
    const { exchange, fault, evidence, sinceMs } = alarm;
    showAlarm(alarm, isOn);
    const details = { venue: nameOf(exchange), fault, evidence };
    if (isOn) log.warn(details, `audit alarm: ${FAULT_WORDS[fault].finding}`);
    else log.warn({ ...details, lastedSeconds: (clock.nowMs() - sinceMs) / SECOND_MS }, 'audit alarm ended');
  });
  const figureChecks = new FigureChecks(noticeLogger(log, clock, nameOf));
  const { notices } = figureChecks;
  let report: AuditReport | null = null;
  let checks: ReadonlyMap<string, VenueChecks> = new Map();
  let volumesSavedHour = 0;
  let prunedDay = 0;
  let saving: Promise<void> = Promise.resolve();
  let task: RepeatingTask | null = null;
  let isStopped = false;
  /** False while the audit of snapshots fails: the report is then of old comparisons. */
  let isAuditing = true;
  const job = context.jobs.job('audit', REFRESH_EVERY_MS);

  const nowMinute = () => Math.floor(clock.nowMs() / MINUTE_MS);
  const today = () => dayOf(nowMinute());

  const open = async () => {
    report = parseReport((await store.loadDocument(AUDIT_REPORT))?.value);
    for (const { exchange, alarms: held } of report?.venues ?? [])
      alarms.restore(held.map((alarm) => ({ exchange, ...alarm })));
    for (const alarm of alarms.all) showAlarm(alarm, true);
    volumes.restore((await store.loadDocument(VOLUMES))?.value);
    figureChecks.restore((await store.loadDocument(INTERESTS))?.value, report?.venues ?? []);
    for (let day = today() - EVIDENCE_DAYS; day <= today(); day++) await restoreDay(day);
    await replayFrames(storedFrames(storage), clock.nowMs(), (asOfMs, rows) =>
      auditor.observe(asOfMs, rows, null),
    );
    auditor.settleRestored();
  };
  const restoreDay = async (day: number) => {
    for (const exchange of exchanges) {
      auditor.restore(exchange, await store.load(exchange, day), clock.nowMs());
      await nextTurn();
    }
  };
  /** Days that only the longest windows need: the engine does not wait for them. */
  const restoreOlder = async () => {
    for (let day = today() - EVIDENCE_DAYS - 1; day > today() - AUDIT_DAYS_KEPT && !isStopped; day--)
      await restoreDay(day);
  };

  const judge = async (changed: Iterable<string>) => {
    for (const exchange of changed) {
      alarms.judgeRates(exchange, auditor.evidence(exchange).shares(nowMinute()), clock.nowMs());
      await nextTurn();
    }
  };
  const runChecks = async (market: FrozenMarket) => {
    const nowMs = market.asOfMs;
    const { byExchange, frozenRows } = await inTurns(
      checkSteps(market.contracts, market.states, market.identities, nowMs, stillRows),
    );
    await nextTurn();
    const totals = new Map([...byExchange].map(([exchange, one]) => [exchange, one.volume24hUsdt]));
    const ratios = volumes.ratios(totals);
    volumes.note(totals, nowMs);
    for (const [exchange, one] of byExchange) {
      one.volumeRatio = ratios.get(exchange) ?? null;
      alarms.judgeChecks(exchange, one, nowMs);
      const venue = nameOf(exchange);
      metrics.venueCheckRows.set({ venue, check: 'price_compared' }, one.pricesCompared);
      metrics.venueCheckRows.set({ venue, check: 'price_off' }, one.pricesOff);
      metrics.venueCheckRows.set({ venue, check: 'settlement_past' }, one.settlementsPast);
      metrics.venueCheckRows.set({ venue, check: 'row_still' }, one.rowsStill);
      metrics.venueCheckRows.set({ venue, check: 'settlement_too_far' }, one.settlementsTooFar);
      if (one.volumeRatio !== null) metrics.venueVolumeRatio.set({ venue }, one.volumeRatio);
    }
    alarms.noteFrozenRows(frozenRows);
    checks = byExchange;
    await inTurns(figureChecks.steps(market));
  };
  const audit = async (market: FrozenMarket) => {
    const startedMs = performance.now();
    auditor.observe(market.asOfMs, market.contracts, clock.nowMs());
    await nextTurn();
    await runChecks(market);
    await nextTurn();
    const changed = [...changedVenues];
    changedVenues.clear();
    await judge(changed);
    metrics.auditSeconds.observe((performance.now() - startedMs) / SECOND_MS);
    void save();
  };

  /** One save at a time. What cannot be saved is kept for the next one, unless another process has the engine now. */
  const save = (): Promise<void> => {
    saving = saving.then(async () => {
      if (!engineLease.isHeld()) return;
      const fence = engineLease.fence();
      for (const [exchange, settlements] of auditor.takeUnsaved()) {
        try {
          await store.merge(exchange, settlements, fence);
        } catch (error) {
          if (error instanceof FencedError) return;
          const dropped = auditor.putBack(exchange, settlements, MOST_UNSAVED);
          if (dropped > 0) metrics.auditDropped.inc(dropped);
          if (!isStorageUnavailable(error))
            log.error({ err: error, exchange }, 'audited settlements not saved');
        }
      }
    });
    return saving;
  };
  const computeReport = async (): Promise<AuditReport> => {
    const accruing = new Set(
      [...checks].filter(([, one]) => one.settlementsStated === 0).map(([exchange]) => exchange),
    );
    const withholding = settings.auditWithhold;
    const options = { auditor, alarms, notices, checks, accruing, withholding };
    const shown: VenueAccuracy[] = [];
    for (const { facts } of venues) {
      const made = venueAccuracy(facts.exchange, options, clock.nowMs());
      // A venue that has ended stays for as long as it has figures.
      if (!hasEnded(facts, clock.nowMs()) || made.days.length > 0) shown.push(made);
      // Medians over 30 days take milliseconds per venue: requests get their turn in between.
      await nextTurn();
    }
    return { asOfMs: clock.nowMs(), withholding, venues: shown };
  };
  const storeReport = async (made: AuditReport) => {
    const fence = engineLease.fence();
    await store.saveDocument(AUDIT_REPORT, { asOfMs: made.asOfMs, value: made }, fence);
    const hour = Math.floor(made.asOfMs / HOUR_MS);
    if (hour !== volumesSavedHour) {
      const { asOfMs } = made;
      await store.saveDocument(VOLUMES, { asOfMs, value: volumes.stored(asOfMs) }, fence);
      await store.saveDocument(INTERESTS, { asOfMs, value: figureChecks.stored(asOfMs) }, fence);
      volumesSavedHour = hour;
    }
    if (today() !== prunedDay) {
      await store.deleteBefore(today() - AUDIT_DAYS_KEPT);
      prunedDay = today();
    }
  };
  const refresh = async () => {
    if (!engineLease.isHeld()) return;
    await inTurns(auditor.forgetSteps(clock.nowMs()));
    await judge(exchanges);
    await save();
    report = await computeReport();
    showNotices(metrics, notices.all, nameOf);
    for (const { exchange, windows } of report.venues)
      metrics.auditMissing.set({ venue: nameOf(exchange) }, windows[0]?.missing ?? 0);
    try {
      await storeReport(report);
    } catch (error) {
      if (!isStorageUnavailable(error) && !(error instanceof FencedError)) throw error;
    }
  };

  const withheldContracts = () => alarms.withheld(settings.auditWithhold);
  const withheldLegs = () => {
    const isWithheld = withheldContracts();
    if (!isWithheld) return null;
    const legs = new Set<string>();
    for (const [key, { coin }] of freezer.identities) {
      const exchange = key.slice(0, key.indexOf('/'));
      if (isWithheld({ exchange, key })) legs.add(`${exchange}/${coin}`);
    }
    // A venue that states nothing now has no identities, but may have rows made from its past.
    return (exchange: string, coin: string) =>
      legs.has(`${exchange}/${coin}`) || isWithheld({ exchange, key: '' });
  };

  await open();
  const stopListening = keeper.sums.onPut((key) => auditor.printsChanged(key, clock.nowMs()));
  const older = restoreOlder().catch((error: unknown) =>
    log.error({ err: error }, 'older days of the audit could not be read; their windows are incomplete'),
  );

  return {
    refresh,
    report: () => report,
    withheldContracts,
    withheldLegs,
    publishable: async (market) => {
      try {
        await audit(market);
        isAuditing = true;
      } catch (error) {
        isAuditing = false;
        // A fault of the audit must not cost anybody the snapshot.
        log.error({ err: error }, 'the audit of a snapshot failed');
      }
      const isWithheld = withheldContracts();
      if (!isWithheld) return market;
      return { ...market, contracts: market.contracts.filter((contract) => !isWithheld(contract)) };
    },
    start: () => {
      job.start();
      task = startRepeatingTask({
        name: 'audit report',
        everyMs: REFRESH_EVERY_MS,
        firstDelayMs: REFRESH_EVERY_MS,
        clock,
        log,
        run: async () => {
          await older;
          await refresh();
          if (isAuditing) job.finished();
          return undefined;
        },
      });
    },
    stop: async () => {
      isStopped = true;
      stopListening();
      await task?.stop();
      job.stop();
      await older;
      await save();
      metrics.venueAuditAlarm.reset();
      metrics.venueAuditNotice.reset();
      metrics.venueCheckRows.reset();
      metrics.venueVolumeRatio.reset();
      metrics.auditMissing.reset();
    },
  };
}
