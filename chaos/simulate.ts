import type { Plan, PlannedStep } from './plan.ts';
import { type Failure, hoursBetween, type RunResult } from './report.ts';
import { clusterOf } from './world/cluster.ts';
import { singleProcess } from './world/deployment.ts';
import { World } from './world/world.ts';

interface Progress {
  /** Called after every step. */
  onStep?: (world: World, step: PlannedStep) => void;
}

/** Not every pair of venues lists a contract in every run, and not every run has a crossing. */
const MAY_BE_NONE = ['calendar rows', 'alerts'];

/** Runs a plan to its end, or to the first step that violates an invariant. */
export async function simulate(plan: Plan, { onStep }: Progress = {}): Promise<RunResult> {
  const cpuBefore = process.cpuUsage();
  const world = await World.start(plan, plan.hasRoles ? clusterOf : singleProcess);
  let failure: Failure | null = null;
  let steps = 0;
  try {
    for (const step of plan.steps) {
      const violations = await world.step(step);
      steps++;
      onStep?.(world, step);
      if (step === plan.steps.at(-1)) violations.push(...nothingCompared(world.counts));
      if (violations.length === 0) continue;
      failure = { step: step.number, atMs: world.nowMs, violations, log: world.log };
      break;
    }
  } finally {
    await world.stop();
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    seed: plan.seed,
    venues: plan.venues,
    simulatedHours: hoursBetween(plan.startMs, world.nowMs),
    steps,
    cpuSeconds: (user + system) / 1e6 + world.cpuMs / 1000,
    faults: Object.fromEntries(world.met),
    checked: world.counts,
    failure,
  };
}

/** A run in which every request was refused would pass every check. */
function nothingCompared(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts)
    .filter(([name]) => !MAY_BE_NONE.includes(name))
    .flatMap(([name, count]) => (count === 0 ? [`no ${name} were compared`] : []));
}
