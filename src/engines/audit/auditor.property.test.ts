import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { median } from '../../base/numbers.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { type AuditedSettlement, settlementKey } from '../../history/audit/model.ts';
import { SettlementSums } from '../../history/settlements/sums.ts';
import { Auditor } from './auditor.ts';
import type { PublishedRow } from './published-rates.ts';

/** A linear congruential generator: each run is the same. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Publication {
  asOfMs: number;
  rows: PublishedRow[];
}

interface KnownPrint {
  key: string;
  minute: number;
  ratePct: number;
  knownAtMs: number;
}

const START_MS = Date.UTC(2026, 10, 14, 5, 30);
const SYMBOLS = ['A', 'B', 'C', 'D', 'E'];
const INTERVALS = [1, 2, 1, 4, 8];

/** Hours of publications with holes, contracts that are left out, and prints that come late, early or never. */
function history(seed: number): { publications: Publication[]; prints: KnownPrint[] } {
  const draw = random(seed);
  const publications: Publication[] = [];
  const rate = () => Math.round((draw() - 0.4) * 4e6) / 1e8;
  for (let asOfMs = START_MS; asOfMs < START_MS + 9 * HOUR_MS; ) {
    const rows = SYMBOLS.flatMap((venueSymbol, i): PublishedRow[] => {
      if (draw() < 0.05) return [];
      const hours = INTERVALS[i] ?? 1;
      const stepMs = hours * HOUR_MS;
      const isLate = draw() < 0.02;
      const nextMs = Math.floor(asOfMs / stepMs) * stepMs + (isLate ? 0 : stepMs);
      const key = `OKX/${venueSymbol}`;
      return [
        { key, exchange: 'OKX', venueSymbol, ratePct: rate(), intervalHours: hours, nextFundingAtMs: nextMs },
      ];
    });
    publications.push({ asOfMs, rows });
    asOfMs += (draw() < 0.01 ? 900 : 8 + Math.floor(draw() * 30)) * SECOND_MS;
  }
  const prints = SYMBOLS.flatMap((venueSymbol, i) => {
    const stepMs = (INTERVALS[i] ?? 1) * HOUR_MS;
    const made: KnownPrint[] = [];
    const firstMs = Math.floor(START_MS / stepMs) * stepMs;
    for (let atMs = firstMs; atMs < START_MS + 10 * HOUR_MS; atMs += stepMs) {
      const knownAtMs = atMs + Math.floor(draw() * 5400) * SECOND_MS;
      if (draw() < 0.85)
        made.push({ key: `OKX/${venueSymbol}`, minute: atMs / MINUTE_MS, ratePct: rate(), knownAtMs });
    }
    return made;
  });
  return { publications, prints: prints.sort((a, b) => a.knownAtMs - b.knownAtMs) };
}

/** The rules of docs/accuracy.md in the plainest way: each settlement looks through all publications and prints. */
function naive({ publications, prints }: ReturnType<typeof history>): Map<string, AuditedSettlement> {
  const endMs = publications.at(-1)?.asOfMs ?? 0;
  const found = new Map<string, AuditedSettlement>();
  for (const [i, venueSymbol] of SYMBOLS.entries()) {
    const key = `OKX/${venueSymbol}`;
    const intervalHours = INTERVALS[i] ?? 1;
    const shown = publications.flatMap(({ asOfMs, rows }) =>
      rows.filter((row) => row.key === key).map((row) => ({ asOfMs, ...row })),
    );
    const nexts = new Set(shown.map((one) => one.nextFundingAtMs ?? 0));
    for (const nextMs of nexts) {
      const before = shown.filter((one) => one.nextFundingAtMs === nextMs && one.asOfMs < nextMs);
      const last = before.at(-1);
      if (!last || nextMs > endMs || nextMs - last.asOfMs > 10 * MINUTE_MS) continue;
      // Only the newest publication that was a minute old at the time of a row counts, for each row of the settlement.
      let earlierPct: number | null = null;
      for (const one of before) {
        const minuteOld = publications.findLast(({ asOfMs }) => asOfMs <= one.asOfMs - MINUTE_MS);
        const row = minuteOld?.rows.find((other) => other.key === key && other.nextFundingAtMs === nextMs);
        if (row) earlierPct = row.ratePct;
      }
      const minute = nextMs / MINUTE_MS;
      const print = prints.find((one) => one.key === key && one.minute === minute && one.knownAtMs <= endMs);
      const expectedSinceMs = publications.find(({ asOfMs }) => asOfMs >= nextMs)?.asOfMs ?? 0;
      const knownAtMs = print ? Math.max(print.knownAtMs, expectedSinceMs) : 0;
      const previous = print
        ? prints
            .filter((one) => one.key === key && one.minute < minute && one.knownAtMs <= knownAtMs)
            .sort((a, b) => b.minute - a.minute)[0]
        : undefined;
      found.set(settlementKey({ venueSymbol, minute }), {
        venueSymbol,
        minute,
        publishedPct: last.ratePct,
        publishedSecondsBefore: (nextMs - last.asOfMs) / SECOND_MS,
        earlierPct,
        intervalHours,
        isAccrual: false,
        printPct: print?.ratePct ?? null,
        previousPrintPct: previous?.ratePct ?? null,
        gapMinutes: previous ? minute - previous.minute : null,
        delaySeconds: print ? (knownAtMs - nextMs) / SECOND_MS : null,
      });
    }
  }
  return found;
}

suite('audit against a naive recomputation', () => {
  for (let seed = 1; seed <= 15; seed++) {
    test(`random history ${seed}`, () => {
      const made = history(seed);
      const sums = new SettlementSums();
      const auditor = new Auditor((key, minute, tolerance) => sums.find(key, minute, tolerance));
      const prints = [...made.prints];
      const engine = new Map<string, AuditedSettlement>();
      for (const { asOfMs, rows } of made.publications) {
        while ((prints[0]?.knownAtMs ?? Number.POSITIVE_INFINITY) <= asOfMs) {
          const { key, minute, ratePct, knownAtMs } = prints.shift() as KnownPrint;
          sums.put(key, [{ minute, ratePct }]);
          auditor.printsChanged(key, knownAtMs);
        }
        auditor.observe(asOfMs, rows, asOfMs);
        for (const one of auditor.takeUnsaved().get('OKX') ?? []) engine.set(settlementKey(one), one);
      }
      const expected = naive(made);
      assert.ok(expected.size > 15);
      assert.deepEqual(
        [...engine].sort(([a], [b]) => (a < b ? -1 : 1)),
        [...expected].sort(([a], [b]) => (a < b ? -1 : 1)),
      );

      const nowMinute = Math.floor((made.publications.at(-1)?.asOfMs ?? 0) / MINUTE_MS);
      const figures = auditor.windows('OKX').figures(24, nowMinute);
      const all = [...expected.values()];
      const compared = all.filter(({ printPct }) => printPct !== null);
      const errors = compared.map((one) => Math.abs(one.publishedPct - (one.printPct ?? 0)) * 100);
      const near = (actual: number | null, wanted: number) =>
        assert.ok(
          Math.abs((actual ?? Number.NaN) - wanted) <= 1e-5 * Math.max(1, wanted),
          `${actual} is not ${wanted}`,
        );
      assert.equal(figures.comparisons, compared.length);
      near(figures.medianErrorBp, median(errors));
      near(figures.worstErrorBp, Math.max(...errors));
      near(figures.medianDelaySeconds, median(compared.map(({ delaySeconds }) => delaySeconds ?? 0)));
      const closePct = (errors.filter((error) => error <= 0.1 + 1e-7).length / errors.length) * 100;
      assert.ok(Math.abs((figures.closePct ?? 0) - closePct) <= 0.005, 'a percent with two decimals');
      const overdue = all.filter((one) => one.printPct === null && one.minute <= nowMinute - 420);
      assert.equal(figures.missing, overdue.length);
      assert.equal(figures.expected, compared.length + overdue.length);
    });
  }
});
