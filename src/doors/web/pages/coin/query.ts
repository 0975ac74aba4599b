import { ownValue } from '../../../../base/own-value.ts';
import { coinFunding } from '../../../../operations/coin-funding/coin-funding.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { linkChanged } from '../../markup/page-links.ts';
import { plainNumber } from '../../markup/plain-number.ts';
import { unitInAddress } from '../funding/units.ts';
import { forgiving } from '../lists/forgiving.ts';
import type { PageContext } from '../page-context.ts';

type Sent = PageContext['sent'];

/** Parameters of the page itself, with the value that the address leaves out. */
const DEFAULTS: Readonly<Record<string, string | null>> = {
  unit: null,
  contracts: 'linear',
  sort: 'rate_desc',
  mode: 'cumulative',
  days: null,
  show: null,
  side: 'short',
  size: '10000',
  held: '30',
  fees: null,
};
export const COIN_PARAMETERS = pageParameters(coinFunding, Object.keys(DEFAULTS));
const NUMBERS: ReadonlySet<string> = new Set(['size', 'held', 'days']);
const VENUES = 'show';

/** The parameters of the operation: what chooses contracts. */
export function operationQuery({ sent, named }: Pick<PageContext, 'sent' | 'named'>): Sent {
  const query = new Map([...sent].filter(([name]) => !Object.hasOwn(DEFAULTS, name)));
  return query.set('coin', [named.coin ?? '']);
}

/** The address as it should be: numbers and venues spelled right, nothing that is the default. */
export function cleanQuery(context: PageContext): Sent {
  const { sent, preferences, entrance } = context;
  const clean = new Map<string, string[]>();
  for (const [name, values] of forgiving(coinFunding, sent, entrance.data.venues)) {
    const joined = values.join(',');
    const value = NUMBERS.has(name)
      ? plainNumber(joined)
      : name === VENUES
        ? venues(context, joined)
        : joined;
    const ownDefault = name === 'fees' ? usualChoice(context) : null;
    const isDefault = value === ownValue(DEFAULTS, name) || value === ownDefault;
    if (!isDefault) clean.set(name, [value]);
  }
  const unit = unitInAddress(sent, preferences);
  if (unit === undefined) clean.delete('unit');
  else clean.set('unit', [unit]);
  return clean;
}

/** What counts without a choice: the fees that the reader has saved, if any. */
export function usualChoice({ caller }: Pick<PageContext, 'caller'>): 'own' | 'usual' {
  return caller.takerFees ? 'own' : 'usual';
}

function venues({ entrance }: PageContext, text: string): string {
  const spelled = forgiving(coinFunding, new Map([['exchange', [text]]]), entrance.data.venues);
  return spelled.get('exchange')?.[0] ?? text;
}

export function sentValue(sent: Sent, name: string): string | null {
  return sent.get(name)?.join(',') ?? ownValue(DEFAULTS, name) ?? null;
}

/** The address with some values changed. Undefined, and the default, remove one. */
export function changed(
  path: string,
  sent: Sent,
  change: Readonly<Record<string, string | undefined>>,
): string {
  const changes: Record<string, string | undefined> = { page: undefined };
  for (const name in change)
    changes[name] = change[name] === ownValue(DEFAULTS, name) ? undefined : change[name];
  return linkChanged(path, sent, changes);
}
