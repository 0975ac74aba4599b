import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { ManualClock } from '../../src/base/clock.ts';
import { readSettings } from '../../src/settings.ts';
import { openTls } from '../../src/wiring/doors/tls.ts';
import { BROKEN_HANDSHAKES, publicOpenings, resetConnections, watchUncaught } from '../service/resets.ts';
import { rawRequest } from '../support/raw-http.ts';
import { type Running, runService, until } from '../support/service.ts';
import { START_MS } from './rest-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpwire-tls-'));
const file = (name: string) => join(folder, name);

/** A new self-signed certificate. */
function makeCertificate(name: string): { cert: string; key: string } {
  const [cert, key] = [file(`${name}.crt`), file(`${name}.key`)];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const args = ['req', '-x509', ...curve, '-nodes', '-days', '2', '-subj', `/CN=${name}`];
  execFileSync('openssl', [...args, '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert], {
    stdio: 'pipe',
  });
  return { cert, key };
}

/** Node ends a connection whose client has closed its side, so an answer that first waits for Redis comes too late. */
const WAITS_FOR_REDIS =
  process.env.PERPWIRE_TEST_BACKEND === undefined
    ? false
    : 'with Redis, answers come after the end of the connection';

suite('HTTPS', () => {
  const [first, second] = [makeCertificate('first'), makeCertificate('second')];
  const [certFile, keyFile] = [file('live.crt'), file('live.key')];
  let running: Running;
  let clock: ManualClock;
  before(async () => {
    copyFileSync(first.cert, certFile);
    copyFileSync(first.key, keyFile);
    clock = new ManualClock(START_MS);
    running = await runService({
      venues: ['binance'],
      coins: 5,
      clock,
      settings: { TLS_CERT: certFile, TLS_KEY: keyFile },
    });
  });
  after(async () => {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const certificateNow = () =>
    new Promise<PeerCertificate>((resolve, reject) => {
      const { hostname, port } = new URL(running.service.baseUrl);
      const socket: TLSSocket = connect(
        { host: hostname, port: Number(port), rejectUnauthorized: false },
        () => {
          resolve(socket.getPeerCertificate());
          socket.destroy();
        },
      );
      socket.on('error', reject);
    });
  const lookAgain = async (name: string) => {
    await until(async () => {
      clock.advanceMs(10_000);
      return (await certificateNow()).subject.CN === name;
    }, `the certificate of ${name}`);
  };

  test('is the default base address, and every link is https', async () => {
    assert.match(running.service.baseUrl, /^https:\/\/127\.0\.0\.1:\d+$/);
    const reply = await rawRequest(`${running.service.baseUrl}/api/v1/usage`, {
      rejectUnauthorized: false,
      headers: { authorization: `Bearer ${running.keys.pro}` },
    });
    assert.equal(reply.status, 200);
    assert.ok(reply.text.includes(`"upgrade_url":"${running.service.baseUrl}/plans"`));
    assert.ok(reply.headers.get('link')?.startsWith(`<${running.service.baseUrl}/`));
  });

  test('every kind of answer tells browsers to stay with HTTPS', async () => {
    for (const [path, headers] of [
      ['/api/v1/usage', { authorization: `Bearer ${running.keys.pro}` }],
      ['/api/v1/usage', {}],
      ['/', {}],
      ['/sign-in', {}],
      ['/.well-known/oauth-authorization-server', {}],
      ['/nowhere', {}],
    ] as const) {
      const reply = await rawRequest(`${running.service.baseUrl}${path}`, {
        rejectUnauthorized: false,
        headers,
      });
      assert.equal(reply.headers.get('strict-transport-security'), 'max-age=31536000', path);
    }
  });

  test('a client that closes its side right after the request gets the answer', {
    skip: WAITS_FOR_REDIS,
  }, async () => {
    const { hostname, port } = new URL(running.service.baseUrl);
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    // Node decrypts the request and the end of the connection in one go.
    socket.end(`GET /api/v1/usage HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${running.keys.pro}\r\n\r\n`);
    await until(() => socket.closed);
    assert.match(received, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(received, /"upgrade_url"/);
  });

  test('the server outlives clients that reset at any moment of the handshake, a request or an answer', async () => {
    const uncaught = watchUncaught();
    const openings = [...BROKEN_HANDSHAKES, ...publicOpenings(running.keys.business)];
    await resetConnections(running.service.baseUrl, openings, 250);
    assert.equal((await certificateNow()).subject.CN, 'first');
    assert.deepEqual(uncaught, [], 'errors that would have ended the process');
  });

  test('plain HTTP on that port gets no answer', async () => {
    await assert.rejects(rawRequest(`${running.service.baseUrl.replace('https:', 'http:')}/api/v1`));
  });

  test('changed files are reloaded, and open connections are kept', async () => {
    assert.equal((await certificateNow()).subject.CN, 'first');
    const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
    const sockets = new Set<unknown>();
    const statusNow = async () => {
      agent.once('free', (socket: unknown) => sockets.add(socket));
      return (await rawRequest(`${running.service.baseUrl}/api/v1`, { agent })).status;
    };
    assert.equal(await statusNow(), 200);
    copyFileSync(second.cert, certFile);
    copyFileSync(second.key, keyFile);
    await lookAgain('second');
    assert.equal(await statusNow(), 200);
    assert.equal(sockets.size, 1, 'the same connection');
    agent.destroy();
  });

  test('a partial change, or garbage, keeps the old certificate until both files match', async () => {
    writeFileSync(keyFile, 'rubbish');
    for (let look = 0; look < 3; look++) {
      clock.advanceMs(10_000);
      assert.equal((await certificateNow()).subject.CN, 'second');
    }
    copyFileSync(first.cert, certFile);
    clock.advanceMs(10_000);
    assert.equal((await certificateNow()).subject.CN, 'second');
    copyFileSync(first.key, keyFile);
    await lookAgain('first');
  });
});

suite('TLS settings that cannot work', () => {
  const dir = mkdtempSync(join(tmpdir(), 'perpwire-tls-bad-'));
  const bad = join(dir, 'bad.pem');
  writeFileSync(bad, 'not a certificate');
  after(() => rmSync(dir, { recursive: true, force: true }));
  const open = (settings: Record<string, string>) => () => openTls(readSettings([], settings));

  test('neither: plain HTTP', () => assert.equal(open({})(), null));
  test('only one of the two', () => {
    assert.throws(open({ TLS_CERT: bad }), /TLS_CERT and TLS_KEY go together/);
    assert.throws(open({ TLS_KEY: bad }), /TLS_CERT and TLS_KEY go together/);
  });
  test('a file that is not there', () => {
    assert.throws(open({ TLS_CERT: join(dir, 'none'), TLS_KEY: bad }), /TLS_CERT cannot be read: ENOENT/);
  });
  test('a file that is no certificate', () => {
    assert.throws(open({ TLS_CERT: bad, TLS_KEY: bad }), /TLS_CERT .* is no certificate in PEM/);
  });
  for (const value of ['nowhere', '10.0.0.0/33', '1.2.3', '10.0.0.0/8/8', '::/129', '/8']) {
    test(`TRUSTED_PROXIES=${value} is refused at start`, () => {
      assert.throws(
        () => readSettings([], { TRUSTED_PROXIES: value }),
        /TRUSTED_PROXIES takes addresses, networks/,
      );
    });
  }
});
