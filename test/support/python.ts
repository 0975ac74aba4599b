import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findOrInstall, onPath } from './servers.ts';

/** The modules that the tests of the Python client import, and Debian's packages of them. */
const MODULES = ['httpx', 'pandas', 'pytest', 'mypy', 'pip', 'setuptools', 'wheel'];
const PACKAGES =
  'python3 python3-httpx python3-pandas python3-pytest mypy python3-pip python3-setuptools python3-wheel';

/** A Python with everything that the client's tests need, or the reason why there is none. */
export function findPython(): ReturnType<typeof findOrInstall> {
  return findOrInstall(
    'Python 3.11 with httpx, pandas, pytest and mypy',
    PACKAGES,
    () => pythonWith(MODULES),
    {
      isLean: true,
    },
  );
}

/** The first Python that has the modules. The one on PATH may not be Debian's, which has Debian's packages. */
export function pythonWith(modules: readonly string[]): string | null {
  const candidates = [onPath('python3'), '/usr/bin/python3'].filter((file) => file !== null);
  return candidates.find((file) => existsSync(file) && hasModules(file, modules)) ?? null;
}

function hasModules(python: string, modules: readonly string[]): boolean {
  const found = modules.map((name) => `find_spec('${name}')`).join(' and ');
  const check = `import sys; from importlib.util import find_spec; sys.exit(0 if sys.version_info >= (3, 11) and ${found} else 1)`;
  try {
    execFileSync(python, ['-c', check], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
