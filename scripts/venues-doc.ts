import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../src/base/times.ts';
import type { Contract } from '../src/venues/observations.ts';
import { VENUES } from '../src/venues/registry.ts';
import type {
  CollectContext,
  Poll,
  SourcedFact,
  Stream,
  Topic,
  Venue,
  VenueRequest,
} from '../src/venues/venue.ts';

/** `npm run docs:venues` writes docs/venues.md from the venues' own descriptions, so that the two cannot disagree. */
export const VENUES_DOC = join(import.meta.dirname, '../docs/venues.md');

const TOPICS: readonly Topic[] = [
  'contracts',
  'rate',
  'interval',
  'next settlement',
  'bid and ask',
  'sizes',
  'volume',
  'notices',
];

export async function venuesDoc(venues: readonly Venue[] = VENUES): Promise<string> {
  const details = await Promise.all(venues.map(detail));
  return `${[
    '# Venues',
    '',
    '<!-- Made by `npm run docs:venues` from `src/venues/*/venue.ts`; a test fails when the two differ. Edit the venue, not',
    'this page. How to add a venue is in adding-a-venue.md. -->',
    '',
    `Where the figures of each of the ${venues.length} venues come from: which public call or channel of the venue is read, how often,`,
    'and what the venue does not publish. What a field means, and in which unit it is, is in [data-rules.md](data-rules.md);',
    'how old the data of each venue is right now is on its [status page]({base_url}/status). Weights and budgets are in the venue’s own',
    'units; a budget is the part of the venue’s limit that the service uses at most.',
    '',
    '## At a glance',
    '',
    ...overview(venues),
    '',
    '## What comes from where',
    '',
    'A cell names the poll or, in _italics_, the stream; `-` means that the venue does not give it.',
    '',
    ...sources(venues),
    ...details.flatMap((lines) => ['', ...lines]),
  ].join('\n')}\n`;
}

function overview(venues: readonly Venue[]): string[] {
  const rows = venues.map((venue) => {
    const { facts } = venue;
    return [
      `[${facts.exchange}](#${facts.exchange.toLowerCase()})`,
      `${facts.takerFeePct.value} %`,
      `${facts.maxLeverage.value}`,
      depthText(venue),
      venue.streams.length === 0 ? '-' : venue.streams.map((stream) => stream.name).join(', '),
      givenBy(venue, 'notices') === '-' ? 'no' : 'yes',
      facts.hasSpot ? 'yes' : 'no',
      `${facts.unknown.length}`,
    ];
  });
  return markdownTable(
    ['Venue', 'Taker fee', 'Max leverage', 'Settled history', 'Streams', 'Notices', 'Spot', 'Unknown'],
    rows,
  );
}

function sources(venues: readonly Venue[]): string[] {
  const rows = venues.map((venue) => [venue.facts.exchange, ...TOPICS.map((topic) => givenBy(venue, topic))]);
  return markdownTable(['Venue', ...TOPICS.map((topic) => topic[0]?.toUpperCase() + topic.slice(1))], rows);
}

function givenBy(venue: Venue, topic: Topic): string {
  const polls = venue.polls.filter((poll) => poll.gives.includes(topic)).map((poll) => poll.name);
  const streams = venue.streams.filter((stream) => stream.gives.includes(topic));
  const names = [...polls, ...streams.map((stream) => `_${stream.name}_`)];
  return names.length === 0 ? '-' : names.join(', ');
}

async function detail(venue: Venue): Promise<string[]> {
  const { facts } = venue;
  const budgets = Object.entries(venue.budgets).map(
    ([name, { capacity, windowSeconds }]) => `\`${name}\` ${capacity} in ${seconds(windowSeconds)}`,
  );
  const pauses = Object.entries(venue.pauseAfterStatus ?? {}).map(
    ([status, pause]) => `${pause} s after status ${status}`,
  );
  return [
    `## ${facts.exchange}`,
    '',
    ...markdownTable(
      ['Call or channel', 'Gives', 'How often', 'Weight'],
      [
        ...venue.polls.map(pollRow),
        ...venue.streams.map((stream) => streamRow(venue, stream)),
        await askedRow(
          venue,
          'settled history, page by page',
          'after settlements, and to fill the past',
          (contract, context) =>
            venue.settlements(contract, { fromMs: SAMPLE_MS, toMs: SAMPLE_MS + DAY_MS }, context),
        ),
        await askedRow(venue, 'order book', 'for depth samples', (contract, context) =>
          venue.depth(contract, context),
        ),
      ],
    ),
    '',
    `- Budgets: ${[...budgets, ...pauses].join('; ')}.`,
    `- Addresses: ${Object.entries(venue.hosts)
      .map(([name, address]) => `${name} \`${address}\``)
      .join(', ')}.`,
    `- Settled history: ${depthText(venue)}.`,
    `- Taker fee: ${factText(facts.takerFeePct, ' %')}. Max leverage: ${factText(facts.maxLeverage, '')}.`,
    `- Links: ${[
      facts.feeUrl === null ? 'no public fee page' : `[fees](${facts.feeUrl})`,
      `[contracts](${facts.specsUrl})`,
      `[funding](${facts.fundingUrl})`,
    ].join(', ')}.`,
    ...(facts.unknown.length === 0
      ? ['- Unknown: nothing that we know of.']
      : ['- Unknown:', ...facts.unknown.map((sentence) => `  - ${cell(sentence)}`)]),
  ];
}

/** A contract to ask about, to see which call a venue makes for it. */
const SAMPLE: Contract = {
  venueSymbol: 'SYMBOL',
  venueId: '1',
  base: 'BTC',
  quote: 'USDT',
  settle: 'USDT',
  isInverse: false,
  contractSize: 1,
  status: 'trading',
  venueStatus: '',
  assetClass: 'crypto',
  listedAtMs: null,
  delistsAtMs: null,
  maxLeverage: null,
  intervalHours: 8,
};
const INVERSE_SAMPLE: Contract = { ...SAMPLE, quote: 'USD', settle: 'BTC', isInverse: true };
const SAMPLE_MS = Date.UTC(2026, 0, 1);

/** The call behind one of the functions that ask contract by contract: the request itself tells it. */
async function askedRow(
  venue: Venue,
  gives: string,
  when: string,
  run: (contract: Contract, context: CollectContext) => Promise<unknown>,
): Promise<string[]> {
  const asked: VenueRequest[] = [];
  const ask = async (request: VenueRequest) => {
    asked.push(request);
    throw new Error('only the request is wanted');
  };
  for (const contract of [SAMPLE, INVERSE_SAMPLE])
    await run(contract, { ask, contracts: new Map([[contract.venueSymbol, contract]]) }).catch(
      () => undefined,
    );
  const [request] = asked;
  if (!request) throw new Error(`${venue.slug} makes no call for the ${gives}`);
  const calls = new Set(asked.map(({ method, path }) => `\`${method ?? 'GET'} ${path}\``));
  const budget = [request.budget ?? Object.keys(venue.budgets)[0]].flat().join(', ');
  return [[...calls].join(', '), gives, `${when}; budget \`${budget}\``, `${request.weight ?? 1} a call`];
}

/** A poll of several calls names them with commas in between. */
export function callsOf(poll: Poll): string[] {
  return poll.call.split(/, (?=GET |POST )/);
}

function pollRow(poll: Poll): string[] {
  const each = poll.kind === 'each';
  return [
    callsOf(poll)
      .map((call) => `\`${call}\``)
      .join(', '),
    poll.gives.join(', '),
    `every ${seconds(poll.everySeconds)}${each ? ', contract by contract' : ''}`,
    `${poll.weight}${each ? ' a contract' : ''}`,
  ];
}

function streamRow(venue: Venue, stream: Stream): string[] {
  return [
    `\`${stream.call}\` on \`${venue.hosts[stream.host]}${stream.path}\``,
    stream.gives.join(', '),
    `as it changes; ${stream.contractsPerSocket} contracts a socket, anew after ${stream.silenceSeconds} s of silence`,
    '-',
  ];
}

function depthText(venue: Venue): string {
  return venue.settlementDepthDays === null ? 'everything' : `${venue.settlementDepthDays} days`;
}

function factText(fact: SourcedFact<number>, unit: string): string {
  return `${fact.value}${unit} ([read on ${fact.readOn}](${fact.source}))`;
}

function seconds(count: number): string {
  return count % 60 === 0 && count >= 120 ? `${count / 60} min` : `${count} s`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** Columns are aligned as the formatter of this project wants them. */
function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines = [titles, ...rows].map((cells) => cells.map(cell));
  const widths = titles.map((_, i) => Math.max(3, ...lines.map((cells) => cells[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((text, i) => text.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = lines;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)];
}

if (import.meta.main) {
  writeFileSync(VENUES_DOC, await venuesDoc());
  console.log('docs/venues.md is written');
}
