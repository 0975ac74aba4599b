import { Universe } from '../../sim/contracts.ts';
import { SIM_VENUES } from '../../sim/venues/registry.ts';
import { viewAt } from '../../sim/view.ts';
import type { Contract } from '../../src/venues/observations.ts';
import { VENUES } from '../../src/venues/registry.ts';
import type { Poll, Topic, Venue, VenueReply, VenueRequest } from '../../src/venues/venue.ts';
import { sendToSim, whileOpen } from '../../test/support/observe.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { sized } from '../size.ts';

/** Parsing the replies with market data of each venue beside JSON.parse alone on the same bytes. */
const COINS = sized(250, 100, 3);
const AT_MS = Date.UTC(2026, 10, 1, 12, 34);
/** All venues in turns, as in the service: readers that they share see the rows of all of them. */
const WARM_UP_ROUNDS = sized(60, 30, 1);
const ROUNDS = sized(60, 20, 1);
const MOST_RATIO = 1.5;
const NO_MARKET_DATA: readonly Topic[] = ['contracts', 'interval', 'notices'];

interface Recorded {
  exchange: string;
  contracts: number;
  bytes: number;
  isPerContract: boolean;
  /** Parses all replies again. */
  parse(): Promise<void>;
  json(): void;
}

async function recorded(venue: Venue): Promise<Recorded | null> {
  const sim = SIM_VENUES.find((one) => one.profile.slug === venue.slug);
  if (!sim) return null;
  const view = viewAt(new Universe(1, COINS), sim.profile, whileOpen(venue, AT_MS));
  const send = sendToSim(sim, view);
  const contracts = new Map<string, Contract>();
  for (const poll of venue.polls) {
    if (poll.kind !== 'bulk' || !poll.gives.includes('contracts')) continue;
    const { contractList } = await poll.collect({ send, contracts });
    for (const contract of contractList?.contracts ?? []) contracts.set(contract.venueSymbol, contract);
  }
  const isMarketData = ({ gives }: Poll) => gives.some((topic) => !NO_MARKET_DATA.includes(topic));
  const bulk = venue.polls.filter((poll) => poll.kind === 'bulk' && isMarketData(poll));
  const polls = bulk.length > 0 ? bulk : venue.polls.filter(isMarketData);
  const texts: string[] = [];
  const run = async (sendOne: (request: VenueRequest) => Promise<VenueReply>) => {
    for (const poll of polls) {
      if (poll.kind === 'bulk') await poll.collect({ send: sendOne, contracts });
      else
        for (const contract of contracts.values())
          if (poll.applies(contract)) await poll.collect(contract, { send: sendOne, contracts });
    }
  };
  await run(async (request) => {
    const reply = await send(request);
    texts.push(JSON.stringify(reply.payload));
    return reply;
  });
  if (texts.length === 0) return null;
  const payloads = texts.map((text) => JSON.parse(text) as unknown);
  return {
    exchange: venue.facts.exchange,
    contracts: contracts.size,
    bytes: texts.reduce((sum, text) => sum + text.length, 0),
    isPerContract: bulk.length === 0,
    parse: async () => {
      let next = 0;
      await run(async () => ({ payload: payloads[next++], receivedAtMs: AT_MS }));
    },
    json: () => {
      for (const text of texts) JSON.parse(text);
    },
  };
}

/** A run takes less than a time slice of the scheduler, so the median is a run that nothing interrupted. */
function median(samples: number[]): number {
  return samples.sort((a, b) => a - b)[samples.length >> 1] ?? 0;
}

async function parsing(): Promise<BenchResult[]> {
  const all = (await Promise.all(VENUES.map(recorded))).filter((one) => one !== null);
  const times = all.map((venue) => ({ venue, parseMs: [] as number[], jsonMs: [] as number[] }));
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    for (const { venue, parseMs, jsonMs } of times) {
      const startedMs = performance.now();
      await venue.parse();
      const parsedMs = performance.now();
      venue.json();
      if (round < WARM_UP_ROUNDS) continue;
      parseMs.push(parsedMs - startedMs);
      jsonMs.push(performance.now() - parsedMs);
    }
  }
  return times.map(({ venue, parseMs, jsonMs }) => {
    const { exchange, bytes, contracts, isPerContract } = venue;
    return result({
      name: `${exchange}: our parser on ${Math.round(bytes / 1024)} kB, ${contracts} contracts${isPerContract ? ', one reply each' : ''}`,
      value: median(parseMs),
      unit: 'ms',
      baseline: 'JSON.parse of the same bytes',
      baselineValue: median(jsonMs),
      target: { at: 'most', ratio: MOST_RATIO },
    });
  });
}

export const cases: BenchCase[] = [{ name: 'parsing', isOneCore: true, run: parsing }];
