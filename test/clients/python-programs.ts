import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pythonWith } from '../support/python.ts';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

interface ProgramOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** The exit code that is expected; 0 unless set. */
  code?: number;
}

/** The output of a program. If it ends with another exit code, the test fails with what it printed. */
export async function output(
  program: string,
  args: readonly string[],
  { cwd, env, code = 0 }: ProgramOptions = {},
): Promise<string> {
  const whole = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env };
  const options = { ...(cwd === undefined ? {} : { cwd }), env: whole, maxBuffer: MAX_OUTPUT_BYTES };
  const ended = await run(program, args, options).then(
    ({ stdout, stderr }) => ({ stdout, stderr, code: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => error,
  );
  assert.equal(ended.code, code, `${ended.stdout}\n${ended.stderr}`);
  return ended.stdout;
}

const jupyter = pythonWith(['nbclient', 'nbformat', 'ipykernel', 'matplotlib', 'httpx', 'pandas']);

/** Why notebooks cannot be executed here; false if they can. */
export const NO_JUPYTER =
  jupyter === null &&
  'Jupyter is not installed (on Debian: apt-get install python3-nbclient python3-ipykernel python3-matplotlib)';

interface Notebook {
  cells: { outputs?: unknown }[];
}

/** Executes notebooks of examples/ in a folder; what each printed and showed, as JSON without escapes. */
export async function notebookOutputs(
  cwd: string,
  names: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string[]> {
  const examples = join(import.meta.dirname, '../../examples');
  const files = names.map((name) => join(examples, name));
  await output(jupyter ?? '', [join(import.meta.dirname, 'run-notebooks.py'), ...files], { cwd, env });
  return names.map((name) => {
    const { cells } = JSON.parse(readFileSync(join(cwd, name), 'utf8')) as Notebook;
    return JSON.stringify(cells.map(({ outputs }) => outputs));
  });
}
