import { Universe } from '../../sim/contracts.ts';
import { SIM_VENUES } from '../../sim/venues/registry.ts';
import { viewAt } from '../../sim/view.ts';
import type { Contract } from '../../src/venues/observations.ts';
import { VENUES } from '../../src/venues/registry.ts';
import type { Venue, VenueReply, VenueRequest } from '../../src/venues/venue.ts';
import { sendToSim, whileOpen } from '../../test/support/observe.ts';
import { type BenchCase, type BenchResult, result, timeTogether } from '../harness.ts';
import { sized } from '../size.ts';

/** Parsing each venue's bulk replies beside JSON.parse alone on the same bytes. */
const COINS = sized(250, 100, 3);
const AT_MS = Date.UTC(2026, 10, 1, 12, 34);

async function parsingOf(venue: Venue): Promise<BenchResult[]> {
  const sim = SIM_VENUES.find((one) => one.profile.slug === venue.slug);
  if (!sim) return [];
  const view = viewAt(new Universe(1, COINS), sim.profile, whileOpen(venue, AT_MS));
  const send = sendToSim(sim, view);
  const contracts = new Map<string, Contract>();
  const texts: string[] = [];
  const recording = async (request: VenueRequest): Promise<VenueReply> => {
    const reply = await send(request);
    texts.push(JSON.stringify(reply.payload));
    return reply;
  };
  const polls = venue.polls.filter((poll) => poll.kind === 'bulk');
  for (const poll of polls.filter((one) => one.gives.includes('contracts'))) {
    const batch = await poll.collect({ send, contracts });
    for (const contract of batch.contractList?.contracts ?? []) contracts.set(contract.venueSymbol, contract);
  }
  const live = polls.filter((one) => !one.gives.includes('contracts') && !one.gives.includes('notices'));
  for (const poll of live) await poll.collect({ send: recording, contracts });
  if (texts.length === 0) return [];

  // Replays the recorded replies; collecting is asynchronous, so the runs are timed one after the other.
  const payloads = texts.map((text) => JSON.parse(text) as unknown);
  const timeParse = async () => {
    let next = 0;
    const replay = async (): Promise<VenueReply> => ({ payload: payloads[next++], receivedAtMs: AT_MS });
    const startedMs = performance.now();
    for (const poll of live) await poll.collect({ send: replay, contracts });
    return performance.now() - startedMs;
  };
  const samples: number[] = [];
  for (let round = 0; round < 30; round++) samples.push(await timeParse());
  const parseMs = samples.slice(5).sort((a, b) => a - b)[12] ?? 0;
  const { json = 1 } = timeTogether({ json: () => texts.map((text) => JSON.parse(text)) }, 25);
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  return [
    result({
      name: `${venue.facts.exchange}: our parser on ${Math.round(bytes / 1024)} kB, ${contracts.size} contracts`,
      value: parseMs,
      unit: 'ms',
      baseline: 'JSON.parse of the same bytes',
      baselineValue: json,
    }),
  ];
}

export const cases: BenchCase[] = [
  {
    name: 'parsing',
    run: async () => {
      const results: BenchResult[] = [];
      for (const venue of VENUES) results.push(...(await parsingOf(venue)));
      return results;
    },
  },
];
