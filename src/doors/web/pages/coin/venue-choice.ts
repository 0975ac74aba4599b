import type { Row } from '../../layout/visitor.ts';
import { seriesChips } from '../../markup/charts/series-chips.ts';
import type { SeriesStyle } from '../../markup/charts/tones.ts';
import type { Html } from '../../markup/html.ts';

/** The venues of a chart: all that there are, by volume, and those that are drawn. */
export interface VenueChoice {
  all: readonly string[];
  chosen: readonly string[];
}

const PRESELECTED = 5;
/** The value of an address in which no venue is chosen. */
export const NONE = 'none';

/** The venues with a linear contract, or with any where there is none, the most traded first. */
export function venuesByVolume(rates: readonly Row[]): string[] {
  const linear = rates.filter((row) => row.is_inverse !== true);
  const largest = new Map<string, number>();
  for (const { exchange, volume_24h_usdt: volume } of linear.length > 0 ? linear : rates) {
    const name = String(exchange);
    largest.set(name, Math.max(largest.get(name) ?? 0, Number(volume) || 0));
  }
  return [...largest].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name);
}

/** The choice in the address; without one, the five most traded. A venue that does not list the coin is left out. */
export function venueChoice(sent: string | null, all: readonly string[]): VenueChoice {
  if (sent === null) return { all, chosen: all.slice(0, PRESELECTED) };
  if (sent === NONE) return { all, chosen: [] };
  const named = sent.split(',');
  return { all, chosen: all.filter((name) => named.includes(name)) };
}

/** The value for the address; undefined for the default choice. */
export function choiceText({ all, chosen }: VenueChoice): string | undefined {
  if (chosen.length === 0) return all.length === 0 ? undefined : NONE;
  const preselected = all.slice(0, PRESELECTED);
  const isDefault =
    chosen.length === preselected.length && preselected.every((name) => chosen.includes(name));
  return isDefault ? undefined : chosen.join(',');
}

/** The chips of a choice. `linkTo` is the address with another value. */
export function choiceChips(
  id: string,
  { all, chosen }: VenueChoice,
  tones: ReadonlyMap<string, SeriesStyle>,
  linkTo: (value: string | undefined) => string,
): Html {
  const to = (names: readonly string[]) => linkTo(choiceText({ all, chosen: names }));
  return seriesChips({
    id,
    label: 'Venues in the chart',
    all: to(all),
    none: to([]),
    chips: all.map((name) => {
      const isOn = chosen.includes(name);
      return {
        name,
        isOn,
        line: isOn ? (tones.get(name) ?? null) : null,
        toggle: to(all.filter((one) => (one === name ? !isOn : chosen.includes(one)))),
        solo: to([name]),
      };
    }),
  });
}
