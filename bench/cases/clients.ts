import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Perpwire } from '../../clients/typescript/src/index.ts';
import { funding } from '../../src/operations/funding.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { sized } from '../size.ts';

const ROWS = 5_000;
const PAGE_ROWS = 500;
const ROUNDS = sized(40, 10, 1);
const WARM_UP_ROUNDS = sized(10, 3, 0);
const TARGET_RATIO = 1.3;

/** Iterates rows through the TypeScript client, beside bare fetch and JSON.parse of the same pages. */
async function iterateRows(): Promise<BenchResult[]> {
  const [example] = funding.example as readonly object[];
  const pages = Array.from({ length: ROWS / PAGE_ROWS }, (_, page) => {
    const rows = Array.from({ length: PAGE_ROWS }, (_row, i) => ({ ...example, volume_24h_usdt: page + i }));
    const isLast = page === ROWS / PAGE_ROWS - 1;
    return JSON.stringify({
      data: rows,
      meta: { count: PAGE_ROWS, ...(isLast ? {} : { next_cursor: page + 1 }) },
    });
  });
  const server = createServer((request, response) => {
    const page = Number(/cursor=(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', etag: `"${page}"` });
    response.end(pages[page]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const perpwire = new Perpwire({ apiKey: 'key', baseUrl });

  const byClient = async () => {
    let sum = 0;
    for await (const row of perpwire.funding.all({ limit: PAGE_ROWS })) sum += row.volume_24h_usdt;
    return sum;
  };
  const bare = async () => {
    let sum = 0;
    for (let cursor: number | undefined = 0; cursor !== undefined; ) {
      const reply = await fetch(`${baseUrl}/api/v1/funding?limit=${PAGE_ROWS}&cursor=${cursor}`);
      const { data, meta } = JSON.parse(await reply.text()) as {
        data: { volume_24h_usdt: number }[];
        meta: { next_cursor?: number };
      };
      for (const row of data) sum += row.volume_24h_usdt;
      cursor = meta.next_cursor;
    }
    return sum;
  };
  const samples: { client: number[]; bare: number[] } = { client: [], bare: [] };
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    for (const [name, run] of Object.entries({ client: byClient, bare }) as [
      'client' | 'bare',
      typeof bare,
    ][]) {
      const startedMs = performance.now();
      await run();
      if (round >= WARM_UP_ROUNDS) samples[name].push(performance.now() - startedMs);
    }
  }
  server.close();
  server.closeAllConnections();
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return [
    result({
      name: `${ROWS} rows through the TypeScript client`,
      value: median(samples.client),
      unit: 'ms',
      baseline: 'bare fetch and JSON.parse',
      baselineValue: median(samples.bare),
      target: { at: 'most', ratio: TARGET_RATIO },
    }),
  ];
}

export const cases: BenchCase[] = [{ name: 'clients', isOneCore: true, run: iterateRows }];
