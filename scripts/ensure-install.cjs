// Runs on whatever Node the machine has (any version), before every npm script, so it stays plain old JavaScript.
// It installs the locked packages, Node 26 among them, when they are missing or older than the lock file.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const childProcess = require('node:child_process');

const root = path.join(__dirname, '..');
const marker = path.join(root, 'node_modules', '.perpwire-installed');
const lock = fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8');
const wanted = require('node:crypto').createHash('sha256').update(lock).digest('hex');
const nodeBinary = path.join(
  root,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

function installed() {
  try {
    return fs.readFileSync(marker, 'utf8') === wanted && fs.existsSync(nodeBinary);
  } catch (_error) {
    return false;
  }
}

if (!installed()) {
  console.error('perpwire: installing the locked packages (once) ...');
  const npm = process.env.npm_execpath;
  const command = npm ? process.execPath : process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // "install --no-save" keeps to the lock file like "ci", but does not refuse a lock that lacks the optional
  // packages of other platforms, which not every registry mirror has.
  const args = (npm ? [npm] : []).concat([
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  const result = childProcess.spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.status !== 0 || !fs.existsSync(nodeBinary)) {
    console.error(
      'perpwire: "npm install" failed. It needs the npm registry, and npm must be allowed to run the',
    );
    console.error('install script of the package "node" (npm config "ignore-scripts" must be false).');
    process.exit(1);
  }
  fs.writeFileSync(marker, wanted);
}
