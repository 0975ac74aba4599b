import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { noteServerUse } from './server-use.ts';
import { until } from './until.ts';

export interface RedisServer {
  url: string;
  port: number;
  /** For stopping and going on with a signal, as a machine that hangs would. */
  child: ChildProcess;
  stop(): Promise<void>;
}

export interface PostgresServer {
  /** The server's own database; a test makes one of its own with `createDatabase`. */
  url: string;
  createDatabase(): Promise<string>;
  /** Ends it at once and keeps its data. */
  halt(): Promise<void>;
  /** Starts it again, on the same port. */
  resume(): Promise<void>;
  /** A second server that follows this one. */
  follow(): Promise<PostgresServer>;
  stop(): Promise<void>;
}

/** A server, or the sentence that says why there is none: the skip text of the tests that need it. */
export type OrReason<Server> = Server | string;

const PASSWORD = 'perpwire-test-pässword';

let postgres: Promise<OrReason<PostgresServer>> | null = null;
let redis: Promise<OrReason<RedisServer>> | null = null;

/** Of a server that whoever runs the tests has started for all of them; it is neither stopped nor halted. */
const SHARED_POSTGRES = process.env.PERPWIRE_TEST_POSTGRES_URL;
const SHARED_REDIS = process.env.PERPWIRE_TEST_REDIS_URL;

/** A real PostgreSQL on a free port, started once per test process. */
export function startPostgres(): Promise<OrReason<PostgresServer>> {
  postgres ??=
    SHARED_POSTGRES === undefined ? launchPostgres() : Promise.resolve(sharedPostgres(SHARED_POSTGRES));
  return postgres;
}

function sharedPostgres(url: string): PostgresServer {
  const refuse = () => Promise.reject(new Error('this server is shared: launch one for the test'));
  return {
    url,
    createDatabase: () => createDatabase(url, `shared_${randomUUID().replaceAll('-', '')}`),
    halt: refuse,
    resume: refuse,
    follow: refuse,
    stop: () => Promise.resolve(),
  };
}

let databases = 0;

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  noteServerUse();
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
}

/** A real Redis on a free port, started once per test process. */
export function startRedis(): Promise<OrReason<RedisServer>> {
  noteServerUse();
  redis ??= SHARED_REDIS === undefined ? launchRedis() : Promise.resolve(sharedRedis(SHARED_REDIS));
  return redis;
}

function sharedRedis(url: string): RedisServer {
  return {
    url,
    port: Number(new URL(url).port),
    get child(): ChildProcess {
      throw new Error('this server is shared: launch one for the test');
    },
    stop: () => Promise.resolve(),
  };
}

/** One that a test may halt. */
export async function launchPostgres(): Promise<OrReason<PostgresServer>> {
  const program = await findOrInstall('PostgreSQL', 'postgresql', findPostgres);
  if (program.path === null) return program.reason;
  const owner = isRoot() ? unprivileged('postgres') : {};
  const folder = makeFolder('perpwire-pg-', owner);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, `${PASSWORD}\n`);
  execFileSync(
    join(program.path, 'initdb'),
    [
      '-D',
      join(folder, 'data'),
      '-U',
      'perpwire',
      '--pwfile',
      passwordFile,
      '-A',
      'scram-sha-256',
      '-E',
      'UTF8',
      '--no-sync',
    ],
    { ...owner, cwd: folder, stdio: 'pipe' },
  );
  return await runPostgres(program.path, folder, owner);
}

/** A server on the data that lies in the folder. */
async function runPostgres(programs: string, folder: string, owner: Owner): Promise<PostgresServer> {
  const port = await freePort();
  const options = ['fsync=off', 'full_page_writes=off', 'listen_addresses=127.0.0.1', 'max_connections=300'];
  const args = ['-D', join(folder, 'data'), '-p', String(port), '-k', folder];
  const url = `postgres://perpwire:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres`;
  const start = async () => {
    const all = [...args, ...options.flatMap((option) => ['-c', option])];
    const server = launch(join(programs, 'postgres'), all, owner, folder);
    await untilReady('PostgreSQL', server, async () => {
      const client = new pg.Client({ connectionString: url });
      try {
        await client.connect();
      } finally {
        await client.end();
      }
    });
    return server;
  };
  let child = await start();
  return {
    url,
    createDatabase: () => createDatabase(url, `test_${++databases}`),
    halt: () => ended(child, 'SIGINT'),
    resume: async () => {
      child = await start();
    },
    follow: async () => {
      const copy = makeFolder('perpwire-pg-replica-', owner);
      execFileSync(
        join(programs, 'pg_basebackup'),
        ['-D', join(copy, 'data'), '-d', url, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
        { ...owner, cwd: copy, stdio: 'pipe' },
      );
      return await runPostgres(programs, copy, owner);
    },
    // SIGINT is PostgreSQL's fast shutdown: it does not wait for clients.
    stop: () => stop(child, 'SIGINT', folder),
  };
}

/** One that a test may stop and start again, empty, on the same port. */
export async function launchRedis(port?: number): Promise<OrReason<RedisServer>> {
  const program = await findOrInstall('Redis', 'redis-server', () => onPath('redis-server'));
  if (program.path === null) return program.reason;
  const folder = makeFolder('perpwire-redis-', {});
  const usedPort = port ?? (await freePort());
  const args = ['--port', String(usedPort), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const child = launch(program.path, args, {}, folder);
  await untilReady('Redis', child, () => pingRedis(usedPort));
  const url = `redis://127.0.0.1:${usedPort}`;
  return { url, port: usedPort, child, stop: () => stop(child, 'SIGTERM', folder) };
}

interface RedisCluster {
  /** Names two of the three nodes, which tell where the third is. */
  url: string;
  nodes: readonly { port: number; child: ChildProcess }[];
  /** Sends a command, in words without spaces, to one node; returns its reply as it is written to the connection. */
  ask(port: number, command: string): Promise<string>;
  stop(): Promise<void>;
}

const CLUSTER_SLOTS = [
  [0, 5460],
  [5461, 10922],
  [10923, 16383],
] as const;

/** A real Redis Cluster of three nodes without replicas. */
export async function launchRedisCluster(): Promise<OrReason<RedisCluster>> {
  const program = await findOrInstall('Redis', 'redis-server', () => onPath('redis-server'));
  if (program.path === null) return program.reason;
  const { path } = program;
  const nodes = await Promise.all(
    CLUSTER_SLOTS.map(async () => {
      const folder = makeFolder('perpwire-redis-cluster-', {});
      const [port, busPort] = [await freePort(), await freePort()];
      const cluster = [
        '--cluster-enabled',
        'yes',
        '--cluster-port',
        String(busPort),
        '--cluster-node-timeout',
        '2000',
      ];
      const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...cluster];
      const child = launch(path, args, {}, folder);
      await untilReady('Redis', child, () => pingRedis(port));
      return { port, busPort, child, folder };
    }),
  );
  for (const [place, { port }] of nodes.entries()) {
    const [from, to] = CLUSTER_SLOTS[place] ?? [];
    await askRedis(port, `CLUSTER ADDSLOTSRANGE ${from} ${to}`);
    for (const other of nodes) await askRedis(port, `CLUSTER MEET 127.0.0.1 ${other.port} ${other.busPort}`);
  }
  await until(async () => {
    const infos = await Promise.all(nodes.map(({ port }) => askRedis(port, 'CLUSTER INFO')));
    return infos.every((info) => /cluster_state:ok/.test(info) && /cluster_known_nodes:3/.test(info));
  }, 'the Redis Cluster ready');
  return {
    url: `redis+cluster://${nodes
      .slice(0, 2)
      .map(({ port }) => `127.0.0.1:${port}`)
      .join(',')}`,
    nodes,
    ask: askRedis,
    stop: async () => {
      await Promise.all(nodes.map(({ child, folder }) => stop(child, 'SIGTERM', folder)));
    },
  };
}

interface Owner {
  uid?: number;
  gid?: number;
}

const isRoot = () => process.getuid?.() === 0;

function unprivileged(user: string): Owner {
  const id = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export function onPath(name: string): string | null {
  const folders = (process.env.PATH ?? '').split(':');
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

/** The folder of the PostgreSQL programs: Debian keeps them out of PATH, one folder per version. */
export function findPostgres(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...(process.env.PATH ?? '').split(':'), ...versions.map((v) => join(debian, v, 'bin'))];
  // A folder of PATH may have links to some of them only.
  const programs = ['postgres', 'initdb', 'pg_basebackup'];
  return folders.find((folder) => programs.every((name) => existsSync(join(folder, name)))) ?? null;
}

/** `aptPackages` are separated by spaces. `isLean`: without what Debian recommends beside them. */
export async function findOrInstall(
  title: string,
  aptPackages: string,
  find: () => string | null,
  { isLean = false } = {},
): Promise<{ path: string; reason: '' } | { path: null; reason: string }> {
  // A file whose tests are skipped because the program is missing would use it otherwise.
  noteServerUse();
  const found = find();
  if (found !== null) return { path: found, reason: '' };
  const advice = `${title} is not installed (on Debian: apt-get install ${aptPackages})`;
  if (!isRoot() || onPath('apt-get') === null) return { path: null, reason: advice };
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    // Test files run side by side; the second waits for the first one's dpkg lock.
    const apt = ['-q', '-o', 'DPkg::Lock::Timeout=300'];
    execFileSync('apt-get', [...apt, 'update'], { env, stdio: 'pipe' });
    const lean = isLean ? ['--no-install-recommends'] : [];
    const install = [...apt, 'install', '-y', ...lean, ...aptPackages.split(' ')];
    execFileSync('apt-get', install, { env, stdio: 'pipe' });
  } catch {
    return { path: null, reason: `${advice}, and installing it failed` };
  }
  const installed = find();
  return installed === null ? { path: null, reason: advice } : { path: installed, reason: '' };
}

export function makeFolder(prefix: string, owner: Owner = {}): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  return folder;
}

export function launch(program: string, args: string[], owner: Owner, folder: string): ChildProcess {
  // setpriv ties the server's life to this process, so that a killed test leaves none behind.
  const tied = onPath('setpriv');
  const [command, all] = tied === null ? [program, args] : [tied, ['--pdeathsig', 'KILL', program, ...args]];
  const child = spawn(command, all, { ...owner, cwd: folder, stdio: 'ignore' });
  child.once('error', () => undefined);
  const cleanUp = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', cleanUp);
  child.once('exit', () => process.off('exit', cleanUp));
  child.unref();
  return child;
}

async function untilReady(title: string, child: ChildProcess, probe: () => Promise<void>): Promise<void> {
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${title} stopped at start with code ${child.exitCode}`);
    return await probe().then(
      () => true,
      () => false,
    );
  }, `${title} ready`);
}

async function pingRedis(port: number): Promise<void> {
  if (!(await askRedis(port, 'PING')).startsWith('+PONG')) throw new Error('not ready');
}

function askRedis(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`));
    socket.once('error', reject);
    socket.once('data', (reply) => {
      socket.destroy();
      resolve(reply.toString());
    });
  });
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.ref();
  child.kill(signal);
  // A server that a test has suspended would never see the signal.
  child.kill('SIGCONT');
  await exited;
}

export async function stop(child: ChildProcess, signal: NodeJS.Signals, folder: string): Promise<void> {
  await ended(child, signal);
  rmSync(folder, { recursive: true, force: true });
}
