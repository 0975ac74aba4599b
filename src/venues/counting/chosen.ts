import type { StoredSides } from '../../storage/venue-sides.ts';
import { type ChosenSides, COUNTED_FIGURES, type SidesFacts } from './sides.ts';

/** What operators decided about one venue and is in force: the release still says what it said then. */
export function chosenSides(
  stored: readonly StoredSides[],
  { exchange, counts }: { exchange: string; counts: SidesFacts },
): ChosenSides {
  const chosen: ChosenSides = {};
  for (const figure of COUNTED_FIGURES) {
    const row = stored.find((one) => one.exchange === exchange && one.figure === figure);
    if (row?.releaseSaid !== counts[figure].sides) continue;
    if (row.counts === 'one side' || row.counts === 'both sides') chosen[figure] = row.counts;
  }
  return chosen;
}
