import { type BenchCase, type Figure, ratioAtLeast } from '../figure.ts';
import { answersPerCpuSecond } from '../load.ts';
import { startServer } from '../processes.ts';
import type { Bare } from '../servers/bare.ts';
import type { Ours } from '../servers/ours.ts';
import { sized } from '../size.ts';

const LEAST_RATIO = { same: 0.9, other: 0.6 };
/** More than a server answers in a round. */
const CALLS = sized(30_000, 10_000, 1_000);

/** Tool calls beside a bare Fastify route that sends the same bytes, in turns, by CPU time. Each call has another id. */
async function run(): Promise<Figure[]> {
  const ours = await startServer<Ours>('ours.ts');
  const bare = await startServer<Bare>('bare.ts');
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${ours.key}` };
  let count = 0;
  const call = (args: object) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: ++count,
      method: 'tools/call',
      params: { name: 'svc_get_funding_rates', arguments: args },
    });
  const answerTo = async (body: string) => {
    const text = await (await fetch(`${ours.url}/mcp`, { method: 'POST', headers, body })).text();
    if (!text.includes('"structuredContent"')) throw new Error(`no result: ${text.slice(0, 300)}`);
    return Buffer.from(text);
  };
  const figures: Figure[] = [];
  try {
    for (const limit of [100, 5]) {
      for (const way of ['same', 'other'] as const) {
        // A bound that lets every row pass but differs in every call, so that no cache helps.
        const nextCall = () => call(way === 'same' ? { limit } : { limit, max_volume_usdt: 1e15 + count });
        const bytes = await answerTo(nextCall());
        const answer = { status: 200, headers: [], bodyBase64: bytes.toString('base64') };
        await fetch(bare.url, { method: 'PUT', body: JSON.stringify([answer]) });
        const lines = { method: 'POST' as const, of: () => Array.from({ length: CALLS }, nextCall) };
        const measured = await answersPerCpuSecond(
          { pid: ours.pid, url: `${ours.url}/mcp`, headers, lines },
          { pid: bare.pid, url: `${bare.fastifyUrl}/mcp`, headers, lines },
        );
        // A refusal is an answer too, and a cheap one.
        await answerTo(nextCall());
        figures.push({
          name: `${way === 'same' ? 'the same query' : 'a new filter each time'}, ${limit} rows, ${Math.round(bytes.length / 1024)} kB`,
          value: measured.ours,
          unit: 'calls/s of one core',
          baseline: { name: 'bare Fastify route, same bytes', value: measured.baseline },
          target: ratioAtLeast(LEAST_RATIO[way]),
        });
      }
    }
  } finally {
    await Promise.all([ours.stop(), bare.stop()]);
  }
  return figures;
}

export const bench: BenchCase = { run };
