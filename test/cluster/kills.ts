import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { simOf, venueOf } from '../history/keeping.ts';
import { until } from '../support/until.ts';
import { Deployment, get, leasesOf, type Member, untilServing } from './deployment.ts';
import { KILLS_STRETCH, type Market, marketOn, openedIn } from './listing-seed.ts';
import { Load, listingId, type Outcome, seeded } from './load.ts';
import { framesHeld, printsHeld, query, untilListsStored, venueSymbolsListed } from './stored.ts';

interface KillsOptions {
  kills: number;
  seed: number;
  /** Whether Redis and PostgreSQL are killed too, alone and together with a process. */
  withServers: boolean;
  /** Told what is killed, and how long the service takes to publish again. */
  say?: (line: string) => void;
}

const { venues: VENUES, coins: COINS } = KILLS_STRETCH;
const DAY_MS = 24 * 3_600_000;
const REQUESTS_PER_SECOND = 30;

type Victim = Member | 'Redis' | 'PostgreSQL';

/** Kills processes at random under load, and asserts that nothing is lost and that no client sees an error. */
export async function runKills({
  kills,
  seed,
  withServers,
  say = () => undefined,
}: KillsOptions): Promise<void> {
  const market = marketOn(KILLS_STRETCH, Date.now());
  const deployment = await Deployment.start({
    venues: VENUES,
    coins: COINS,
    seed: market.seed,
    settings: { HISTORY_DAYS: '30' },
  });
  const { sim } = deployment;
  sim.time.holdAt(market.startMs);
  const random = seeded(seed);
  try {
    const roles = ['collector', 'collector', 'api', 'api', 'api'] as const;
    await Promise.all(roles.map((role) => deployment.add(role)));
    const ports = deployment.members.filter(({ role }) => role === 'api').map(({ port }) => port);
    const keys = await Promise.all([0, 1, 2].map(() => deployment.key('business')));
    const waitingKey = await deployment.key('business');
    for (const member of deployment.members)
      if (member.role === 'api') await untilServing(member, waitingKey);
    await untilListsStored(deployment.databaseUrl, VENUES);
    const load = new Load({
      targets: () => ports.map((port) => `http://127.0.0.1:${port}`),
      keys,
      perSecond: REQUESTS_PER_SECOND,
      random: seeded(seed + 1),
      withHistory: true,
    });
    load.start();
    const prints = new PrintCounts(deployment.databaseUrl);
    let starting: Promise<unknown> = Promise.resolve();
    for (let kill = 1; kill <= kills; kill++) {
      sim.time.holdAt(market.startMs + Math.round(((market.endMs - market.startMs) * kill) / kills));
      await wait(200 + random() * 800);
      await prints.note();
      const victims = victimsOf(deployment.members, random, withServers);
      say(`kill ${kill}: ${victims.map((one) => (typeof one === 'string' ? one : one.name)).join(' and ')}`);
      // The next process may be killed before the successor of this one has started, but a server must be back.
      await starting;
      const dying = await killAll(deployment, victims, random);
      starting = Promise.all(dying.map(({ role, port }) => deployment.add(role, port)));
      if (withServers) await publishedAgain(deployment, say);
    }
    await starting;
    await until(() => load.listings.size > 0, 'a client that sees a listing');
    await load.stop();

    // New collectors request everything at once instead of at the next settlement.
    const former = deployment.members.filter(({ role }) => role === 'collector');
    await Promise.all(former.map((member) => deployment.kill(member)));
    await Promise.all(former.map(() => deployment.add('collector')));
    const living = deployment.members.filter(({ role }) => role === 'collector');
    await until(async () => (await Promise.all(living.map(leasesOf))).flat().length === 1);

    assert.deepEqual(
      load.wrong.filter((outcome) => !(withServers && isWithoutDatabase(outcome))),
      [],
      'only 200, 304, 429 and refused connections, and 503 for history without PostgreSQL',
    );
    const answered = load.statuses.get('200') ?? 0;
    assert.ok(answered > kills * 5, `the load was real: ${JSON.stringify([...load.statuses])}`);
    say(`answers: ${JSON.stringify(Object.fromEntries(load.statuses))}`);
    const api = deployment.members.find(({ role }) => role === 'api') as Member;
    await checkCounts(deployment, load, api, keys, kills, say);
    await checkListings(deployment, load, api, keys[0] ?? '', market);
    await checkPrints(deployment, prints);
  } finally {
    await deployment.stop();
  }
}

function victimsOf(members: readonly Member[], random: () => number, withServers: boolean): Victim[] {
  const member = members[Math.floor(random() * members.length)] as Member;
  if (!withServers) return [member];
  const share = random();
  if (share < 0.4) return [member];
  const server = random() < 0.5 ? 'Redis' : 'PostgreSQL';
  if (share < 0.6) return [server];
  if (share < 0.9) return [server, member];
  return ['Redis', 'PostgreSQL'];
}

/** Resolves when the servers are back, with the processes that are to be started again. */
async function killAll(
  deployment: Deployment,
  victims: readonly Victim[],
  random: () => number,
): Promise<Member[]> {
  const dying = victims.filter((one) => typeof one !== 'string');
  const isKilled = (server: string) => victims.includes(server as Victim);
  if (isKilled('PostgreSQL')) await deployment.postgres.halt();
  await Promise.all(dying.map((member) => deployment.kill(member)));
  if (isKilled('Redis')) await deployment.emptyRedis();
  if (isKilled('PostgreSQL')) {
    await wait(random() * 2000);
    await deployment.postgres.resume();
  }
  return dying;
}

async function publishedAgain({ databaseUrl }: Deployment, say: (line: string) => void): Promise<void> {
  const fromMs = Date.now();
  await until(async () => Math.max(...(await framesHeld(databaseUrl, 'funding'))) > fromMs, 'a new snapshot');
  say(`  a new snapshot after ${((Date.now() - fromMs) / 1000).toFixed(1)} s`);
}

/** Only the database has history, and snapshots that this process had not received. */
function isWithoutDatabase({ status, path }: Outcome): boolean {
  return status === 503 && (path.startsWith('/api/v1/funding/history') || path.includes('&cursor='));
}

/** Compares the counted requests of each key with the answers of its clients. */
async function checkCounts(
  deployment: Deployment,
  load: Load,
  api: Member,
  keys: readonly string[],
  kills: number,
  say: (line: string) => void,
): Promise<void> {
  for (const key of keys) {
    const used = await deployment.usedBy(api, key);
    const [counted, sent] = [load.counted.get(key) ?? 0, load.sent.get(key) ?? 0];
    say(`counted ${used} of ${counted} answered and ${sent} sent`);
    // Each kill may lose the documented second of counting.
    const mayMiss = (kills * REQUESTS_PER_SECOND) / keys.length;
    assert.ok(used >= counted - mayMiss, `${used} counted of ${counted} answered`);
    assert.ok(used <= sent + 10, `${used} counted of ${sent} sent`);
  }
}

async function checkListings(
  deployment: Deployment,
  load: Load,
  api: Member,
  key: string,
  market: Market,
): Promise<void> {
  const rows = async () => {
    const all: Record<string, unknown>[] = [];
    for (let cursor = ''; ; ) {
      const page = await get(api.baseUrl, `/api/v1/listings?limit=500${cursor}`, key);
      all.push(...page.body.data);
      const next = page.body.meta.next_cursor;
      if (next === undefined) return all;
      cursor = `&cursor=${next}`;
    }
  };
  const opened = openedIn(deployment.sim.universe, VENUES, market);
  const venueSymbols = await venueSymbolsListed(deployment.databaseUrl);
  await until(
    async () => {
      const known = await venueSymbolsListed(deployment.databaseUrl);
      return opened.every((one) => known.has(one));
    },
    `a row for each of ${opened.join(', ')} in ${[...venueSymbols].join(', ')}`,
  );
  const ids = (await rows()).map(listingId);
  assert.equal(new Set(ids).size, ids.length);
  const held = new Set(ids);
  assert.ok(load.listings.size > 0, 'clients saw rows');
  for (const seen of load.listings.keys())
    assert.ok(held.has(seen), `a row that was seen is still there: ${seen}`);
}

/** Prints per contract. Their number must never decrease. */
class PrintCounts {
  readonly #databaseUrl: string;
  #before = new Map<number, number>();

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  async note(): Promise<void> {
    const rows = await query<{ id: number; print_count: number }>(
      this.#databaseUrl,
      'select id::int, print_count::int from settlement_contracts',
    );
    const now = new Map(rows.map((row) => [row.id, row.print_count]));
    for (const [id, count] of this.#before) assert.ok((now.get(id) ?? 0) >= count, 'no print is lost');
    this.#before = now;
  }
}

/** Checks that every print the venues settled is stored once, with the settled rate. */
async function checkPrints(deployment: Deployment, prints: PrintCounts): Promise<void> {
  const { sim, databaseUrl } = deployment;
  const wanted = new Map<string, number>();
  for (const slug of VENUES) {
    const view = sim.view(slug);
    const fromMs = view.nowMs - 20 * DAY_MS;
    for (const contract of sim.universe.at(simOf(slug).profile, view.nowMs)) {
      if (contract.listedAtMs > fromMs || contract.delistsAtMs !== null) continue;
      const settled =
        simOf(slug).settledPrints?.(contract, view, fromMs, view.nowMs) ??
        view.settlements(contract, fromMs, view.nowMs);
      wanted.set(`${venueOf(slug).facts.exchange} ${contract.venueSymbol}`, settled.length);
    }
  }
  assert.ok(wanted.size > 20);
  let missing: string[] = [];
  const isComplete = async () => {
    const held = await printsHeld(databaseUrl, sim.view(VENUES[0] ?? '').nowMs - 20 * DAY_MS);
    missing = [...wanted].flatMap(([name, count]) =>
      held.get(name) === count ? [] : [`${name}: ${held.get(name)} of ${count}`],
    );
    return missing.length === 0;
  };
  await until(isComplete, 'every print held').catch(() => assert.deepEqual(missing, []));
  await prints.note();
}
