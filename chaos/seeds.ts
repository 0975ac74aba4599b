import { type ChildProcess, fork } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_RESULT, type RunResult, resultLine } from './report.ts';
import { COMPILED } from './world/member.ts';

interface SeedsOptions {
  first: number;
  last: number;
  hours: number;
  hasRoles: boolean;
  /** How many seeds run at a time. */
  jobs: number;
  /** Has a line of JSON for each result; null: none is written. */
  reportFile: string | null;
}

const WORKER = join(import.meta.dirname, 'worker.ts');
const MAX_OUTPUT = 4000;

interface SeedWorker {
  run(options: { seed: number; hours: number; hasRoles: boolean }): Promise<RunResult>;
  end(): void;
}

/** Runs the seeds in other processes, so that a crash is the failure of one seed. Returns the newest results. */
export async function runSeeds(
  options: SeedsOptions,
  startWorker: () => SeedWorker = () => new WorkerProcess(),
): Promise<RunResult[]> {
  const { first, last, hours, hasRoles, jobs, reportFile } = options;
  const results = new Map<number, RunResult>();
  for (const result of reported(options)) results.set(result.seed, result);
  const waiting: number[] = [];
  for (let seed = first; seed <= last; seed++) if (results.get(seed)?.failure !== null) waiting.push(seed);
  const job = async () => {
    const worker = startWorker();
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const result = await worker.run({ seed, hours, hasRoles });
      results.set(seed, result);
      const line: Line = { hours, hasRoles, ...result };
      if (reportFile !== null) appendFileSync(reportFile, `${JSON.stringify(line)}\n`);
      console.log(resultLine(result));
    }
    worker.end();
  };
  await Promise.all(Array.from({ length: jobs }, job));
  return [...results.values()].sort((a, b) => a.seed - b.seed);
}

interface Line extends RunResult {
  hours: number;
  hasRoles: boolean;
}

/** The results of an earlier run with the same options, oldest first. */
function reported({ reportFile, first, last, hours, hasRoles }: SeedsOptions): RunResult[] {
  if (reportFile === null || !existsSync(reportFile)) return [];
  return readFileSync(reportFile, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.hours === hours && line.hasRoles === hasRoles)
    .filter(({ seed }) => seed >= first && seed <= last);
}

/** A process that runs seeds one after the other. One that ends is started again for the next seed. */
class WorkerProcess implements SeedWorker {
  #child: ChildProcess | null = null;
  #output = '';

  run(options: { seed: number; hours: number; hasRoles: boolean }): Promise<RunResult> {
    this.#child ??= this.#start();
    const child = this.#child;
    this.#output = '';
    return new Promise((resolve) => {
      const done = (result: RunResult) => {
        child.removeAllListeners('message').removeAllListeners('exit');
        resolve(result);
      };
      child.on('message', (message) => done(message as RunResult));
      child.on('exit', (code, signal) => {
        this.#child = null;
        const violations = [`the run ended with ${signal ?? code}`];
        const failure = { step: 0, atMs: 0, violations, log: this.#output.split('\n') };
        done({ ...NO_RESULT, seed: options.seed, failure });
      });
      child.send(options);
    });
  }

  #start(): ChildProcess {
    const child = fork(WORKER, [], {
      execArgv: [],
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-MAX_OUTPUT);
      });
    return child;
  }

  end(): void {
    this.#child?.disconnect();
  }
}
