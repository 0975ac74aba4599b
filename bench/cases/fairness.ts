import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { inFolder, startDemo } from '../demo.ts';
import { type BenchCase, type Figure, ratioAtMost, valueAtMost } from '../figure.ts';
import { findWrk } from '../load.ts';
import { sized } from '../size.ts';

/** What one visitor asks for, as the body of a function of Lua with a number that differs in every request. */
const ATTACKS: readonly { name: string; path: string; cookie?: string }[] = [
  { name: 'CSV of a new size', path: '"/arbitrage.csv?size_usd=" .. (100 + n % 249000)' },
  { name: 'a new size', path: '"/arbitrage?size_usd=" .. (100 + n % 249000)' },
  { name: 'spreads of a new size', path: '"/spreads?size_usd=" .. (100 + n % 249000)' },
  { name: 'long unknown addresses', path: '"/" .. n .. string.rep("/unknown-" .. n, 20)' },
  { name: 'history', path: '"/funding/BTC/history?limit=" .. (1000 + n % 100000)' },
  { name: 'search', path: '"/search?q=b" .. n' },
  {
    name: 'saved fees',
    path: '"/arbitrage"',
    cookie:
      '"pw_fees=Binance%3A0." .. string.format("%03d", n % 1000) .. "%2COKX%3A0." .. string.format("%03d", n * 7 % 1000)',
  },
];
const SENDERS = [
  { words: 'one address, 100 connections', addresses: 1, connections: 100 },
  { words: '20 addresses, 300 connections', addresses: 20, connections: 300 },
] as const;

const SECONDS = sized(15, 4, 1);
/** Below the 600 requests a minute of the plan. */
const CALL_EVERY_MS = 110;
const PAGE_EVERY_MS = 500;
const MOST_RATIO = 5;
const CALL = '/api/v1/funding?limit=5';
/** A page that another visitor reads. */
const PAGE = '/funding';

interface Measured {
  callMs: number[];
  refusedCalls: number;
  pages: number;
  /** Pages of another visitor that were not answered. */
  refusedPages: number;
}

/** Calls with a key, and pages of a visitor at another address, at an even pace. */
async function measure(baseUrl: string, key: string, seconds: number): Promise<Measured> {
  const measured: Measured = { callMs: [], refusedCalls: 0, pages: 0, refusedPages: 0 };
  const agent = new Agent({ connections: 4, headersTimeout: 60_000 });
  const get = async (path: string, headers: Record<string, string>): Promise<number | null> => {
    try {
      const { statusCode, body } = await request(`${baseUrl}${path}`, { dispatcher: agent, headers });
      await body.arrayBuffer();
      return statusCode;
    } catch {
      // After a minute without an answer.
      return null;
    }
  };
  const untilMs = performance.now() + seconds * 1_000;
  const every = async (everyMs: number, run: () => Promise<void>) => {
    for (let dueMs = performance.now(); dueMs < untilMs; dueMs += everyMs) {
      await pause(Math.max(0, dueMs - performance.now()));
      if (performance.now() < untilMs) await run();
    }
  };
  await Promise.all([
    every(CALL_EVERY_MS, async () => {
      const startedMs = performance.now();
      const status = await get(CALL, { authorization: `Bearer ${key}` });
      measured.callMs.push(performance.now() - startedMs);
      if (status !== 200) measured.refusedCalls++;
    }),
    every(PAGE_EVERY_MS, async () => {
      measured.pages++;
      if ((await get(PAGE, { 'x-forwarded-for': '198.51.100.7' })) !== 200) measured.refusedPages++;
    }),
  ]);
  await agent.close();
  return measured;
}

function startAttack(
  wrk: string,
  folder: string,
  baseUrl: string,
  { path, cookie }: (typeof ATTACKS)[number],
  { addresses, connections }: (typeof SENDERS)[number],
): ChildProcess {
  const script = join(folder, 'attack.lua');
  writeFileSync(
    script,
    `local n = math.floor(${performance.now()})
request = function()
  n = n + 1
  local headers = { ["X-Forwarded-For"] = "203.0.113." .. (n % ${addresses} + 1), ["Accept"] = "text/html", ["Accept-Encoding"] = "gzip" }
  ${cookie === undefined ? '' : `headers["Cookie"] = ${cookie}`}
  return wrk.format("GET", ${path}, headers)
end
`,
  );
  const args = ['-t1', `-c${connections}`, '-d600s', '--timeout', '60s', '-s', script, baseUrl];
  return spawn(wrk, args, { stdio: 'ignore' });
}

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** How long a call with a key takes while visitors ask for more than the service can do, beside a quiet service. */
async function run(): Promise<Figure[]> {
  const wrk = await findWrk();
  return await inFolder(async (folder) => {
    const demo = await startDemo(join(folder, 'data'), { environment: { TRUSTED_PROXIES: 'loopback' } });
    const figures: Figure[] = [];
    try {
      const { base_url: baseUrl, keys } = demo;
      // The code of the answers is compiled.
      for (const path of [
        '/arbitrage.csv',
        '/arbitrage',
        '/spreads',
        '/unknown',
        '/funding/BTC/history',
        '/search?q=b',
      ])
        await request(`${baseUrl}${path}`).then(({ body }) => body.arrayBuffer());
      await measure(baseUrl, keys.business, sized(10, 5, 1));
      const quiet = await measure(baseUrl, keys.business, SECONDS * sized(2, 2, 1));
      const baseline = { name: 'quiet', value: quantile(quiet.callMs, 0.99) };
      figures.push(
        { name: 'quiet: median', value: quantile(quiet.callMs, 0.5), unit: 'ms' },
        {
          ...{ name: 'quiet: calls and pages refused', value: quiet.refusedCalls + quiet.refusedPages },
          unit: 'requests',
        },
      );
      for (const attack of ATTACKS.slice(0, sized(ATTACKS.length, ATTACKS.length, 1)))
        for (const sender of SENDERS) {
          const load = startAttack(wrk, folder, baseUrl, attack, sender);
          const ended = once(load, 'exit');
          try {
            await pause(sized(3_000, 1_000, 200));
            const { callMs, refusedCalls, refusedPages } = await measure(baseUrl, keys.business, SECONDS);
            const name = `${attack.name}, ${sender.words}`;
            figures.push(
              {
                ...{ name: `${name}: call with a key, p99`, value: quantile(callMs, 0.99), unit: 'ms' },
                ...{ baseline, target: ratioAtMost(MOST_RATIO) },
              },
              { name: `${name}: median`, value: quantile(callMs, 0.5), unit: 'ms' },
              {
                ...{ name: `${name}: calls and pages of others refused`, value: refusedCalls + refusedPages },
                ...{ unit: 'requests', target: valueAtMost(0) },
              },
            );
          } finally {
            load.kill('SIGKILL');
            await ended;
          }
        }
    } finally {
      await demo.stop();
    }
    return figures;
  });
}

export const bench: BenchCase = { run };
