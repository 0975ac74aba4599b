import { HOUR_MS, isoTime } from '../src/base/times.ts';
import type { Plan } from './plan.ts';

export interface Failure {
  step: number;
  atMs: number;
  violations: readonly string[];
  /** The newest lines of log of the processes. */
  log: readonly string[];
}

/** The result of one seed. */
export interface RunResult {
  seed: number;
  venues: readonly string[];
  simulatedHours: number;
  steps: number;
  cpuSeconds: number;
  faults: Readonly<Record<string, number>>;
  checked: Readonly<Record<string, number>>;
  failure: Failure | null;
}

/** What a run that crashed has to show. */
export const NO_RESULT: Omit<RunResult, 'seed' | 'failure'> = {
  venues: [],
  simulatedHours: 0,
  steps: 0,
  cpuSeconds: 0,
  faults: {},
  checked: {},
};

const MOST_VIOLATIONS = 8;
const LOG_LINE_LENGTH = 300;

export function failureText(plan: Plan, { step, atMs, violations, log }: Failure): string {
  const left = violations.length - MOST_VIOLATIONS;
  return [
    `FAILED seed ${plan.seed}, step ${step}, ${isoTime(atMs)}`,
    ...violations.slice(0, MOST_VIOLATIONS).map((violation) => `  ${violation}`),
    ...(left > 0 ? [`  and ${left} more`] : []),
    ...log.map((line) => `  | ${line.slice(0, LOG_LINE_LENGTH)}`),
    `Replay: npm run chaos -- --seed ${plan.seed} --hours ${plan.hours}${plan.hasRoles ? ' --roles' : ''}`,
  ].join('\n');
}

export function resultLine({ seed, simulatedHours, cpuSeconds, faults, failure }: RunResult): string {
  const outcome = failure ? `FAILED at step ${failure.step}: ${failure.violations[0]}` : 'no violation';
  return `seed ${seed}: ${simulatedHours.toFixed(1)} h in ${cpuSeconds.toFixed(1)} s of CPU, ${sumOf(Object.values(faults))} faults, ${outcome}`;
}

export function sumOf(numbers: Iterable<number>): number {
  return Iterator.from(numbers).reduce((total, number) => total + number, 0);
}

export function summed(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const one of counts)
    for (const [name, count] of Object.entries(one)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

/** The table at the end of a run. */
export function summaryText(results: readonly RunResult[]): string {
  const hours = sumOf(results.map(({ simulatedHours }) => simulatedHours));
  const cpuSeconds = sumOf(results.map((result) => result.cpuSeconds));
  const venues = new Set(results.flatMap((result) => result.venues));
  const failed = results.filter(({ failure }) => failure !== null);
  const faults = summed(results.map((result) => result.faults));
  const checked = summed(results.map((result) => result.checked));
  const total = sumOf(Object.values(faults));
  const row = (name: string, value: string | number) => `  ${name.padEnd(34)}${String(value).padStart(12)}`;
  return [
    'Summary',
    row('seeds', results.length),
    row('seeds that failed', failed.length),
    row('venues', venues.size),
    row('simulated days', (hours / 24).toFixed(2)),
    row('CPU seconds per simulated hour', hours === 0 ? '-' : (cpuSeconds / hours).toFixed(2)),
    'Checked',
    ...Object.entries(checked).map(([name, count]) => row(name, count)),
    `Faults met: ${total}`,
    ...Object.entries(faults)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, count]) => row(name, count)),
    ...failed.map(
      ({ seed, failure }) => `FAILED seed ${seed}, step ${failure?.step}: ${failure?.violations[0]}`,
    ),
  ].join('\n');
}

export function hoursBetween(fromMs: number, toMs: number): number {
  return (toMs - fromMs) / HOUR_MS;
}
