import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { findOrInstall, onPath } from '../support/servers.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

/** The blocks of commands in a README that install something. */
function installLines(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  return blocks.filter((block) => /npm (?:run ensure|install)|pip install/.test(block));
}

/** Debian's Python, because the packages that the README names are for it. */
const python = await findOrInstall(
  'venv, httpx and pandas for Python',
  'python3-venv python3-httpx python3-pandas python3-wheel',
  () => (hasDebianPython() ? '/usr/bin/python3' : null),
  { isLean: true },
);

function hasDebianPython(): boolean {
  try {
    execFileSync('/usr/bin/python3', ['-c', 'import ensurepip, httpx, pandas, wheel'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

suite('the install lines of the clients, in a copy of the repository', () => {
  let folder: string;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder }).toString();
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'perpwire-install-'));
    const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    for (const file of files.toString().split('\0').filter(Boolean))
      cpSync(join(ROOT, file), join(folder, file), { recursive: true });
    // The packages are installed already; `npm run ensure` then has nothing to do.
    mkdirSync(join(folder, 'node_modules'));
    for (const name of readdirSync(join(ROOT, 'node_modules')))
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    git('init', '--quiet');
    git('add', '--all');
    git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '-m', 'Copy');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const run = (lines: string) => {
    // As on a machine that has only npm: the Node of the repository is not on PATH yet.
    const ownPath = (process.env.PATH ?? '').split(':').filter((place) => !place.includes('node_modules'));
    const env = { ...process.env, PATH: ['/usr/bin', ...ownPath].join(':'), PERPWIRE_API_KEY: '' };
    return execFileSync('bash', ['-ec', `shopt -s expand_aliases\n${lines}`], {
      cwd: folder,
      env,
    }).toString();
  };
  const skip = onPath('git') === null ? 'git is not installed' : false;

  test('TypeScript: the command line starts, and nothing untracked is left', { skip }, () => {
    const [lines = ''] = installLines('clients/typescript/README.md');
    assert.match(run(`${lines}\nperpwire --version`), /^1\.\d+\.\d+$/m);
    assert.equal(git('status', '--porcelain'), '');
  });

  test('the examples find the client, and nothing untracked is left', { skip }, () => {
    const [lines = ''] = installLines('examples/README.md');
    const output = run(lines.replace(/^node .*$/m, (line) => `${line} 2>&1 || true`));
    assert.match(output, /apiKey is missing/, 'the example starts and asks for a key');
    assert.equal(git('status', '--porcelain'), '');
  });

  const noPython = python.reason || skip;
  test('Python with Debian’s packages, and nothing untracked is left', { skip: noPython }, () => {
    const lines = installLines('clients/python/README.md').find((block) => block.includes('--no-deps')) ?? '';
    assert.match(
      run(`${lines}\n.venv/bin/python -c 'import perpwire; print(perpwire.__name__)'`),
      /^perpwire$/m,
    );
    assert.equal(git('status', '--porcelain'), '');
  });
});
