import { gzipSync } from 'node:zlib';
import { Universe } from '../sim/contracts.ts';
import { SIM_VENUES } from '../sim/venues/registry.ts';
import { viewAt } from '../sim/view.ts';
import type { Contract } from '../src/venues/observations.ts';
import type { Poll, Venue, VenueRequest } from '../src/venues/venue.ts';
import { sendToSim } from '../test/support/observe.ts';

/** Perpetuals that the venues listed in September 2026, as far as somebody counted them. */
const COUNTED: Readonly<Record<string, number>> = {
  ...{ binance: 900, bybit: 869, bitget: 847, gate: 983, kucoin: 684, htx: 357, bingx: 1269, woox: 223 },
  ...{ deribit: 131, phemex: 134, hyperliquid: 178, aster: 594, paradex: 63, backpack: 103, weex: 995 },
  ...{ toobit: 767, blofin: 488, xt: 721, whitebit: 397, btse: 211, bitunix: 725, extended: 323 },
  ...{ edgex: 170, pacifica: 76, grvt: 194, orderly: 139, pionex: 567, nado: 71, tradexyz: 109, paragon: 27 },
  ...{ lighterrh: 58, ourbit: 735, deepcoin: 353, cryptocom: 396, bitfinex: 79, polymarket: 90 },
  ...{ orangex: 578, apex: 125, variational: 547, standx: 13, ondo: 61, arcus: 58, sodex: 91 },
  ...{ deltaindia: 220 },
};

/** Replies are measured with the first number, and contracts that nobody counted are those of the second. */
const COINS = { measured: 60, assumed: 250 };
const AT_MS = Date.UTC(2026, 10, 1, 12, 34);
const SECONDS_PER_DAY = 86_400;

interface Traffic {
  contracts: number;
  isCounted: boolean;
  callsPerDay: number;
  plainBytesPerDay: number;
  gzipBytesPerDay: number;
}

/** What the polls of a venue receive in a day: the simulator's replies in its wire format, scaled to the venue's contracts. */
async function trafficOf(venue: Venue): Promise<Traffic | null> {
  const sim = SIM_VENUES.find(({ profile }) => profile.slug === venue.slug);
  if (!sim || venue.facts.endedAt) return null;
  const viewOf = (coins: number) => viewAt(new Universe(1, coins), sim.profile, AT_MS);
  const send = sendToSim(sim, viewOf(COINS.measured));
  const listed = COUNTED[venue.slug] ?? viewOf(COINS.assumed).contracts.length;
  const contracts = new Map<string, Contract>();
  const sums = { callsPerDay: 0, plainBytesPerDay: 0, gzipBytesPerDay: 0 };
  const listFirst = venue.polls.toSorted(
    (a, b) => Number(b.gives.includes('contracts')) - Number(a.gives.includes('contracts')),
  );
  /** Replies about all contracts grow with them; so does the number of calls that are made for each contract. */
  const growthOf = (poll: Poll) => (poll.gives.includes('notices') ? 1 : listed / contracts.size);
  for (const poll of listFirst) {
    const replies: { plain: number; gzip: number }[] = [];
    const measured = async (request: VenueRequest) => {
      const reply = await send(request);
      const text = JSON.stringify(reply.payload);
      replies.push({ plain: Buffer.byteLength(text), gzip: gzipSync(text).length });
      return reply;
    };
    if (poll.kind === 'bulk') {
      const batch = await poll.collect({ send: measured, contracts });
      for (const contract of batch.contractList?.contracts ?? [])
        contracts.set(contract.venueSymbol, contract);
    } else
      for (const contract of contracts.values())
        if (poll.applies(contract)) await poll.collect(contract, { send: measured, contracts });
    const runs = SECONDS_PER_DAY / poll.everySeconds;
    const growth = growthOf(poll);
    sums.callsPerDay += runs * replies.length * (poll.kind === 'each' ? growth : 1);
    for (const { plain, gzip } of replies) {
      sums.plainBytesPerDay += runs * plain * growth;
      sums.gzipBytesPerDay += runs * gzip * growth;
    }
  }
  return {
    contracts: listed,
    isCounted: COUNTED[venue.slug] !== undefined,
    ...sums,
  };
}

export const TRAFFIC_TEXT = {
  method: [
    '### Bytes per day',
    '',
    'What the polls of a venue receive in a day, in megabytes. `scripts/venue-traffic.ts` computes it: every poll is made once on the',
    'simulator, which sends the wire format of the venue; the size of its replies, plain and compressed with gzip, is multiplied by the',
    'runs of a day and scaled to the number of contracts that the venue listed in September 2026. Where nobody counted them, it is the',
    'number of a simulated market of 250 coins. Streams, settled history and order books for samples are not in it. A running service',
    'counts what it really receives: `perpwire_venue_received_bytes_total`.',
  ],
  titles: ['Venue', 'Contracts', 'Calls', 'Plain', 'Compressed'],
  compression: [
    'Every call has `Accept-Encoding: gzip, br`. Whether a venue compresses is its choice; no recording has headers, so it is not known',
    'for each of them. A reply to a repeated call with an `ETag` or `Last-Modified` is kept, and the next call asks the venue to confirm it',
    '(`If-None-Match`, `If-Modified-Since`): a 304 has no body. None of our sources says which venues support that, and most replies',
    'change with every call, so little is to be gained except on lists of contracts.',
  ],
};

/** Two digits: the market is simulated, so more would be false. */
function rounded(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en-US');
}

/** The rows of the table: venue, contracts, calls, megabytes plain and compressed; the last row is the sum. */
export async function trafficRows(venues: readonly Venue[]): Promise<string[][]> {
  const all = await Promise.all(venues.map(async (venue) => ({ venue, traffic: await trafficOf(venue) })));
  const known = all.flatMap(({ venue, traffic }) => (traffic ? [{ venue, traffic }] : []));
  const sum = (field: 'callsPerDay' | 'plainBytesPerDay' | 'gzipBytesPerDay') =>
    known.reduce((total, { traffic }) => total + traffic[field], 0);
  const figures = (calls: number, plain: number, gzip: number) => [
    rounded(calls),
    rounded(plain / 1e6),
    rounded(gzip / 1e6),
  ];
  return [
    ...known.map(({ venue, traffic }) => [
      venue.facts.exchange,
      `${traffic.contracts}${traffic.isCounted ? '' : ' (simulated)'}`,
      ...figures(traffic.callsPerDay, traffic.plainBytesPerDay, traffic.gzipBytesPerDay),
    ]),
    [
      'all',
      String(known.reduce((total, { traffic }) => total + traffic.contracts, 0)),
      ...figures(sum('callsPerDay'), sum('plainBytesPerDay'), sum('gzipBytesPerDay')),
    ],
  ];
}
