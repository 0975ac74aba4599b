import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { freePort } from '../support/free-port.ts';
import { rawRequest } from '../support/raw-http.ts';
import { onPath } from '../support/servers.ts';
import { until } from '../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpwire-nginx-'));
const running: { child?: ChildProcess; servers: Server[] } = { servers: [] };
after(async () => {
  const { child } = running;
  if (child && child.exitCode === null) {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await exited;
  }
  for (const server of running.servers) {
    server.close();
    server.closeAllConnections();
  }
  rmSync(folder, { recursive: true, force: true });
});

/** From PATH, or unpacked from Debian's package: installing the package would start a server. */
function findNginx(): { path: string } | { reason: string } {
  const installed = onPath('nginx');
  if (installed !== null) return { path: installed };
  const reason = 'nginx is not installed (on Debian: apt-get install nginx)';
  if (onPath('apt-get') === null || onPath('dpkg') === null) return { reason };
  try {
    execFileSync('apt-get', ['-q', 'download', 'nginx'], { cwd: folder, stdio: 'pipe' });
    execFileSync('sh', ['-c', 'dpkg -x nginx_*.deb unpacked'], { cwd: folder, stdio: 'pipe' });
  } catch {
    return { reason };
  }
  const path = join(folder, 'unpacked/usr/sbin/nginx');
  return spawnSync(path, ['-v']).status === 0 ? { path } : { reason };
}

const nginx = findNginx();
const skip = 'reason' in nginx ? nginx.reason : false;
const program = 'path' in nginx ? nginx.path : '';

/** deploy/nginx.conf with addresses of this machine instead of those of the containers. */
function configuration(plainPort: number, tlsPort: number, upstreamPorts: readonly number[]): string {
  let next = 0;
  const text = readFileSync(join(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8')
    .replaceAll(/server api-\d:8080/g, () => `server 127.0.0.1:${upstreamPorts[next++]}`)
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${tlsPort} ssl`)
    .replaceAll('/etc/nginx/tls/', `${folder}/`)
    .replace('events {', `pid ${folder}/pid;\nerror_log ${folder}/error.log;\ndaemon off;\nevents {`)
    .replace(
      'http {',
      `http {\n${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}`,
    );
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, text);
  return file;
}

function makeCertificate(): void {
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', [...args, '-days', '2', '-subj', '/CN=127.0.0.1', ...files], { stdio: 'pipe' });
}

async function listening(server: Server): Promise<number> {
  running.servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

suite('deploy/nginx.conf', { skip }, () => {
  test('nginx accepts it, balances requests, forwards client addresses, and retries when a process is down', async () => {
    const seen = [0, 0];
    const headers: IncomingHttpHeaders[] = [];
    const upstreams = [0, 1].map((i) =>
      createServer((received, response) => {
        seen[i] = (seen[i] ?? 0) + 1;
        headers.push(received.headers);
        response
          .writeHead(200, { 'content-encoding': 'br', etag: '"x"' })
          .end(`${received.method} ${received.url}`);
      }),
    );
    const ports: number[] = [];
    for (const upstream of upstreams) ports.push(await listening(upstream));
    const [plainPort, port] = [await freePort(), await freePort()];
    makeCertificate();
    const file = configuration(plainPort, port, ports);
    mkdirSync(join(folder, 'logs'), { recursive: true });
    const checked = spawnSync(program, ['-t', '-p', folder, '-c', file], { encoding: 'utf8' });
    assert.equal(checked.status, 0, checked.stderr);

    const child = spawn(program, ['-p', folder, '-c', file], { stdio: 'ignore' });
    running.child = child;
    const request = async (path = '/api/v1/funding?limit=1', method = 'GET') => {
      const reply = await rawRequest(`https://127.0.0.1:${port}${path}`, {
        method,
        rejectUnauthorized: false,
        headers: { 'accept-encoding': 'identity', 'x-forwarded-for': '203.0.113.9' },
      });
      if (reply.status === 200)
        assert.equal(reply.headers.get('strict-transport-security'), 'max-age=31536000');
      return reply.status;
    };
    await until(
      () =>
        request()
          .catch(() => 0)
          .then((status) => status === 200),
      'nginx answering',
    );
    for (let i = 0; i < 20; i++) assert.equal(await request(), 200);
    assert.ok(seen[0] && seen[1], `both get requests: ${seen}`);
    assert.equal(headers.at(-1)?.['x-forwarded-for'], '203.0.113.9, 127.0.0.1');
    assert.equal(headers.at(-1)?.host, `127.0.0.1:${port}`, 'as the caller sent it');

    const plain = await fetch(`http://127.0.0.1:${plainPort}/api/v1/funding?limit=1`, { redirect: 'manual' });
    assert.equal(plain.status, 301, 'plain HTTP is redirected');
    assert.equal(plain.headers.get('location'), 'https://127.0.0.1/api/v1/funding?limit=1');

    const [first] = upstreams;
    first?.close();
    first?.closeAllConnections();
    for (let i = 0; i < 20; i++) assert.equal(await request(), 200, 'the other process answers');
    for (let i = 0; i < 5; i++)
      assert.equal(await request('/mcp', 'POST'), 200, 'a POST that was never sent is retried');
  });
});
