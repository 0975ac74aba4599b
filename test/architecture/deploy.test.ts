import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { startOptions } from '../../scripts/start-options.ts';
import { parseNetworks } from '../../src/base/http/networks.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { flagOf, readSettings, SETTINGS } from '../../src/settings.ts';
import { onPath } from '../support/servers.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const settingNames = new Set<string>(Object.values(SETTINGS).map(({ name }) => name));

/** Every series that /metrics can have, with its labels. */
function series(): Map<string, ReadonlySet<string>> {
  const all = new Map<string, ReadonlySet<string>>([['up', new Set()]]);
  for (const metric of createMetrics().registry.getMetricsAsArray()) {
    const { name, type, labelNames } = metric as unknown as {
      name: string;
      type: string;
      labelNames: string[];
    };
    const labels = new Set([...labelNames, 'job', 'instance']);
    if (type !== 'histogram') all.set(name, labels);
    else {
      all.set(`${name}_bucket`, new Set([...labels, 'le']));
      for (const part of ['sum', 'count']) all.set(`${name}_${part}`, labels);
    }
  }
  return all;
}

const dashboardPanels = () => {
  const { panels } = JSON.parse(read('deploy/grafana-dashboard.json')) as {
    panels: { title: string; type: string; targets?: { expr: string; legendFormat: string }[] }[];
  };
  return panels;
};

const alertRules = () =>
  [
    ...read('deploy/alerts.yaml').matchAll(/- alert: (\w+)\n\s+expr: (.*)\n([\s\S]*?)(?=\n\s+- alert|$)/g),
  ].map(([, name = '', expr = '', rest = '']) => ({ name, expr, rest }));

/** What is wrong with an expression: series that do not exist, labels that a series does not have. */
function faultsOf(expr: string, legend = ''): string[] {
  const known = series();
  const names = [...expr.matchAll(/\b(?:perpwire|nodejs|process|up)(?:_\w+)?\b(?!=|")/g)].map(
    ([name]) => name,
  );
  const used = names.filter((name) => name.includes('_') || name === 'up');
  const faults = used.filter((name) => !known.has(name)).map((name) => `no series ${name}`);
  if (used.length === 0) faults.push('names no series');
  const labels = new Set(used.flatMap((name) => [...(known.get(name) ?? [])]));
  labels.add('job').add('instance');
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
  const matched = [...expr.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label);
  const shown = [...legend.matchAll(/\{\{ ?(?:\$labels\.)?(\w+) ?\}\}/g)].map(([, label = '']) => label);
  for (const label of [...grouped, ...matched, ...shown])
    if (!labels.has(label)) faults.push(`no label ${label}`);
  return faults;
}

suite('deploy', () => {
  test('the dashboard queries only metrics and labels that exist', () => {
    const wrong = dashboardPanels().flatMap(({ title, targets = [] }) =>
      targets.flatMap(({ expr, legendFormat }) =>
        faultsOf(expr, legendFormat).map((fault) => `${title}: ${fault}`),
      ),
    );
    assert.deepEqual(wrong, []);
    assert.ok(dashboardPanels().filter(({ type }) => type !== 'row').length > 20);
  });

  test('the alerts query only metrics and labels that exist, and docs/running.md explains each', () => {
    const rules = alertRules();
    assert.equal(rules.length, read('deploy/alerts.yaml').split('- alert:').length - 1);
    const manual = read('docs/running.md');
    for (const { name, expr, rest } of rules) {
      const shown = rest.match(/\{\{ \$labels\.\w+ \}\}/g)?.join(' ') ?? '';
      assert.deepEqual(faultsOf(expr, shown), [], name);
      assert.match(rest, /severity: (page|ticket)/, name);
      assert.ok(manual.includes(`\`${name}\``), `docs/running.md does not explain ${name}`);
    }
  });

  test('the check finds a name that does not exist', () => {
    assert.deepEqual(faultsOf('rate(perpwire_no_such_total[5m])'), ['no series perpwire_no_such_total']);
    assert.deepEqual(faultsOf('sum by (colour) (perpwire_venue_contracts)'), ['no label colour']);
    assert.deepEqual(faultsOf('perpwire_venue_contracts{shape="x"}', '{{size}}'), [
      'no label shape',
      'no label size',
    ]);
  });

  test('docs/running.md names every setting', () => {
    const manual = read('docs/running.md');
    assert.deepEqual(
      [...settingNames].filter((name) => !manual.includes(`\`${name}\``)),
      [],
    );
  });

  test('the image copies only files that exist, runs without root, and checks a real address', () => {
    const lines = read('deploy/Dockerfile').replaceAll('\\\n', ' ').split('\n');
    const of = (word: string) => lines.filter((line) => line.startsWith(`${word} `));
    const copied = of('COPY')
      .filter((line) => !line.includes('--from='))
      .flatMap((line) => line.split(/\s+/).slice(1, -1));
    for (const path of copied) assert.ok(existsSync(join(root, path)), path);
    const allowed = read('deploy/Dockerfile.dockerignore');
    for (const path of copied)
      assert.ok(allowed.includes(`!${path}\n`), `${path} is not in the build context`);
    assert.deepEqual(of('USER'), ['USER perpwire']);
    const environment = Object.fromEntries(
      of('ENV').flatMap((line) =>
        line
          .split(/\s+/)
          .slice(1)
          .map((pair) => pair.split('=')),
      ),
    ) as Record<string, string>;
    for (const name of Object.keys(environment))
      assert.ok(settingNames.has(name) || name in startOptions().variables, name);
    assert.equal(readSettings([], environment).adminPort, 8081);
    assert.match(of('HEALTHCHECK').join(), /\/app\/node_modules\/\.bin\/node.*\/healthz/);
    assert.match(
      of('ENTRYPOINT').join(),
      /\["\/app\/node_modules\/\.bin\/node", .*"\/app\/src\/perpwire\.js"\]/,
    );
    assert.ok(existsSync(join(root, 'node_modules/.bin/node')));
  });

  test('the health check passes for a healthy process and fails for an unhealthy one', async () => {
    const command = /CMD \[.*"-e", "(.*)"\]/.exec(read('deploy/Dockerfile'))?.[1] ?? assert.fail();
    const { createServer } = await import('node:http');
    let status = 200;
    const admin = createServer((_request, response) => response.writeHead(status).end()).listen(
      0,
      '127.0.0.1',
    );
    await new Promise((resolve) => admin.once('listening', resolve));
    const address = admin.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const { execFile } = await import('node:child_process');
    const codeOf = (ADMIN_PORT: string) =>
      new Promise((resolve) => {
        execFile(process.execPath, ['-e', command], { env: { ADMIN_PORT } }, (error) =>
          resolve(error?.code ?? 0),
        );
      });
    assert.equal(await codeOf(port), 0);
    status = 503;
    assert.equal(await codeOf(port), 1);
    await new Promise((resolve) => admin.close(resolve));
    assert.equal(await codeOf(port), 1);
  });

  test('the unit starts a command that exists', () => {
    const unit = read('deploy/perpwire@.service');
    assert.match(
      unit,
      /^ExecStart=\/opt\/perpwire\/node_modules\/\.bin\/node .*\/opt\/perpwire\/src\/perpwire\.js serve --role %i$/m,
    );
    assert.ok(settingNames.has('ROLE') && flagOf('ROLE') === 'role');
    for (const role of ['all', 'collector', 'api'])
      assert.equal(
        readSettings(['--role', role], { DATABASE_URL: 'postgres://a/b', REDIS_URL: 'redis://a' }).role,
        role,
      );
  });

  const systemd = onPath('systemd-analyze');
  test('systemd accepts the unit', { skip: systemd === null && 'systemd-analyze is not installed' }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'perpwire-unit-'));
    const unit = read('deploy/perpwire@.service')
      .replaceAll('/opt/perpwire/node_modules/.bin/node', process.execPath)
      .replaceAll('=/opt/perpwire', `=${root}`);
    const file = join(folder, 'perpwire@.service');
    writeFileSync(file, unit);
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    assert.equal(
      stderr
        .split('\n')
        .filter((line) => line.includes('perpwire'))
        .join('\n'),
      '',
    );
    assert.equal(status, 0);
  });

  test('every file of deploy is in docs/running.md', () => {
    const manual = read('docs/running.md');
    for (const file of globSync('deploy/*', { cwd: root })) {
      if (file.endsWith('.dockerignore')) continue;
      assert.ok(manual.includes(file), file);
    }
  });
});

/** Parses YAML with Python, because Node has no parser for it. */
function yaml(file: string): unknown {
  const program = 'import sys, json, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)';
  return JSON.parse(execFileSync('python3', ['-c', program], { input: read(file), encoding: 'utf8' }));
}

const hasPython = spawnSync('python3', ['-c', 'import yaml']).status === 0;
interface ComposeService {
  environment?: Record<string, string>;
  build?: { context: string; dockerfile: string };
  healthcheck?: unknown;
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
}

suite('packages', () => {
  test('allowScripts decides on every package with an install script', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { hasInstallScript?: boolean }>;
    };
    const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> };
    const withScript = Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.split('node_modules/').at(-1) ?? '');
    assert.deepEqual([...new Set(withScript)].sort(), Object.keys(allowScripts).sort());
    assert.deepEqual(
      Object.keys(allowScripts).filter((name) => allowScripts[name]),
      ['node'],
      'only the pinned Node needs its script',
    );
  });
});

suite('deploy, read as YAML', { skip: !hasPython && 'Python with PyYAML is not installed' }, () => {
  test('compose runs two collectors and two API processes behind nginx, with settings that exist', () => {
    const { services, volumes } = yaml('deploy/compose.yaml') as {
      services: Record<string, ComposeService & { volumes?: string[] }>;
      volumes: Record<string, null>;
    };
    const ours = Object.entries(services).filter(([, { build }]) => build);
    const roles = ours.map(([, { environment }]) => environment?.ROLE).sort();
    assert.deepEqual(roles, ['api', 'api', 'collector', 'collector']);
    for (const [name, { environment = {}, build, ports, volumes: own = [] }] of ours) {
      const given = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [
          key,
          value
            .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
            .replaceAll(/\$\{BASE_URL[^}]*\}/g, 'https://a.example'),
        ]),
      );
      for (const key of Object.keys(given)) assert.ok(settingNames.has(key), `${name}: ${key}`);
      assert.equal(readSettings([], given).role, environment.ROLE);
      assert.ok(existsSync(join(root, build?.dockerfile ?? '')));
      assert.equal(ports, undefined, 'only nginx has public ports');
      for (const volume of own) assert.ok((volume.split(':')[0] ?? '') in volumes, volume);
    }
    for (const [name, { depends_on = {} }] of Object.entries(services))
      for (const dependency of Object.keys(depends_on))
        assert.ok(dependency in services, `${name} needs ${dependency}`);
    const upstreams = [...read('deploy/nginx.conf').matchAll(/^\s+server ([\w-]+):8080/gm)].map(
      ([, host]) => host,
    );
    assert.deepEqual(
      upstreams,
      ours.map(([name]) => name).filter((name) => name.startsWith('api')),
    );
  });

  test('the API processes trust the client addresses of nginx only', () => {
    const { services, networks } = yaml('deploy/compose.yaml') as {
      services: Record<
        string,
        { environment?: Record<string, string>; networks?: { default: { ipv4_address: string } } }
      >;
      networks: { default: { ipam: { config: { subnet: string; ip_range: string }[] } } };
    };
    const nginx = services.nginx?.networks?.default.ipv4_address ?? '';
    const [range] = networks.default.ipam.config;
    assert.ok(parseNetworks([range?.subnet ?? '']).check(nginx, 'ipv4'), 'in the network');
    assert.ok(!parseNetworks([range?.ip_range ?? '']).check(nginx, 'ipv4'), 'no other container gets it');
    for (const { environment } of Object.values(services))
      if (environment?.ROLE) assert.equal(environment.TRUSTED_PROXIES, nginx);
  });

  test('Prometheus reads the same alert rules', () => {
    const { groups } = yaml('deploy/alerts.yaml') as {
      groups: { name: string; rules: Record<string, unknown>[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    assert.deepEqual(
      rules.map((rule) => ({ name: rule.alert, expr: rule.expr })),
      alertRules().map(({ name, expr }) => ({ name, expr })),
    );
    for (const rule of rules)
      assert.deepEqual(
        Object.keys(rule).filter((key) => !['alert', 'expr', 'for', 'labels', 'annotations'].includes(key)),
        [],
      );
  });
});
