import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { runLoad } from '../mcp/load.ts';
import { sized } from '../size.ts';

interface Addresses {
  mcpUrl: string;
  bareUrl: string;
  key: string;
}

const ROUNDS = sized(9, 3, 1);
/** V8 keeps optimizing the code of both sides for tens of thousands of calls. */
const WARM_UP_ROUNDS = sized(4, 2, 0);
/** Of a round. A number instead of a time: a busy machine must not leave V8 less to learn from. */
const REQUESTS = sized(5_000, 800, 50);
const SERVER = join(import.meta.dirname, '../mcp/server.ts');

/** Answers per second of the server's CPU time, which does not depend on how busy the machine is. */
async function perCpuSecond(child: ChildProcess, url: string, key: string, nextBody: () => string) {
  const before = await ask<{ cpuMicroseconds: number }>(child, {});
  const answered = await runLoad({ url, key, requests: REQUESTS, nextBody });
  const after = await ask<{ cpuMicroseconds: number }>(child, {});
  return (answered * 1e6) / (after.cpuMicroseconds - before.cpuMicroseconds);
}

async function goodAnswer(url: string, key: string, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const text = await (await fetch(url, { method: 'POST', headers, body })).text();
  if (!text.includes('"structuredContent"')) throw new Error(`no result: ${text.slice(0, 300)}`);
  return text;
}

async function measure(
  child: ChildProcess,
  { mcpUrl, bareUrl, key }: Addresses,
  name: string,
  nextBody: () => string,
  leastRatio: number,
): Promise<BenchResult> {
  const bytes = await goodAnswer(mcpUrl, key, nextBody());
  await ask(child, { bytes });
  const pairs: { mcp: number; bare: number }[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const bare = await perCpuSecond(child, bareUrl, key, nextBody);
    const mcp = await perCpuSecond(child, mcpUrl, key, nextBody);
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
    target: { at: 'least', ratio: leastRatio },
  });
}

export const cases: BenchCase[] = [
  {
    name: 'mcp',
    hasRoom: true,
    run: async () => {
      const child = fork(SERVER, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      const addresses = await heard<Addresses>(child);
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
        results.push(await measure(child, addresses, `same query, ${limit} rows`, same, 1));
        results.push(await measure(child, addresses, `new filter each time, ${limit} rows`, other, 0.7));
      }
      child.send({ stop: true });
      await new Promise((resolve) => child.once('exit', resolve));
      return results;
    },
  },
];

function heard<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the measured process ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}

function ask<T>(child: ChildProcess, message: object): Promise<T> {
  const answer = heard<T>(child);
  child.send(message);
  return answer;
}
