import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonWith } from '../support/python.ts';

/** How the languages of the documents are run, given the file with the example. */
const RUN: Readonly<Record<string, (file: string) => [command: string, ...args: string[]]>> = {
  sh: (file) => ['bash', file],
  ts: (file) => [process.execPath, file],
  python: (file) => [pythonWith(['requests']) ?? 'python3', '-u', file],
  java: (file) => ['java', '-Dfile.encoding=UTF-8', file],
};
const FILE_NAMES: Readonly<Record<string, string>> = {
  sh: 'example.sh',
  ts: 'example.mts',
  python: 'example.py',
  java: 'Hook.java',
};

/** The example of a language below a heading of a Markdown document. Exactly one is expected. */
export function codeBlock(markdown: string, heading: string, language: string): string {
  const section = markdown.split(/^(?=##+ )/m).find((part) => part.split('\n')[0] === heading);
  if (section === undefined) throw new Error(`the document has no heading "${heading}"`);
  const blocks = [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(
    ([, name]) => name === language,
  );
  const [only, ...more] = blocks;
  if (!only?.[2] || more.length > 0)
    throw new Error(`"${heading}" has ${blocks.length} blocks of ${language}`);
  return only[2];
}

/** Why an example in this language cannot be run here; null if it can. */
export function missingLanguage(language: string): string | null {
  if (language === 'ts') return null;
  if (language === 'python')
    return pythonWith(['requests']) ? null : 'there is no Python with requests (Debian: python3-requests)';
  const command = language === 'sh' ? 'curl' : language;
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return null;
  } catch {
    return `cannot run ${command}`;
  }
}

export interface RunningExample {
  /** Standard output and standard error so far. */
  output(): string;
  ended: Promise<number | null>;
  stop(): Promise<void>;
}

/** Runs an example exactly as it is shown, in a process and a folder of its own. `input` is its standard input. */
export function runExample(
  code: string,
  language: string,
  environment: Record<string, string> = {},
  input = '',
): RunningExample {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-example-'));
  const [name, run] = [FILE_NAMES[language], RUN[language]];
  if (name === undefined || run === undefined) throw new Error(`no way to run ${language}`);
  const file = join(folder, name);
  writeFileSync(file, code);
  const [command, ...args] = run(file);
  // Detached: a shell's own children are then in a process group that can be stopped with it.
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
    stdio: 'pipe',
    detached: true,
  });
  let output = '';
  const add = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve)).finally(() =>
    rmSync(folder, { recursive: true, force: true }),
  );
  return {
    output: () => output,
    ended,
    stop: async () => {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await ended;
    },
  };
}
