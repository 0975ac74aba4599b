import { systemClock } from '../base/clock.ts';
import {
  deleteVenueSides,
  loadVenueSides,
  type StoredSides,
  saveVenueSides,
} from '../storage/venue-sides.ts';
import { chosenSides } from '../venues/counting/chosen.ts';
import {
  COUNTED_FIGURES,
  type CountedFigure,
  FIGURE_WORDS,
  type KnownSides,
  sidesOf,
} from '../venues/counting/sides.ts';
import { sidesTexts } from '../venues/counting/texts.ts';
import { VENUES } from '../venues/registry.ts';
import type { Venue } from '../venues/venue.ts';
import { chosenVenues } from '../wiring/chosen-venues.ts';
import { UsageError } from './command.ts';
import { table, timeText } from './flags.ts';
import { type StoreFlags, storeSettings, withStorage } from './stores.ts';

export const SIDES_HELP = `perpwire venues sides [VENUE [--counts both|one|release] [--figure open-interest|volume]]

Shows what the open interest and the 24 h volume of the venues count: one side of a position or trade, or both, in which
case half of the venue's figure is published. With --counts you decide it for a venue yourself, when the audit has found
a count that is never odd (counted_twice in perpwire venues audit). The decision is in the database, every collector
takes it within ten seconds without a restart, and it ends when a release says something else than today.

  --counts      both: halve the venue's figure; one: publish it as it comes; release: as the release says
  --figure      open-interest (default) or volume`;

const FIGURES: Readonly<Record<string, CountedFigure>> = {
  'open-interest': 'openInterest',
  volume: 'volume',
};
const COUNTS: Readonly<Record<string, KnownSides | null>> = {
  both: 'both sides',
  one: 'one side',
  release: null,
};

interface SidesFlags extends StoreFlags {
  counts?: string | undefined;
  figure?: string | undefined;
}

export async function venuesSides(name: string | undefined, flags: SidesFlags): Promise<void> {
  const figure = FIGURES[flags.figure ?? 'open-interest'];
  if (figure === undefined)
    throw new UsageError(`--figure takes open-interest or volume; it is "${flags.figure}"`);
  const counts = flags.counts === undefined ? undefined : COUNTS[flags.counts];
  if (flags.counts !== undefined && counts === undefined)
    throw new UsageError(`--counts takes both, one or release; it is "${flags.counts}"`);
  if (name === undefined && counts !== undefined)
    throw new UsageError('venues sides needs VENUE with --counts: its folder name, such as hyperliquid');
  const [venue] = name === undefined ? [undefined] : chosenVenues([name]);
  const settings = storeSettings(flags);
  await withStorage(settings, async (storage) => {
    if (venue && counts !== undefined) {
      const row = decisionOf(venue, figure, counts);
      await (row.counts === null ? deleteVenueSides(storage, row) : saveVenueSides(storage, row));
    }
    console.log(sidesText(venue ? [venue] : VENUES, await loadVenueSides(storage)));
  });
  if (counts !== undefined)
    console.log(
      'Running collectors take it within ten seconds, and figures follow with the next reply of the venue. What was published before stays on the tape.',
    );
}

type Decision =
  | (StoredSides & { counts: KnownSides })
  | (Pick<StoredSides, 'exchange' | 'figure'> & { counts: null });

function decisionOf({ facts }: Venue, figure: CountedFigure, counts: KnownSides | null): Decision {
  const { exchange } = facts;
  const { sides } = facts.counts[figure];
  if (sides === 'not given')
    throw new UsageError(
      `no call of ${exchange} gives its ${FIGURE_WORDS[figure]}, so there is nothing to halve`,
    );
  if (counts === null) return { exchange, figure, counts };
  return { exchange, figure, counts, releaseSaid: sides, setAtMs: systemClock.nowMs() };
}

/** A line a figure; for one venue also the evidence. */
export function sidesText(venues: readonly Venue[], stored: readonly StoredSides[]): string {
  const rows = venues.flatMap(({ facts }) => {
    const chosen = chosenSides(stored, facts);
    return COUNTED_FIGURES.map((figure) => {
      const row = stored.find((one) => one.exchange === facts.exchange && one.figure === figure);
      const isOver = row !== undefined && chosen[figure] === undefined;
      return [
        facts.exchange,
        FIGURE_WORDS[figure],
        facts.counts[figure].sides,
        row === undefined ? '-' : `${row.counts}, ${timeText(row.setAtMs)}${isOver ? ', ended' : ''}`,
        sidesOf(facts.counts, chosen, figure) === 'both sides' ? 'half of it' : 'as it comes',
      ];
    }).filter(([, , release]) => release !== 'not given');
  });
  const lines = [table(['venue', 'figure', 'release', 'operator', 'published'], rows)];
  const [only, ...others] = venues;
  if (only && others.length === 0)
    for (const { sentence, date, source } of sidesTexts(only.facts.counts, chosenSides(stored, only.facts)))
      lines.push(`${sentence} (${date}, ${source})`);
  return lines.join('\n');
}
