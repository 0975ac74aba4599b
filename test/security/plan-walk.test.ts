import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { PLAN_NAMES, PLANS, type PlanName } from '../../src/accounts/plans.ts';
import { DAY_MS, isoTime, MINUTE_MS, SECOND_MS } from '../../src/base/times.ts';
import { markdownPathOf } from '../../src/doors/web/pages/market-page.ts';
import { MARKET_PAGES } from '../../src/doors/web/pages/registry.ts';
import { encodeDay } from '../../src/history/tape/block.ts';
import { TapeNumbers } from '../../src/history/tape/contracts.ts';
import { TapeSeries } from '../../src/history/tape/series.ts';
import { buildLake } from '../../src/lake/build.ts';
import { LakeFolder } from '../../src/lake/files/folder.ts';
import { type Manifest, readManifest } from '../../src/lake/files/manifest.ts';
import { lakeSources } from '../../src/lake/sources.ts';
import { type AnyOperation, isStreamed } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { tapeDayId } from '../../src/storage/blocks.ts';
import { emptyBatch } from '../../src/venues/observations.ts';
import { callTool } from '../mcp/rpc.ts';
import { signedUp } from '../oauth/person.ts';
import { silentLog } from '../storage/sqlite.ts';
import { openStream } from '../streams/client.ts';
import { type FilledMarket, filledMarket } from '../web/filled-market.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);
const HISTORY_DAYS = 800;
/** Figures that nothing else has: what settled or ran longer ago than so many days, and the day of such prints as an APR. */
const OLD: readonly { days: number; ratePct: number; runningPct: number; aprPct: string }[] = [
  { days: 7, ratePct: 0.7313, runningPct: 0.6391, aprPct: '800.6735' },
  { days: 90, ratePct: 0.7417, runningPct: 0.6457, aprPct: '812.0615' },
  { days: 730, ratePct: 0.7529, runningPct: 0.6589, aprPct: '824.3255' },
];
/** Of the newest snapshot and of a settlement five minutes ago. */
const YOUNG = { ratePct: 0.5678, printPct: 0.5723, cents: '.4321' };
const EXAMPLE = {
  coin: 'BTC',
  exchange: 'Binance',
  long_exchange: 'Binance',
  short_exchange: 'Bybit',
} as const;
/** Times that lie ahead, or of something else than data. */
const NOT_OF_DATA = /^(next_funding_at|effective_at|held_since|listed_at|resets_at|expires_at|url)$/;
/** When venues were last heard, and when the record of forecasts was read; their figures are looked for as everywhere. */
const TIMES_OF_SERVICE = /^\/(status|accuracy)\b/;
/** How right forecasts were is published for everybody, as statistics over pairs and days. */
const PUBLIC_RECORD = new Set(['forecast-accuracy', 'usage']);

interface Surface {
  name: string;
  text: string;
  /** Times with the names of their fields, where the answer has names. */
  times: readonly (readonly [name: string, timeMs: number])[];
}

suite('what each plan sees, on every surface', () => {
  let market: FilledMarket;
  let nowMs: number;
  let people = 0;
  before(async () => {
    market = await filledMarket({
      heldAtMs: START_MS,
      venues: ['binance', 'bybit', 'okx'],
      coins: 8,
      settings: { FREE_PAGES_PER_MINUTE: '100000' },
    });
    await keepOldPrints(market);
    await keepOldTape(market);
    const { keeper } = market.service.history;
    const [prints] = lakeSources(market.service.context.storage, keeper, silentLog);
    assert.ok(prints);
    await buildLake({
      store: new LakeFolder(join(market.dataDir, 'lake')),
      sources: [prints],
      nowMs: market.clock.nowMs() + 2 * MINUTE_MS,
      firstDayMs: () => Math.floor(START_MS / DAY_MS - HISTORY_DAYS) * DAY_MS,
    });
    market.clock.advanceMs(20 * MINUTE_MS);
    nowMs = market.clock.nowMs();
    await publishYoung(market);
  });
  after(() => market.stop());

  const newKey = async (plan: PlanName) => {
    const { accounts, keys } = market.service.accounts;
    const account = await accounts.create({ name: 'walk', plan });
    return (await keys.create({ accountId: account.id, name: 'walk', kind: 'test' })).text;
  };
  const getAs = async (key: string, path: string) =>
    await fetch(`${market.service.baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } });

  /** All that operations answer, in every format that they have. */
  async function* restSurfaces(
    plan: PlanName,
  ): AsyncGenerator<Surface & { format: string; operation: AnyOperation }> {
    for (const operation of OPERATIONS) {
      if (PUBLIC_RECORD.has(operation.id)) continue;
      const key = await newKey(plan);
      for (const query of queriesOf(operation))
        for (const format of formatsOf(operation)) {
          const path = `/api/v1${addressOf(operation, { ...query, ...(format === 'json' ? {} : { format }) })}`;
          const reply = await getAs(key, path);
          const bytes = Buffer.from(await reply.arrayBuffer());
          assert.equal(reply.status, 200, `${plan} ${path}: ${bytes.toString().slice(0, 300)}`);
          yield { ...(await readAnswer(`${plan} ${path}`, format, bytes)), format, operation };
        }
    }
  }

  async function* mcpSurfaces(plan: PlanName): AsyncGenerator<Surface> {
    const key = await newKey(plan);
    for (const operation of OPERATIONS) {
      if (!operation.tool || PUBLIC_RECORD.has(operation.id)) continue;
      for (const query of queriesOf(operation)) {
        const args = {
          ...Object.fromEntries(pathNames(operation).map((name) => [name, EXAMPLE.coin])),
          ...query,
        };
        const outcome = await callTool(market.service.baseUrl, key, operation.tool.name, args);
        const text = JSON.stringify(outcome);
        assert.ok(!outcome.isError, `${plan} ${operation.id}: ${text.slice(0, 300)}`);
        yield { name: `${plan} MCP ${operation.tool.name}`, text, times: timesIn(outcome.structuredContent) };
      }
    }
  }

  async function* streamSurfaces(plan: PlanName): AsyncGenerator<Surface> {
    for (const operation of OPERATIONS) {
      if (!isStreamed(operation)) continue;
      const path = `/api/v1/stream${addressOf(operation, {})}`;
      const stream = await openStream(`${market.service.baseUrl}${path}`, await newKey(plan));
      assert.equal(stream.status, 200, `${plan} ${path}`);
      const { data } = await stream.next('snapshot');
      stream.close();
      yield { name: `${plan} ${path}`, text: JSON.stringify(data), times: timesIn(data) };
    }
  }

  async function* pageSurfaces(plan: PlanName): AsyncGenerator<Surface> {
    const person = await signedUp(market.service, `${plan}${++people}@example.com`, plan);
    const open = async (path: string, isVisitor: boolean): Promise<Surface> => {
      const url = `${market.service.baseUrl}${path}`;
      const page = isVisitor
        ? await fetch(url).then(async (reply) => ({ status: reply.status, html: await reply.text() }))
        : await person.browser.open(url);
      const name = `${isVisitor ? 'visitor' : plan} ${path}`;
      assert.equal(page.status, 200, `${name}: ${page.html.slice(0, 200)}`);
      const found = TIMES_OF_SERVICE.test(path) ? [] : [...page.html.matchAll(ISO_TIME)];
      const times = found.map(([text]) => ['', Date.parse(text)] as const);
      return { name, text: page.html, times };
    };
    for (const path of pagePaths()) {
      yield await open(path, false);
      if (plan === 'demo') yield await open(path, true);
    }
  }

  async function* lakeSurfaces(plan: PlanName): AsyncGenerator<Surface> {
    const key = await newKey(plan);
    const reply = await getAs(key, '/lake/manifest.json');
    const { days }: Manifest = readManifest(await reply.text(), 'manifest');
    assert.ok(days.length > 0, plan);
    const [first, last] = [days[0], days.at(-1)];
    const middle = days.filter((_, i) => i % 97 === 50);
    for (const day of [first, ...middle, last])
      for (const { path } of day?.files ?? []) {
        const file = await getAs(key, `/lake/${path}`);
        assert.equal(file.status, 200, `${plan} ${path}`);
        yield await readAnswer(`${plan} /lake/${path}`, 'parquet', Buffer.from(await file.arrayBuffer()));
      }
    const before = isoTime(Date.parse(first?.day ?? '') - DAY_MS).slice(0, 10);
    const status = PLANS[plan].historyDays === null ? 404 : 403;
    assert.equal(
      (await getAs(await newKey(plan), `/lake/prints/${before}.parquet`)).status,
      status,
      `${plan} ${before}`,
    );
  }

  const assertInPlan = ({ name, text, times }: Surface, plan: PlanName, isHistory: boolean) => {
    const { delaySeconds, historyDays } = PLANS[plan];
    const latestMs = nowMs - delaySeconds * SECOND_MS;
    for (const marker of markersBeyond(plan))
      assert.ok(!marker.test(text), `${name} has ${marker}: …${around(text, marker)}…`);
    for (const [field, timeMs] of times) {
      if (NOT_OF_DATA.test(field)) continue;
      assert.ok(timeMs <= latestMs || timeMs > nowMs, `${name}: ${field} is ${isoTime(timeMs)}, too new`);
      if (isHistory && historyDays !== null)
        assert.ok(
          timeMs >= latestMs - historyDays * DAY_MS,
          `${name}: ${field} is ${isoTime(timeMs)}, too old`,
        );
    }
  };
  const isHistory = ({ parameters }: AnyOperation) => 'days' in parameters && 'coin' in parameters;

  for (const plan of PLAN_NAMES) {
    test(`${plan}: REST in JSON, CSV and Parquet`, async () => {
      let surfaces = 0;
      for await (const surface of restSurfaces(plan)) {
        surfaces++;
        assertInPlan(surface, plan, isHistory(surface.operation));
      }
      assert.ok(surfaces > 2 * OPERATIONS.length, `${surfaces} answers`);
    });

    test(`${plan}: a window that starts before the history of the plan is refused`, async () => {
      const { historyDays } = PLANS[plan];
      for (const operation of OPERATIONS.filter((one) => isHistory(one) && 'from' in one.parameters)) {
        const key = await newKey(plan);
        const fromMs = nowMs - ((historyDays ?? 797) + 2) * DAY_MS;
        const window = { from: isoTime(fromMs), to: isoTime(fromMs + DAY_MS) };
        const path = `/api/v1${addressOf(operation, { ...queriesOf(operation)[0], ...window })}`;
        for (const format of formatsOf(operation)) {
          const reply = await getAs(key, `${path}&format=${format}`);
          assert.equal(reply.status, historyDays === null ? 200 : 403, `${plan} ${path}`);
          if (historyDays !== null) assert.match(await reply.text(), /"plan-limit"/);
        }
        if (!operation.tool || historyDays === null) continue;
        const outcome = await callTool(market.service.baseUrl, key, operation.tool.name, {
          ...queriesOf(operation)[0],
          ...window,
        });
        assert.match(JSON.stringify(outcome), /plan-limit|plan includes/, `${plan} ${operation.tool.name}`);
      }
    });

    test(`${plan}: streams`, async () => {
      for await (const surface of streamSurfaces(plan)) assertInPlan(surface, plan, false);
    });

    test(`${plan}: MCP`, async () => {
      for await (const surface of mcpSurfaces(plan)) assertInPlan(surface, plan, false);
    });

    test(`${plan}: pages and their Markdown`, async () => {
      for await (const surface of pageSurfaces(plan)) assertInPlan(surface, plan, false);
    });

    test(`${plan}: the lake`, async () => {
      for await (const surface of lakeSurfaces(plan)) assertInPlan(surface, plan, true);
    });
  }

  test('the figures that are looked for are there for a plan that has them', async () => {
    const seen = new Map<string, Set<string>>();
    const note = (kind: string, text: string) => {
      const own = seen.get(kind) ?? new Set();
      seen.set(kind, own);
      for (const marker of allMarkers()) if (marker.test(text)) own.add(String(marker));
    };
    for await (const { format, text } of restSurfaces('business')) note(format, text);
    for await (const { text } of mcpSurfaces('business')) note('MCP', text);
    for await (const { text } of streamSurfaces('business')) note('stream', text);
    for await (const { text } of lakeSurfaces('business')) note('lake', text);
    const key = await newKey('business');
    for (const { days } of OLD) {
      const fromMs = nowMs - (days + 8) * DAY_MS;
      const window = `from=${isoTime(fromMs)}&to=${isoTime(fromMs + 5 * DAY_MS)}`;
      for (const path of [
        `funding/history?coin=BTC&${window}`,
        `funding/history?coin=BTC&exchange=Binance&resolution=settlement&${window}`,
        `funding/running?coin=BTC&exchange=Binance&step=5m&${window}`,
      ])
        note('window', await (await getAs(key, `/api/v1/${path}`)).text());
    }
    const has = (kind: string, ...wanted: readonly (number | string)[]) => {
      for (const one of wanted)
        assert.ok(
          seen.get(kind)?.has(String(markerOf(one))),
          `${kind} has no ${one}: ${[...(seen.get(kind) ?? [])].join()}`,
        );
    };
    for (const kind of ['json', 'csv', 'MCP']) has(kind, YOUNG.ratePct, YOUNG.printPct);
    has('stream', YOUNG.ratePct);
    has('lake', ...OLD.map(({ ratePct }) => ratePct));
    has('window', ...OLD.flatMap(({ ratePct, runningPct, aprPct }) => [ratePct, runningPct, aprPct]));
    const pages: string[] = [];
    for await (const { name, text } of pageSurfaces('business'))
      if (allMarkers().some((marker) => marker.test(text))) pages.push(name);
    for (const end of ['/funding/BTC', '/funding/BTC.md', '/funding/BTC/history?days=180'])
      assert.ok(pages.includes(`business ${end}`), `${end} has none of them: ${pages.join(', ')}`);
  });
});

function formatsOf({ formats }: AnyOperation): readonly string[] {
  return ['json', ...(formats?.names ?? [])];
}

function queriesOf({ parameters }: AnyOperation): Record<string, string>[] {
  const query = Object.fromEntries(Object.entries(EXAMPLE).filter(([name]) => name in parameters));
  if (!('resolution' in parameters)) return [query];
  return [
    { ...query, resolution: 'settlement' },
    { ...query, resolution: '1d' },
  ];
}

function pathNames({ path }: AnyOperation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function addressOf({ path }: AnyOperation, query: Record<string, string>): string {
  return `${path.replace(/\{\w+\}/, EXAMPLE.coin)}?${new URLSearchParams(query)}`;
}

function pagePaths(): string[] {
  const pair = 'coin=BTC&long_exchange=Binance&short_exchange=Bybit';
  const queries: Readonly<Record<string, readonly string[]>> = {
    '/arbitrage/pair': [`?${pair}`, `?${pair}&days=180`],
    '/spreads/backtest/pair': ['?coin=BTC&exchange_a=Binance&exchange_b=Bybit'],
    '/funding/:coin/history': ['', '?days=180', '?days=365', '?resolution=settlement&days=92'],
    '/funding/:coin/open-interest': ['', '?days=180'],
    '/search': ['?q=BTC'],
  };
  return MARKET_PAGES.flatMap((page) =>
    (queries[page.path] ?? ['']).flatMap((query) =>
      [page.path, markdownPathOf(page)].map(
        (path) => path.replace(':coin', 'BTC').replace(/:(exchange|venue|name)/, 'Binance') + query,
      ),
    ),
  );
}

const ISO_TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g;

function timesIn(value: unknown, name = ''): [string, number][] {
  if (value instanceof Date) return [[name, value.getTime()]];
  if (typeof value === 'string')
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) ? [[name, Date.parse(value)]] : [];
  if (Array.isArray(value)) return value.flatMap((one) => timesIn(one, name));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, one]) => timesIn(one, field));
}

async function readAnswer(name: string, format: string, bytes: Buffer): Promise<Surface> {
  if (format === 'json') {
    const text = bytes.toString();
    return { name, text, times: timesIn(JSON.parse(text)) };
  }
  if (format === 'csv') {
    const text = bytes.toString();
    const [head = '', ...lines] = text.split('\r\n');
    const names = head.split(',');
    const times = lines.flatMap((line) =>
      line.split(',').flatMap((cell, place) => timesIn(cell, names[place] ?? '')),
    );
    return { name, text, times };
  }
  const rows = await parquetReadObjects({
    file: Uint8Array.from(bytes).buffer,
    compressors: { ZSTD: (input) => zstdDecompressSync(input) },
  });
  const text = JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
  // A lake file says when a row was learned; that is no time of its data.
  return { name, text, times: timesIn(rows).filter(([field]) => field !== 'known_at') };
}

function markerOf(value: number | string): RegExp {
  return new RegExp(`(?<![\\d.])${String(value).replace('.', '\\.')}(?!\\d)`);
}

const CENTS = /\d\.4321(?!\d)/;

function markersBeyond(plan: PlanName): RegExp[] {
  const { delaySeconds, historyDays } = PLANS[plan];
  const old = OLD.filter(({ days }) => historyDays !== null && days >= historyDays);
  return [
    ...old.flatMap(({ ratePct, runningPct, aprPct }) => [ratePct, runningPct, aprPct].map(markerOf)),
    ...(delaySeconds > 0 ? [markerOf(YOUNG.ratePct), markerOf(YOUNG.printPct), CENTS] : []),
  ];
}

function allMarkers(): RegExp[] {
  return [...markersBeyond('demo')];
}

function around(text: string, marker: RegExp): string {
  const at = text.search(marker);
  return text.slice(Math.max(0, at - 120), at + 60).replaceAll(/\s+/g, ' ');
}

/** The zone of an age; null inside the shortest history. */
function zoneOf(timeMs: number) {
  return OLD.findLast(({ days }) => START_MS - timeMs > days * DAY_MS) ?? null;
}

/** Of every linear contract of BTC on two venues. */
function btcContracts({ service: { context } }: FilledMarket) {
  return context.market
    .states()
    .filter(
      ({ venue, contract: { base, isInverse } }) =>
        base === 'BTC' && !isInverse && ['Binance', 'Bybit'].includes(venue.facts.exchange),
    )
    .map(({ venue, contract: { venueSymbol, quote } }) => ({
      ...{ exchange: venue.facts.exchange, venueSymbol, coin: 'BTC', symbol: `BTC-${quote}` },
    }));
}

async function keepOldPrints(market: FilledMarket): Promise<void> {
  const prints = [];
  const startMs = Math.floor(START_MS / DAY_MS - HISTORY_DAYS) * DAY_MS;
  for (let timeMs = startMs; timeMs < START_MS; timeMs += DAY_MS / 3) {
    const zone = zoneOf(timeMs);
    if (zone) prints.push({ minute: timeMs / MINUTE_MS, ratePct: zone.ratePct });
  }
  for (const names of btcContracts(market))
    await market.service.history.keeper.submit({
      names: { ...names, isInverse: false, listedAtMs: null },
      ...{ prints, walked: null, onConflict: 'replace' },
    });
}

/** A day of the running rate in the middle of each zone. */
async function keepOldTape(market: FilledMarket): Promise<void> {
  const { db } = market.service.context.storage;
  const ids = await new TapeNumbers(db).idsOf(btcContracts(market), null);
  for (const { days, runningPct } of OLD) {
    const day = Math.floor(START_MS / DAY_MS) - days - 6;
    const series = new TapeSeries(day * 1440, 1440);
    series.column('ratePct').fill(runningPct);
    series.column('intervalHours').fill(8);
    for (const id of ids)
      for (const [part, block] of encodeDay(series).entries())
        await db
          .insertInto('tape_days')
          .values({ id: tapeDayId(day, id, part), block })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet((excluded) => ({ block: excluded.ref('excluded.block') })),
          )
          .execute();
  }
}

/** Rates and prices that only the newest snapshot has, and a settlement of five minutes ago. */
async function publishYoung(market: FilledMarket): Promise<void> {
  const { service, clock } = market;
  for (const venue of service.context.venues) {
    const batch = emptyBatch();
    for (const { contract, top } of service.context.market.statesOf(venue)) {
      const { venueSymbol } = contract;
      const quote = { ratePct: YOUNG.ratePct, nextFundingAtMs: undefined, intervalHours: undefined };
      batch.fundingQuotes.push({ venueSymbol, ...quote, venueTimeMs: null });
      if (!top || top.bidPrice < 1_000) continue;
      const price = Number(`${Math.floor(top.bidPrice)}${YOUNG.cents}`);
      batch.bookTops.push({ ...top, venueSymbol, bidPrice: price, askPrice: price + 1, venueTimeMs: null });
      batch.marketFigures.push({ venueSymbol, markPrice: price, indexPrice: price, openInterestUsdt: null });
    }
    service.collectorOptions(venue).accept(venue, batch, clock.nowMs(), new Map());
  }
  const print = { minute: clock.nowMs() / MINUTE_MS - 5, ratePct: YOUNG.printPct };
  for (const names of btcContracts(market))
    await service.history.keeper.submit({
      names: { ...names, isInverse: false, listedAtMs: null },
      ...{ prints: [print], walked: null, onConflict: 'replace' },
    });
  await service.publisher.publish(clock.nowMs());
  await service.spreads.publish(clock.nowMs());
  await service.listings.publish(clock.nowMs());
}
