import { Universe } from '../../sim/contracts.ts';
import { NO_FAULTS } from '../../sim/faults.ts';
import { unit } from '../../sim/noise.ts';
import type { SimVenue } from '../../sim/venue.ts';
import { SIM_VENUES } from '../../sim/venues/registry.ts';
import { viewAt } from '../../sim/view.ts';
import { DAY_MS, HOUR_MS } from '../../src/base/times.ts';
import type { Announcement, Contract, ContractList } from '../../src/venues/observations.ts';
import { VENUES } from '../../src/venues/registry.ts';
import type { BulkPoll, Venue } from '../../src/venues/venue.ts';
import { sendToSim } from '../support/observe.ts';

/** Some venues open a fraction of a second after the hour, so observations are not made on the hour. */
export const START_MS = Date.UTC(2026, 1, 2, 0, 5);
export const DAYS = 60;
export const STEP_MS = HOUR_MS;
const NOTICES_EVERY_STEPS = 3;
export const SEED = 5;
const COINS = 6;

export const universe = new Universe(SEED, COINS);

type ListFault = 'failed' | 'empty' | 'short';

/** Every few days a venue's lists fail for some hours, and its notices at other times; never in the first hours. */
function outage(slug: string, what: string, atMs: number): number | null {
  const block = Math.floor((atMs - START_MS) / (6 * DAY_MS));
  const draw = (name: string) => unit(`${what} ${name} ${slug} ${block}`, SEED);
  const fromMs = START_MS + block * 6 * DAY_MS + (6 + Math.floor(draw('start') * 100)) * HOUR_MS;
  const lengthMs = (1 + Math.floor(draw('length') * 9)) * HOUR_MS;
  return atMs >= fromMs && atMs < fromMs + lengthMs ? draw('kind') : null;
}

export function listFault(slug: string, atMs: number): ListFault | null {
  const kind = outage(slug, 'lists', atMs);
  return kind === null ? null : kind < 0.4 ? 'failed' : kind < 0.7 ? 'empty' : 'short';
}

/** Whether the venue's notices are polled at the time, with success. */
export function hasNotices(slug: string, atMs: number): boolean {
  if (((atMs - START_MS) / STEP_MS) % NOTICES_EVERY_STEPS !== 0) return false;
  return outage(slug, 'notices', atMs) === null;
}

export interface Observed {
  lists: ContractList[];
  notices: Announcement[];
}

interface SimulatedVenue {
  venue: Venue;
  sim: SimVenue;
  /** The venue's lists and notices at the time, through its wire format and with faults. */
  observe(atMs: number): Promise<Observed>;
}

export function simulatedVenues(): SimulatedVenue[] {
  return VENUES.map((venue) => {
    const sim = SIM_VENUES.find((candidate) => candidate.profile.slug === venue.slug);
    if (!sim) throw new Error(`no simulator for ${venue.slug}`);
    return { venue, sim, observe: (atMs) => observe(venue, sim, atMs) };
  });
}

async function observe(venue: Venue, sim: SimVenue, atMs: number): Promise<Observed> {
  const contracts = new Map<string, Contract>();
  const fault = listFault(venue.slug, atMs);
  const view = viewAt(universe, sim.profile, atMs, { ...NO_FAULTS, empty: fault === 'empty' });
  const context = { send: sendToSim(sim, view), contracts };
  const polls = venue.polls.filter((poll): poll is BulkPoll => poll.kind === 'bulk');
  const lists: ContractList[] = [];
  const notices: Announcement[] = [];
  for (const poll of polls.filter((one) => one.gives.includes('contracts'))) {
    if (fault === 'failed') continue;
    const { contractList } = await poll.collect(context);
    if (contractList) lists.push(fault === 'short' ? shortened(contractList) : contractList);
  }
  if (hasNotices(venue.slug, atMs)) {
    for (const poll of polls.filter((one) => one.gives.includes('notices')))
      notices.push(...(await poll.collect(context)).announcements);
  }
  return { lists, notices };
}

/** An incomplete list: its first third. */
function shortened({ part, contracts }: ContractList): ContractList {
  return { part, contracts: contracts.slice(0, Math.floor(contracts.length / 3)) };
}
