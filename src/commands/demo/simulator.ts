import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fieldsOf, jsonOf } from '../../base/parsing.ts';
import { callSimulator } from '../../wiring/simulator-call.ts';

const MAIN = join(import.meta.dirname, '../../../sim/main.ts');
/** Replies of the simulator are garbage at once. A larger young generation keeps up to 250 MB of it and saves little CPU time. */
const V8_FLAGS = ['--max-semi-space-size=2', '--heap-growing-percent=50'];

interface SimulatorFlags {
  coins: string;
  seed: string;
  venues: string;
  /** It computes the prints of these last days before they are requested. */
  printsDays?: number;
}

/** A simulator in a process of its own. */
export interface Simulator {
  url: string;
  /** Rejects when the process ends, also because it was stopped. */
  ended: Promise<never>;
  stop(): void;
}

/** Nothing works without the simulator. Only the message is printed. */
export class SimulatorError extends Error {}

/** Rejects if the process ends before it has announced its address. */
export async function startSimulator({
  coins,
  seed,
  venues,
  printsDays,
}: SimulatorFlags): Promise<Simulator> {
  const args = [...V8_FLAGS, MAIN, '--coins', coins, '--seed', seed, '--venues', venues];
  if (printsDays !== undefined) args.push('--prints-days', String(printsDays));
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code, signal) =>
      reject(
        new SimulatorError(`the simulator ended (${signal ?? `exit code ${code}`}), and the demo with it`),
      ),
    );
  });
  ended.catch(() => undefined);
  const announcing = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).once('line', (line) => {
      const announced = simUrlOf(line);
      if (announced === null) child.kill('SIGTERM');
      else resolve(announced);
    });
  });
  return { url: await Promise.race([announcing, ended]), ended, stop: () => child.kill('SIGTERM') };
}

/** The address in the first line of the simulator's output; null if the line is something else. */
function simUrlOf(line: string): string | null {
  const { sim_url: url } = fieldsOf(jsonOf(line));
  return typeof url === 'string' ? url : null;
}

/** Holds the simulator's clock at a time; null lets it run. */
export async function holdSimulator(simUrl: string, atMs: number | null): Promise<void> {
  const body = JSON.stringify(atMs === null ? {} : { atMs });
  const reply = await callSimulator(`${simUrl}/control/time`, { body });
  reply.resume();
}
