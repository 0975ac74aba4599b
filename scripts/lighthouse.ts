import { join } from 'node:path';
import { TEXT_PAGES } from '../src/doors/web/pages/registry.ts';
import { startBrowser } from '../test/support/browser.ts';
import { freePort } from '../test/support/free-port.ts';
import { installedPackages } from '../test/support/installed-packages.ts';
import { filledMarket } from '../test/web/filled-market.ts';
import { carryPath, MARKET_PATHS, pairPath } from '../test/web/market-paths.ts';

/**
 * `npm run lighthouse [-- --without-performance | --once] [paths]`: the figures of every public page, on an emulated phone
 * with a slow network, as Lighthouse measures by default. `--once` looks once at each page instead of three times.
 * Lighthouse is no dependency of ours: it would bring a hundred packages into every installation and hold one that we run
 * with at an older version. So it is installed into a folder of its own when first needed.
 */
const VERSION = '13.5.0';
const isHasty = process.argv.includes('--without-performance');
const LEAST = 95;
/** Performance varies from look to look: the median of three counts. */
const LOOKS = isHasty || process.argv.includes('--once') ? 1 : 3;
/** A browser that fails is started again this often for a page. */
const MOST_FAILURES = 2;
const ALL_CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
/** Without performance, one look at each page is enough, whatever else the machine does. */
const CATEGORIES = ALL_CATEGORIES.filter((name) => name !== 'performance' || !isHasty);

const HASTE = isHasty
  ? { throttlingMethod: 'provided', disableFullPageScreenshot: true, maxWaitForLoad: 20_000 }
  : {};

/** They ask search engines to leave them out, for which Lighthouse would take a third of the points for SEO. */
const NOT_INDEXED = ['/search?q=bitcoin', '/more', '/sign-in', '/sign-up'];

type Category = (typeof ALL_CATEGORIES)[number];
interface Scores extends Readonly<Partial<Record<Category, number>>> {
  /** Audits that cost points, but for those of performance, which vary. */
  failed: readonly string[];
}
interface Report {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; scoreDisplayMode: string }>;
}
type Lighthouse = (
  url: string,
  flags: Readonly<Record<string, unknown>>,
) => Promise<{ lhr: Report } | undefined>;

async function installedLighthouse(): Promise<Lighthouse> {
  console.log(`lighthouse ${VERSION}`);
  const installed = await installedPackages('lighthouse', { lighthouse: VERSION });
  if ('reason' in installed) throw new Error(installed.reason);
  const entry = join(installed.folder, 'node_modules/lighthouse/core/index.js');
  const { default: lighthouse } = (await import(entry)) as { default: Lighthouse };
  return lighthouse;
}

/** One look with a browser of its own; null when the browser failed. */
async function look(lighthouse: Lighthouse, url: string): Promise<Scores | null> {
  const port = await freePort();
  const browser = await startBrowser([`--remote-debugging-port=${port}`]);
  if (typeof browser === 'string') throw new Error(browser);
  try {
    const skipAudits = NOT_INDEXED.some((path) => url.endsWith(path)) ? ['is-crawlable'] : [];
    const flags = { port, logLevel: 'silent', onlyCategories: [...CATEGORIES], skipAudits, ...HASTE };
    const report = (await lighthouse(url, flags))?.lhr;
    const scoreOf = (name: Category) => report?.categories[name]?.score ?? null;
    if (!report || CATEGORIES.some((name) => scoreOf(name) === null)) return null;
    const failed = CATEGORIES.filter((name) => name !== 'performance').flatMap((name) =>
      (report.categories[name]?.auditRefs ?? [])
        .filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 1)
        .map(({ id }) => id),
    );
    const scores = CATEGORIES.map((name) => [name, Math.round((scoreOf(name) ?? 0) * 100)]);
    return { ...(Object.fromEntries(scores) as Record<Category, number>), failed };
  } catch (error) {
    console.error(`  ${url}: ${error instanceof Error ? error.message : error}`);
    return null;
  } finally {
    await browser.close();
  }
}

// Lighthouse can fail in a promise that it does not wait for, after its browser has gone; the look then counts as failed.
process.on('unhandledRejection', (error) =>
  console.error(`  ${error instanceof Error ? error.message : error}`),
);

const isGood = (scores: Scores) => CATEGORIES.every((name) => (scores[name] ?? 0) >= LEAST);

const lighthouse = await installedLighthouse();
const market = await filledMarket();
const poor: string[] = [];
try {
  const heads = [...CATEGORIES.map((name) => name.padStart(16)), '  performance in each look'];
  console.log(`${'page'.padEnd(24)}${heads.join('')}`);
  const all = [
    ...MARKET_PATHS,
    '/funding?view=table',
    await carryPath(market),
    await pairPath(market),
    ...TEXT_PAGES.map(({ path }) => path),
    ...NOT_INDEXED,
  ];
  // A pair is named without its parameters, which depend on the data.
  const named = process.argv
    .slice(2)
    .filter((word) => word.startsWith('/'))
    .map((word) => all.find((path) => path === word || path.startsWith(`${word}?coin=`)) ?? word);
  for (const path of named.length > 0 ? named : all) {
    const good: Scores[] = [];
    let failures = 0;
    while (good.length < LOOKS && failures <= MOST_FAILURES) {
      const scores = await look(lighthouse, `${market.service.baseUrl}${path}`);
      if (scores) good.push(scores);
      else failures++;
    }
    const ordered = good.toSorted((a, b) => (a.performance ?? 0) - (b.performance ?? 0));
    const median = ordered[Math.floor(ordered.length / 2)] ?? null;
    const name = path.length > 23 ? (path.split('?')[0] ?? path) : path;
    const figures = CATEGORIES.map((one) => String(median?.[one] ?? 'none').padStart(16));
    console.log(
      `${name.padEnd(24)}${figures.join('')}  ${good.map(({ performance }) => performance ?? '').join(', ')}  ${median?.failed.join(' ') ?? ''}`,
    );
    if (!median || !isGood(median)) poor.push(name);
  }
} finally {
  await market.stop();
}
console.log(poor.length === 0 ? `all are at least ${LEAST}` : `below ${LEAST}: ${poor.join(', ')}`);
process.exit(poor.length === 0 ? 0 : 1);
