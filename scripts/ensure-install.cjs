// Runs on whatever Node the machine has (any version), before every npm script, so it stays plain old JavaScript.
// It installs the locked packages, Node 26 among them, when they are missing or older than the lock file. Scripts that
// run the service need only its own packages, a quarter of all by size; what tests and tools need is installed when
// one of them runs.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const childProcess = require('node:child_process');

const root = path.join(__dirname, '..');
const modules = path.join(root, 'node_modules');
const marker = path.join(modules, '.perpwire-installed');
const lock = fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8');
const lockHash = require('node:crypto').createHash('sha256').update(lock).digest('hex');
const nodePackage = path.join(modules, 'node');
const nodeBinary = path.join(nodePackage, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const RUNTIME_SCRIPTS = ['predemo', 'prestart', 'preperpwire'];

/** What the marker says is installed. A marker without a word is of an older version, which installed everything. */
function installed() {
  try {
    const words = fs.readFileSync(marker, 'utf8').split(' ');
    if (!fs.existsSync(nodeBinary)) return { isCurrent: false, isFull: false };
    return { isCurrent: words[0] === lockHash, isFull: words[1] !== 'runtime' };
  } catch (_error) {
    return { isCurrent: false, isFull: false };
  }
}

/** The headers of Node are a third of its package and serve only to compile add-ons, of which there are none. */
function removeHeaders() {
  const platforms = path.join(nodePackage, 'node_modules');
  for (const name of fs.existsSync(platforms) ? fs.readdirSync(platforms) : [])
    if (/^node-(?!bin-setup)/.test(name))
      fs.rmSync(path.join(platforms, name, 'include'), { recursive: true, force: true });
}

const before = installed();
const isFullNeeded = !RUNTIME_SCRIPTS.includes(process.env.npm_lifecycle_event || '');
if (!before.isCurrent || (isFullNeeded && !before.isFull)) {
  // With everything installed before, it stays so: omitting would delete the packages for tests.
  const isFull = isFullNeeded || before.isFull;
  console.error(`perpwire: installing the locked packages${isFull ? '' : ' of the service'} (once) ...`);
  const npm = process.env.npm_execpath;
  const command = npm ? process.execPath : process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // "install --no-save" keeps to the lock file like "ci", but does not refuse a lock that lacks the optional
  // packages of other platforms, which not every registry mirror has.
  const args = (npm ? [npm] : []).concat(
    ['install', '--no-save', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'],
    isFull ? [] : ['--omit=dev'],
  );
  const result = childProcess.spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.status !== 0 || !fs.existsSync(nodeBinary)) {
    console.error(
      'perpwire: "npm install" failed. It needs the npm registry, and npm must be allowed to run the',
    );
    console.error('install script of the package "node" (npm config "ignore-scripts" must be false).');
    process.exit(1);
  }
  removeHeaders();
  fs.writeFileSync(marker, `${lockHash} ${isFull ? 'full' : 'runtime'}`);
}
