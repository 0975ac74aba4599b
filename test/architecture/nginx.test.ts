import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { MOST_ADDRESS_BYTES } from '../../src/operations/access/refusals.ts';
import { arbitrage } from '../../src/operations/arbitrage/arbitrage.ts';
import { SIZE_FILTERS } from '../../src/operations/size.ts';
import { startRest } from '../rest/rest-service.ts';
import { freePort } from '../support/free-port.ts';
import { type RawReply, rawRequest } from '../support/raw-http.ts';
import { onPath } from '../support/servers.ts';
import { until } from '../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpwire-nginx-'));
const running: { children: ChildProcess[]; servers: Server[] } = { children: [], servers: [] };
after(async () => {
  for (const child of running.children) {
    if (child.exitCode !== null) continue;
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
    .replace(
      'events {',
      `pid ${folder}/pid-${tlsPort};\nerror_log ${folder}/error.log;\ndaemon off;\nevents {`,
    )
    .replace(
      'http {',
      `http {\n${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}`,
    );
  const file = join(folder, `nginx-${tlsPort}.conf`);
  writeFileSync(file, text);
  return file;
}

function makeCertificate(): void {
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', [...args, '-days', '2', '-subj', '/CN=127.0.0.1', ...files], { stdio: 'pipe' });
}

/** Starts nginx with the shipped file and gives the address of its TLS port. */
async function startNginx(plainPort: number, upstreamPorts: readonly number[]): Promise<string> {
  const port = await freePort();
  const file = configuration(plainPort, port, upstreamPorts);
  mkdirSync(join(folder, 'logs'), { recursive: true });
  const checked = spawnSync(program, ['-t', '-p', folder, '-c', file], { encoding: 'utf8' });
  assert.equal(checked.status, 0, checked.stderr);
  running.children.push(spawn(program, ['-p', folder, '-c', file], { stdio: 'ignore' }));
  return `https://127.0.0.1:${port}`;
}

async function listening(server: Server): Promise<number> {
  running.servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

suite('deploy/nginx.conf', { skip }, () => {
  before(makeCertificate);

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
    const plainPort = await freePort();
    const address = await startNginx(plainPort, ports);
    const request = async (path = '/api/v1/funding?limit=1', method = 'GET') => {
      const reply = await rawRequest(`${address}${path}`, {
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
    assert.equal(headers.at(-1)?.host, new URL(address).host, 'as the caller sent it');

    for (const host of ['perpwire.example', 'evil.example', `127.0.0.1:${plainPort}`]) {
      const plain = await rawRequest(`http://127.0.0.1:${plainPort}/api/v1/funding?limit=1`, {
        headers: { host },
      });
      assert.equal(plain.status, 301, 'plain HTTP is redirected');
      assert.equal(
        plain.headers.get('location'),
        'https://perpwire.example/api/v1/funding?limit=1',
        `to the configured host, not to ${host}`,
      );
    }

    const [first] = upstreams;
    first?.close();
    first?.closeAllConnections();
    for (let i = 0; i < 20; i++) assert.equal(await request(), 200, 'the other process answers');
    for (let i = 0; i < 5; i++)
      assert.equal(await request('/mcp', 'POST'), 200, 'a POST that was never sent is retried');
  });

  test('the longest headers that a caller can cause pass, and no process is taken out of service', async (t) => {
    const market = await startRest({ venues: ['binance', 'okx'], coins: 12 });
    t.after(() => market.stop());
    await until(async () => (await market.get('/api/v1/arbitrage')).status === 200, 'the pairs');
    const { port: servicePort } = new URL(market.service.baseUrl);
    const address = await startNginx(await freePort(), [Number(servicePort), Number(servicePort)]);
    const send = (path: string, options: Parameters<typeof rawRequest>[1] = {}) =>
      rawRequest(`${address}${path}`, { rejectUnauthorized: false, ...options });
    await until(
      () =>
        send('/more')
          .catch(() => ({ status: 0 }))
          .then(({ status }) => status === 200),
      'nginx answering',
    );
    const authorization = `Bearer ${market.keys.business}`;
    /** The path with as much of a text as the longest allowed address has room for. */
    const filled = (path: string, text = 'z') =>
      `${path}${text.repeat(MOST_ADDRESS_BYTES)}`.slice(0, MOST_ADDRESS_BYTES);
    const coins = Array.from({ length: 20 }, (_, i) => `${'!'.repeat(38)}${String(i).padStart(2, '0')}`);
    /** They keep every row, so that there is a next page. Costs at a size are not known yet. */
    const bounds = Object.keys(arbitrage.parameters)
      .filter((name) => /^(?:min|max)_/.test(name) && !Object.hasOwn(SIZE_FILTERS, name))
      .map((name) => `${name}=${(name.startsWith('min_') ? '-' : '').padEnd(40, '9')}`);
    const fees = `fees=Binance:0.02${'+'.repeat(1_900)}`;
    const headersOf = ({ headers }: RawReply) =>
      [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
    let longest = 0;
    for (const [what, status, path, options] of [
      ['a page', 200, filled('/more?z=')],
      ['a list', 200, filled('/funding?z=')],
      ['a list that is redirected', 302, filled('/funding?min_volume_usdt=2,000,000&coin=')],
      ['a sign-in that is needed', 303, filled('/account/alerts/new?operation=funding&z=')],
      ['a sign-in with filters', 303, filled('/account/alerts/new?operation=funding&coin=')],
      ['an alert to edit', 303, filled('/account/alerts/edit?rule=', '!')],
      ['an address to return to', 200, filled('/sign-in?return_to=/', '!')],
      ['an unknown page', 404, filled('/')],
      ['a made-up parameter of the API', 200, filled('/api/v1/funding?format=csv&limit=1&z=')],
      ['tickers of the API', 200, `/api/v1/arbitrage?format=csv&limit=1&coin=${coins.join()}`],
      [
        'the longest filters that are valid, twice in Link',
        200,
        `/api/v1/arbitrage?format=csv&limit=1&${fees}&${bounds.join('&')}`,
      ],
      ['a broken filter of the API', 400, filled('/api/v1/funding?coin=')],
      ['an assistant', 400, filled('/oauth/authorize?client_id=nobody&state=')],
      [
        'a preflight with a long list',
        400,
        '/oauth/token',
        {
          method: 'OPTIONS',
          headers: {
            origin: 'https://a.example',
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'z'.repeat(28_000),
          },
        },
      ],
      ['a long origin', 400, '/oauth/jwks', { headers: { origin: `https://${'z'.repeat(28_000)}` } }],
      [
        'a star',
        303,
        '/stars',
        {
          method: 'POST',
          headers: {
            'sec-fetch-site': 'same-origin',
            'content-type': 'application/x-www-form-urlencoded',
            cookie: `pw_stars=${encodeURIComponent(Array.from({ length: 19 }, (_, i) => `${'\u20ac'.repeat(23)}${i % 10}`).join())}`,
          },
          body: `add=BTC&back=/${'z'.repeat(1_000)}`,
        },
      ],
      [
        'fees that are refused',
        303,
        '/fees',
        {
          method: 'POST',
          headers: {
            'sec-fetch-site': 'same-origin',
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: `fee_${'!'.repeat(8_000)}=1`,
        },
      ],
      ['an address that is too long', 414, `${filled('/funding?z=')}z`],
    ] as [string, number, string, Parameters<typeof rawRequest>[1]?][]) {
      const reply = await send(path, { ...options, headers: { authorization, ...options?.headers } });
      assert.equal(reply.status, status, `${what}: ${reply.text.slice(0, 200)}`);
      longest = Math.max(longest, headersOf(reply));
      // With one failure in two seconds a process would not be asked.
      assert.equal((await send('/more')).status, 200, `after ${what}`);
    }
    // Node's own client reads no more than 16 kB.
    assert.ok(longest > 8_000 && longest < 16_000, `the longest headers have ${longest} bytes`);
    const log = readFileSync(join(folder, 'error.log'), 'utf8');
    assert.doesNotMatch(log, /too big header|invalid header|upstream server temporarily disabled/);
  });
});
