import type { Preferences } from '../../layout/preferences/preferences.ts';
import { PREFERENCES } from '../../layout/preferences/preferences.ts';
import { signedText } from '../../markup/format.ts';

export type Unit = Preferences['unit'];

interface UnitFacts {
  /** On the switch. */
  label: string;
  /** Below a column's title. */
  words: string;
  hours: number;
  decimals: number;
}

const HOURS_PER_YEAR = 365 * 24;

/** The units in which rates of different intervals are compared, in the order of the switch. */
export const UNITS: Readonly<Record<Unit, UnitFacts>> = {
  '1h': { label: '1 h', words: '% per 1 h', hours: 1, decimals: 4 },
  '8h': { label: '8 h', words: '% per 8 h', hours: 8, decimals: 4 },
  '1d': { label: 'Day', words: '% per day', hours: 24, decimals: 3 },
  apr: { label: 'APR', words: '% APR', hours: HOURS_PER_YEAR, decimals: 1 },
};

/** The unit in the address, else the one that the reader chose last. */
export function unitOf(sent: ReadonlyMap<string, readonly string[]>, { unit }: Preferences): Unit {
  const [named] = sent.get('unit') ?? [];
  return PREFERENCES.unit.find((one) => one === named) ?? unit;
}

/** The unit as the address has it: always, but for readers who see the default with and without it. */
export function unitInAddress(
  sent: ReadonlyMap<string, readonly string[]>,
  preferences: Preferences,
): Unit | undefined {
  const unit = unitOf(sent, preferences);
  const [usual] = PREFERENCES.unit;
  return unit === usual && preferences.unit === usual ? undefined : unit;
}

/** Upper edges of the heat steps in percent APR, whatever the unit shown. */
const HEAT_EDGES_APR = [3, 12, 25, 50, 100] as const;

/** The class of a rate: `z` without a fill, `p1` to `p5` where longs pay, `n1` to `n5` where shorts pay. */
export function heatClass(perHourPct: number): string {
  const apr = perHourPct * HOURS_PER_YEAR;
  const step = HEAT_EDGES_APR.filter((edge) => Math.abs(apr) >= edge).length;
  return step === 0 ? 'z' : `${apr > 0 ? 'p' : 'n'}${step}`;
}

export function rateText(perHourPct: number, unit: Unit): string {
  const { hours, decimals } = UNITS[unit];
  return signedText(perHourPct * hours, decimals);
}

export function aprOf(perHourPct: number): number {
  return perHourPct * HOURS_PER_YEAR;
}

/** The labels of the colour scale in a unit: −100 … 0 … +100 % APR, or the same edges per 8 h. */
export function legendLabels(unit: Unit): readonly (readonly [name: string, label: string])[] {
  const { hours } = UNITS[unit];
  const label = (edge: number) => {
    if (unit === 'apr') return String(edge);
    const scaled = (edge / HOURS_PER_YEAR) * hours;
    const digits = unit === '1h' ? 4 : 3;
    return scaled.toFixed(digits).replace(/^0\./, '.');
  };
  const up = HEAT_EDGES_APR.map((edge, i) => [`p${i + 1}`, `+${label(edge)}`] as const);
  const down = HEAT_EDGES_APR.map((edge, i) => [`n${i + 1}`, `−${label(edge)}`] as const).reverse();
  return [...down, ['z', '0'], ...up];
}
