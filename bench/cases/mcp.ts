import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { type Load, loadByAutocannon, loadByWrk } from '../mcp/load.ts';
import { SIZE, sized } from '../size.ts';
import { PinnedProcess } from '../support/pinned.ts';
import { findWrk } from '../support/wrk.ts';

interface Addresses {
  mcpUrl: string;
  bareUrl: string;
  key: string;
}

const ROUNDS = sized(9, 3, 1);
/** V8 keeps optimizing the code of both sides for tens of thousands of calls. */
const WARM_UP_ROUNDS = sized(4, 2, 0);
/** CPU time of the server in a round: a busy machine must not leave V8 less to learn from. */
const CPU_MS = sized(600, 120, 0);
/** Of a round without wrk. */
const REQUESTS = sized(5_000, 800, 50);
const CONNECTIONS = 16;

interface Server extends Addresses {
  process: PinnedProcess;
  wrk: string | null;
}

interface Measured {
  name: string;
  nextBody: () => string;
  connections: number;
  leastRatio: number | null;
}

/** Answers per second of the server's CPU time, which does not depend on how busy the machine is. */
async function perCpuSecond({ process, wrk }: Server, load: Load): Promise<number> {
  const cpu = async () => (await process.ask<{ cpuMicroseconds: number }>({})).cpuMicroseconds;
  const before = await cpu();
  const isEnough = async () => (await cpu()) - before >= CPU_MS * 1000;
  const answered =
    wrk === null ? await loadByAutocannon(load, REQUESTS) : await loadByWrk(wrk, load, isEnough);
  return (answered * 1e6) / ((await cpu()) - before);
}

async function goodAnswer(url: string, key: string, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const text = await (await fetch(url, { method: 'POST', headers, body })).text();
  if (!text.includes('"structuredContent"')) throw new Error(`no result: ${text.slice(0, 300)}`);
  return text;
}

async function measure(server: Server, measured: Measured): Promise<BenchResult> {
  const { process, mcpUrl, bareUrl, key } = server;
  const { name, nextBody, connections, leastRatio } = measured;
  const bytes = await goodAnswer(mcpUrl, key, nextBody());
  await process.ask({ bytes });
  const pairs: { mcp: number; bare: number }[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const bare = await perCpuSecond(server, { url: bareUrl, key, connections, nextBody });
    const mcp = await perCpuSecond(server, { url: mcpUrl, key, connections, nextBody });
    if (round >= WARM_UP_ROUNDS) pairs.push({ mcp, bare });
  }
  // A refusal is also an answer, and a cheap one: check that there is none.
  await goodAnswer(mcpUrl, key, nextBody());
  // The median of the pairs: other load on the machine affects both halves of a pair alike.
  const { mcp, bare } = pairs.sort((a, b) => a.mcp / a.bare - b.mcp / b.bare)[pairs.length >> 1] ?? {
    mcp: 0,
    bare: 1,
  };
  return result({
    name: `${name}, ${Math.round(bytes.length / 1024)} kB`,
    value: mcp,
    unit: 'answers per CPU second',
    baseline: 'bare Fastify route sending the same bytes',
    baselineValue: bare,
    ...(leastRatio === null ? {} : { target: { at: 'least', ratio: leastRatio } as const }),
  });
}

async function run(): Promise<BenchResult[]> {
  const process = new PinnedProcess('servers', '../mcp/server.ts');
  const wrk = SIZE === 'tiny' ? null : await findWrk();
  const server = { process, wrk, ...(await process.ask<Addresses>()) };
  let count = 0;
  const call = (args: object) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: ++count,
      method: 'tools/call',
      params: { name: 'svc_get_funding_rates', arguments: args },
    });
  const results: BenchResult[] = [];
  for (const limit of [100, 5]) {
    const same = () => call({ limit });
    // A bound that lets every row pass but differs in every call, so no cache helps.
    const other = () => call({ limit, max_volume_usdt: 1e15 + count });
    const ofServer = (name: string, nextBody: () => string, connections: number, leastRatio: number | null) =>
      measure(server, { name: `${name}, ${limit} rows`, nextBody, connections, leastRatio });
    results.push(await ofServer('same query', same, CONNECTIONS, 1));
    results.push(await ofServer('new filter each time', other, CONNECTIONS, 0.7));
    // One request after the other: there is nothing to answer together.
    if (limit === 100) results.push(await ofServer('same query on one connection', same, 1, null));
  }
  await process.ask({ stop: true });
  process.stop();
  return results;
}

export const cases: BenchCase[] = [{ name: 'mcp', hasRoom: true, run }];
