import { createServer } from 'node:net';
import { join } from 'node:path';
import { startBrowser } from '../test/support/browser.ts';
import { installedPackages } from '../test/support/installed-packages.ts';
import { filledMarket } from '../test/web/filled-market.ts';
import { MARKET_PATHS, pairPath } from '../test/web/market-paths.ts';

/**
 * `npm run lighthouse`: the figures of every market page, on an emulated phone with a slow network, as Lighthouse
 * measures by default. Lighthouse is no dependency of ours: it would bring a hundred packages into every installation and
 * hold one that we run with at an older version. So it is installed into a folder of its own when first needed.
 */
const VERSION = '13.5.0';
const LEAST = 95;
/** Other work on the machine only ever makes a page slower: the best of a few looks says what the page can do. */
const MOST_LOOKS = 4;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

type Scores = Readonly<Record<(typeof CATEGORIES)[number], number>>;
type Lighthouse = (
  url: string,
  flags: Readonly<Record<string, unknown>>,
) => Promise<{ lhr: { categories: Record<string, { score: number | null }> } } | undefined>;

async function installedLighthouse(): Promise<Lighthouse> {
  console.log(`lighthouse ${VERSION}`);
  const installed = await installedPackages('lighthouse', { lighthouse: VERSION });
  if ('reason' in installed) throw new Error(installed.reason);
  const entry = join(installed.folder, 'node_modules/lighthouse/core/index.js');
  const { default: lighthouse } = (await import(entry)) as { default: Lighthouse };
  return lighthouse;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** One look with a browser of its own; null when the browser failed. */
async function look(lighthouse: Lighthouse, url: string): Promise<Scores | null> {
  const port = await freePort();
  const browser = await startBrowser([`--remote-debugging-port=${port}`]);
  if (typeof browser === 'string') throw new Error(browser);
  try {
    const result = await lighthouse(url, { port, logLevel: 'silent', onlyCategories: [...CATEGORIES] });
    const scores = CATEGORIES.map((name) => [name, result?.lhr.categories[name]?.score ?? null] as const);
    if (scores.some(([, score]) => score === null)) return null;
    return Object.fromEntries(
      scores.map(([name, score]) => [name, Math.round((score ?? 0) * 100)]),
    ) as unknown as Scores;
  } catch (error) {
    console.error(`  ${url}: ${error instanceof Error ? error.message : error}`);
    return null;
  } finally {
    await browser.close();
  }
}

const isGood = (scores: Scores) => CATEGORIES.every((name) => scores[name] >= LEAST);

const lighthouse = await installedLighthouse();
const market = await filledMarket();
const poor: string[] = [];
try {
  const heads = [...CATEGORIES.map((name) => name.padStart(16)), '  performance in each look'];
  console.log(`${'page'.padEnd(24)}${heads.join('')}`);
  for (const path of [...MARKET_PATHS, await pairPath(market)]) {
    let best: Scores | null = null;
    const seen: (number | string)[] = [];
    for (let looks = 0; looks < MOST_LOOKS && !(best && isGood(best)); looks++) {
      const scores = await look(lighthouse, `${market.service.baseUrl}${path}`);
      seen.push(scores?.performance ?? 'failed');
      if (scores && (!best || scores.performance > best.performance)) best = scores;
    }
    const name = path.split('?')[0] ?? path;
    const figures = CATEGORIES.map((one) => String(best?.[one] ?? 'none').padStart(16));
    console.log(`${name.padEnd(24)}${figures.join('')}  ${seen.join(', ')}`);
    if (!best || !isGood(best)) poor.push(name);
  }
} finally {
  await market.stop();
}
console.log(poor.length === 0 ? `all are at least ${LEAST}` : `below ${LEAST}: ${poor.join(', ')}`);
process.exit(poor.length === 0 ? 0 : 1);
