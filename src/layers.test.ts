import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { suite, test } from 'node:test';
import { SIM_VENUES } from '../sim/venues/registry.ts';
import { OPERATIONS } from './operations/registry.ts';
import { VENUES } from './venues/registry.ts';

const root = join(import.meta.dirname, '..');

/** From the bottom up: a folder imports only from folders before it. Files directly in src, src/wiring and src/commands see all. */
const LAYERS = [
  'base',
  'storage',
  'venues',
  'market',
  'history',
  'engines',
  'lake',
  'query',
  'accounts',
  'oauth',
  'operations',
  'alerts',
  'cluster',
  'doors',
];
/** The folders of the web door, from the bottom up. Files directly in it see all; the client runs in the browser. */
const WEB = 'src/doors/web';
const WEB_FOLDERS = ['markup', 'layout', 'pages', 'feeds', 'sign-in', 'account'];
const TOP = new Set(['', 'commands', 'wiring']);

/** Folders beside the venues: what runs their polls, and tests that run over every venue. */
/** Folders of `src/venues` whose files others import. */
const SHARED = /^src\/venues\/(?:collecting|counting)\//;
const NOT_VENUES = ['collecting', 'conformance', 'counting'];

/** Venues that copy another venue's wire format, and so share its parser. */
const CLONES: Readonly<Record<string, string>> = {
  'src/venues/aster': 'src/venues/binance',
  'src/venues/weex': 'src/venues/binance',
  'src/venues/tradexyz': 'src/venues/hyperliquid',
  'src/venues/paragon': 'src/venues/hyperliquid',
  'src/venues/lighterrh': 'src/venues/lighter',
  'src/venues/ourbit': 'src/venues/mexc',
};

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) =>
    relative(root, join(root, dirname(file), match[1] ?? '')),
  );
}

/** Groups of files that import each other, directly or through others (strongly connected components). */
function circlesAmong(files: readonly string[]): string[][] {
  const reachable = new Map<string, Set<string>>();
  for (const file of files) {
    const seen = new Set<string>();
    const open = [file];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const imported of graph.get(next) ?? []) {
        if (seen.has(imported)) continue;
        seen.add(imported);
        open.push(imported);
      }
    }
    reachable.set(file, seen);
  }
  const groups = new Map<string, string[]>();
  for (const file of files) {
    const reached = reachable.get(file) ?? new Set<string>();
    if (!reached.has(file)) continue;
    const group = files.filter((other) => reached.has(other) && reachable.get(other)?.has(file)).sort();
    groups.set(group.join(), group);
  }
  return [...groups.values()];
}

const layerOf = (file: string) => (file.split('/').length > 2 ? (file.split('/')[1] ?? '') : '');
const doorOf = (file: string) => /^src\/doors\/([^/]+)\//.exec(file)?.[1] ?? '';
/** Null for a file of another folder than those of the web door. */
const webFolderOf = (file: string) => {
  const folder = /^src\/doors\/web\/([^/]+)\//.exec(file)?.[1] ?? '';
  return WEB_FOLDERS.includes(folder) ? folder : null;
};
const sources = globSync('src/**/*.ts', { cwd: root }).filter(
  // Browser code runs elsewhere: it has no layers and a clock of its own.
  (file) => !file.endsWith('.test.ts') && !file.startsWith('src/doors/web/client/'),
);

const graph = new Map(sources.map((file) => [file, importsOf(file)]));

suite('architecture', () => {
  test('no import circles, type imports included', () => {
    assert.deepEqual(circlesAmong(sources), []);
  });

  test('imports follow the layers', () => {
    const wrong: string[] = [];
    for (const file of sources) {
      const layer = layerOf(file);
      if (TOP.has(layer)) continue;
      assert.ok(LAYERS.includes(layer), `${file} is in no layer`);
      for (const imported of importsOf(file)) {
        const target = layerOf(imported);
        const isAllowed =
          imported.startsWith('src/') &&
          LAYERS.includes(target) &&
          LAYERS.indexOf(target) <= LAYERS.indexOf(layer);
        if (!isAllowed) wrong.push(`${file} imports ${imported}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  test('imports inside the web door follow its folders', () => {
    const wrong = sources.flatMap((file) =>
      importsOf(file)
        .filter((imported) => {
          const [from, to] = [webFolderOf(file), webFolderOf(imported)];
          return from !== null && to !== null && WEB_FOLDERS.indexOf(to) > WEB_FOLDERS.indexOf(from);
        })
        .map((imported) => `${file} imports ${imported}`),
    );
    assert.deepEqual(wrong, []);
    const folders = readdirSync(join(root, WEB), { withFileTypes: true }).filter((one) => one.isDirectory());
    assert.deepEqual(folders.map(({ name }) => name).sort(), [...WEB_FOLDERS, 'client'].sort());
  });

  test('the MCP and web doors do not know each other: they share the documents', () => {
    const wrong = sources.flatMap((file) =>
      importsOf(file)
        .filter((imported) => {
          const [from, to] = [doorOf(file), doorOf(imported)];
          return from !== to && ['mcp', 'web'].includes(to) && ['mcp', 'web', 'documents'].includes(from);
        })
        .map((imported) => `${file} imports ${imported}`),
    );
    assert.deepEqual(wrong, []);
  });

  test('market data knows no plans, and the delay of Demo stands in plans.ts only', () => {
    const below = LAYERS.slice(0, LAYERS.indexOf('query'));
    const wrong = sources.filter((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      if (below.includes(layerOf(file)) && /\bdemo\b|\bPLANS\b/i.test(text)) return true;
      return (
        file !== 'src/accounts/plans.ts' && /\bdelaySeconds: \d{2}|\b900 s\b|\bDELAY\w* = 900\b/.test(text)
      );
    });
    assert.deepEqual(wrong, []);
  });

  test('no file outside a venue’s folder imports its files, except the registry', () => {
    const wrong = sources.flatMap((file) =>
      importsOf(file)
        .filter((imported) => /^src\/venues\/[^/]+\//.test(imported) && !SHARED.test(imported))
        .filter((imported) => dirname(imported) !== dirname(file) && file !== 'src/venues/registry.ts')
        .filter((imported) => CLONES[dirname(file)] !== dirname(imported))
        .map((imported) => `${file} imports ${imported}`),
    );
    assert.deepEqual(wrong, []);
  });

  test('venue folders are the registry, and each has its simulator and the same files', () => {
    const folders = readdirSync(join(root, 'src/venues'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !NOT_VENUES.includes(entry.name))
      .map((entry) => entry.name);
    assert.deepEqual(folders.sort(), VENUES.map((venue) => venue.slug).sort());
    assert.deepEqual(SIM_VENUES.map((sim) => sim.profile.slug).sort(), folders.sort());
    for (const venue of VENUES) {
      const sim = SIM_VENUES.find((candidate) => candidate.profile.slug === venue.slug);
      assert.equal(sim?.profile.exchange, venue.facts.exchange);
      const files = readdirSync(join(root, 'src/venues', venue.slug));
      // A venue that takes over the whole adapter of another one has only its facts.
      const isWhole = files.includes('parse.ts') || !CLONES[`src/venues/${venue.slug}`];
      for (const file of isWhole
        ? ['venue.ts', 'wire.ts', 'parse.ts', 'parse.test.ts', 'fixtures']
        : ['venue.ts'])
        assert.ok(files.includes(file), `${venue.slug}/${file}`);
    }
  });

  test('every operation file is in the registry', () => {
    const described = sources.filter(
      (file) =>
        file.startsWith('src/operations/') &&
        /define(?:Operation|List)\(\{/.test(readFileSync(join(root, file), 'utf8')),
    );
    assert.equal(described.length, OPERATIONS.length);
    const tools = OPERATIONS.flatMap(({ tool }) => tool ?? []);
    for (const names of [
      OPERATIONS.map(({ id }) => id),
      OPERATIONS.map(({ path }) => path),
      tools.map(({ name }) => name),
      tools.map(({ place }) => String(place)),
    ])
      assert.deepEqual([...new Set(names)], names, 'ids, paths, tools and their places are unique');
  });

  test('only node-http.ts loads node:http, because an import of its values loads Node’s fetch too', () => {
    const wrong = [...sources, ...globSync('sim/**/*.ts', { cwd: root })].filter((file) =>
      /import (?!type )[^;]* from 'node:http';/.test(readFileSync(join(root, file), 'utf8')),
    );
    assert.deepEqual(
      wrong.filter((file) => !file.endsWith('.test.ts')),
      [],
    );
  });

  test('only settings.ts reads the environment', () => {
    const readers = sources.filter((file) => readFileSync(join(root, file), 'utf8').includes('process.env'));
    assert.deepEqual(readers, ['src/settings.ts']);
  });

  test('only clock.ts reads the system clock', () => {
    const allowed = new Set(['src/base/clock.ts', 'src/base/http/http-client.ts']);
    const readers = sources.filter(
      (file) =>
        /Date\.now\(\)|new Date\(\)/.test(readFileSync(join(root, file), 'utf8')) && !allowed.has(file),
    );
    assert.deepEqual(readers, []);
  });
});
