// Runs on whatever Node the machine has (any version), before every npm script, so it stays plain old JavaScript.
// It installs the locked packages, Node 26 among them, when they are missing or not those of the lock file. Scripts that
// run the service need only its own packages, a quarter of all by size; what tests and tools need is installed when
// one of them runs. --omit=dev installs the packages of the service only, for the container.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const childProcess = require('node:child_process');
const crypto = require('node:crypto');

const root = path.join(__dirname, '..');
const modules = path.join(root, 'node_modules');
const marker = path.join(modules, '.perpwire-installed');
const lock = fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8');
const lockHash = crypto.createHash('sha256').update(lock).digest('hex');
const nodePackage = path.join(modules, 'node');
const nodeBinary = path.join(nodePackage, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const RUNTIME_SCRIPTS = ['predemo', 'prestart', 'preperpwire'];

/** What the marker says is installed and was checked. */
function installed() {
  try {
    const words = fs.readFileSync(marker, 'utf8').split(' ');
    if (!fs.existsSync(nodeBinary)) return { isCurrent: false, isFull: false };
    return { isCurrent: words[0] === lockHash, isFull: words[1] !== 'runtime' };
  } catch (_error) {
    return { isCurrent: false, isFull: false };
  }
}

/** Whether somebody ran "npm ci", which leaves no marker: npm writes what it has installed into a lock of its own. */
function isFreshlyInstalled() {
  if (fs.existsSync(marker) || !fs.existsSync(nodeBinary)) return false;
  try {
    const found = JSON.parse(fs.readFileSync(path.join(modules, '.package-lock.json'), 'utf8')).packages;
    const locked = Object.entries(JSON.parse(lock).packages);
    return locked.every(
      ([name, { optional, integrity }]) => name === '' || optional || found[name]?.integrity === integrity,
    );
  } catch (_error) {
    return false;
  }
}

/** The lock has no hash of this program: the install script of the package "node" downloads it. */
function checkNodeBinary() {
  const { version, sha256 } = JSON.parse(fs.readFileSync(path.join(__dirname, 'node-binaries.json'), 'utf8'));
  const platform = `${process.platform}-${process.arch}`;
  const expected = sha256[platform] || `none: scripts/node-binaries.json does not list ${platform}`;
  const actual = crypto.createHash('sha256').update(fs.readFileSync(nodeBinary)).digest('hex');
  if (actual === expected) return;
  console.error(`perpwire: ${nodeBinary} is not Node ${version} for ${platform}, and was removed.`);
  console.error(`SHA-256 expected: ${expected}`);
  console.error(`SHA-256 found:    ${actual}`);
  console.error(
    'Delete node_modules and try again. If it differs again, the registry sends another program.',
  );
  fs.rmSync(nodeBinary, { force: true });
  process.exit(1);
}

/** The headers of Node are a third of its package and serve only to compile add-ons, of which there are none. */
function removeHeaders() {
  const platforms = path.join(nodePackage, 'node_modules');
  for (const name of fs.existsSync(platforms) ? fs.readdirSync(platforms) : [])
    if (/^node-(?!bin-setup)/.test(name))
      fs.rmSync(path.join(platforms, name, 'include'), { recursive: true, force: true });
}

/** "npm ci" deletes node_modules first and installs exactly what the lock file has. */
function install(isFull) {
  console.error(`perpwire: installing the locked packages${isFull ? '' : ' of the service'} (once) ...`);
  const npm = process.env.npm_execpath;
  // The Node of npm: this process may run on the one in node_modules.
  const npmNode = process.env.npm_node_execpath || process.execPath;
  const command = npm ? npmNode : process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = (npm ? [npm] : []).concat(
    ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'],
    isFull ? [] : ['--omit=dev'],
  );
  const result = childProcess.spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.status === 0 && fs.existsSync(nodeBinary)) return;
  console.error('perpwire: "npm ci" failed. It needs the npm registry, and npm must be allowed to run the');
  console.error('install script of the package "node" (npm config "ignore-scripts" must be false).');
  process.exit(1);
}

const before = installed();
const isFullNeeded =
  !RUNTIME_SCRIPTS.includes(process.env.npm_lifecycle_event || '') && !process.argv.includes('--omit=dev');
if (!before.isCurrent || (isFullNeeded && !before.isFull)) {
  // With everything installed before, it stays so: tests would have to install it again.
  const isFresh = isFreshlyInstalled();
  const isFull = isFresh || isFullNeeded || before.isFull;
  if (!isFresh) install(isFull);
  checkNodeBinary();
  removeHeaders();
  fs.writeFileSync(marker, `${lockHash} ${isFull ? 'full' : 'runtime'}`);
}
