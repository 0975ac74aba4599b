import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Universe } from '../../../sim/contracts.ts';
import { SIM_VENUES } from '../../../sim/venues/registry.ts';
import { viewAt } from '../../../sim/view.ts';
import { observeSim, sendToSim, whileOpen } from '../../../test/support/observe.ts';
import type { Batch, Contract } from '../observations.ts';
import { VENUES } from '../registry.ts';
import type { BulkPoll, SendRequest, Venue } from '../venue.ts';

/** Damages one row of every bulk reply of every venue: the row is skipped and counted, the others are kept. */
const AT_MS = Date.UTC(2026, 10, 14, 9, 31, 7);
/** An object of fewer objects is one row with parts. */
const MIN_ROWS_OF_MAP = 5;

const SPOILT: Readonly<Record<string, (row: Record<string, unknown>) => unknown>> = {
  'a row that is null': () => null,
  'a row that is a number': () => 7,
  'an empty row': () => ({}),
  'a row whose every field is null': (row) => mapped(row, () => null),
  'a row whose every field is an empty text': (row) => mapped(row, () => ''),
  'a row whose every field is a list': (row) => mapped(row, () => [[]]),
  'a row with names and no figures': (row) =>
    mapped(row, (value) => (typeof value === 'string' && /[A-Za-z]/.test(value) ? value : null)),
  'a row of an unknown symbol': (row) =>
    mapped(row, (value) => (typeof value === 'string' && /[A-Za-z]/.test(value) ? 'UNKNOWN-SYMBOL' : value)),
};

function mapped(row: Record<string, unknown>, change: (value: unknown) => unknown) {
  if (Array.isArray(row)) return row.map(change);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, change(value)]));
}

interface RowPlace {
  get(): unknown;
  set(value: unknown): void;
}

/** The first, the middle and the last row of each list, or map, of rows in a reply, wherever it is. */
function rowsIn(value: unknown): RowPlace[] {
  if (typeof value !== 'object' || value === null) return [];
  const object = value as Record<string, unknown>;
  const names = Object.keys(object);
  // Where rows are lists, their first field is the name.
  const isRow = (row: unknown) =>
    Array.isArray(row) ? typeof row[0] === 'string' : typeof row === 'object' && row !== null;
  const inner = names.flatMap((name) => rowsIn(object[name]));
  // One or two objects with lists of their own are pages or sections, not rows.
  const isList = Array.isArray(value) && names.length > 0 && (names.length > 2 || inner.length === 0);
  const isMap = !Array.isArray(value) && names.length >= MIN_ROWS_OF_MAP;
  if (!(isList || isMap) || !names.every((name) => isRow(object[name]))) return inner;
  const places = new Set([names[0], names[names.length >> 1], names.at(-1)]);
  return [...places].flatMap((name) =>
    name === undefined
      ? []
      : [
          {
            get: () => object[name],
            set: (row: unknown) => {
              object[name] = row;
            },
          },
        ],
  );
}

const sizeOf = (batch: Batch) =>
  (batch.contractList?.contracts.length ?? 0) +
  batch.fundingQuotes.length +
  batch.fundingSchedules.length +
  batch.bookTops.length +
  batch.dayVolumes.length +
  batch.marketFigures.length +
  batch.announcements.length;
const leftOut = (batch: Batch) =>
  batch.rejected.length + [...batch.ignored.values()].reduce((sum, count) => sum + count, 0);
/** A row may give a quote, a schedule, a top, a volume and figures at once. */
const MOST_FROM_ONE_ROW = 6;

/** The poll's batch, with one row of one list in one of its replies damaged. */
async function collectSpoilt(
  poll: BulkPoll,
  send: SendRequest,
  contracts: ReadonlyMap<string, Contract>,
  target: { list: number; spoil: (row: Record<string, unknown>) => unknown } | null,
): Promise<{ batch: Batch; lists: number }> {
  let lists = 0;
  const spoiling: SendRequest = async (request) => {
    const reply = await send(request);
    for (const row of rowsIn(reply.payload)) {
      if (target?.list === lists) row.set(target.spoil(row.get() as Record<string, unknown>));
      lists++;
    }
    return reply;
  };
  const batch = await poll.collect({ send: spoiling, contracts });
  return { batch, lists };
}

const polls = (venue: Venue) => venue.polls.filter((poll) => poll.kind === 'bulk');

for (const venue of VENUES) {
  suite(`${venue.facts.exchange}: one bad row`, () => {
    for (const poll of polls(venue)) {
      test(`${poll.name}: is skipped and counted, and never loses the rest of the reply`, async () => {
        const sim = SIM_VENUES.find((candidate) => candidate.profile.slug === venue.slug);
        assert.ok(sim);
        const view = viewAt(new Universe(1, 30), sim.profile, whileOpen(venue, AT_MS));
        const { contracts } = await observeSim(venue, sim, view);
        const send = sendToSim(sim, view);
        const whole = await collectSpoilt(poll, send, contracts, null);
        let mostLost = 0;
        for (let list = 0; list < whole.lists; list++) {
          for (const [name, spoil] of Object.entries(SPOILT)) {
            const { batch } = await collectSpoilt(poll, send, contracts, { list, spoil });
            const lost = sizeOf(whole.batch) - sizeOf(batch);
            mostLost = Math.max(mostLost, lost);
            assert.ok(lost <= MOST_FROM_ONE_ROW, `${name}: ${lost} figures are lost`);
            if (lost > 0)
              assert.ok(leftOut(batch) > leftOut(whole.batch), `${name}: what is lost is not counted`);
          }
        }
        assert.ok(mostLost > 0, 'a spoilt row does cost its own figures');
      });
    }
  });
}
