import { perSnapshot } from '../../../../base/per-snapshot.ts';
import type { Table } from '../../../../market/tables/table.ts';
import type { Row } from '../../layout/visitor.ts';
import type { PageContext } from '../page-context.ts';
import { usualChoice } from './query.ts';

/** The taker fee of a contract, in percent. */
export type FeeOf = (row: Row) => number;

/** Whose fees count: those that venues take from anyone, those saved in the account, or none. */
const FEE_CHOICES = ['usual', 'own', 'none'] as const;
export type FeeChoice = (typeof FEE_CHOICES)[number];

const keyOf = (exchange: unknown, venueSymbol: unknown) => `${exchange} ${venueSymbol}`;

/** Fees of contracts that differ from their venue's. */
const ownFeesOf = perSnapshot((table: Table): ReadonlyMap<string, number> => {
  const fees = table.numbers('taker_fee_pct');
  const found = new Map<string, number>();
  for (let row = 0; row < table.rowCount; row++) {
    const fee = fees[row] ?? Number.NaN;
    if (!Number.isNaN(fee))
      found.set(keyOf(table.text('exchange', row), table.text('venue_symbol', row)), fee);
  }
  return found;
});

/** The usual fees: the contract's own where the venue has one, else the venue's. */
function usualFees({ entrance, caller }: PageContext): FeeOf {
  const { data, clock } = entrance;
  const table = data.funding.at(caller.plan.delaySeconds, clock.nowMs())?.table ?? null;
  const ofContract = table ? ownFeesOf(table) : null;
  const ofVenue = new Map(data.venues.map(({ facts }) => [facts.exchange, facts.takerFeePct.value]));
  return (row) =>
    ofContract?.get(keyOf(row.exchange, row.venue_symbol)) ?? ofVenue.get(String(row.exchange)) ?? 0;
}

/** Fees as the parameter `fees` of the API takes them: `Binance:0.02,OKX:0.03`. */
function namedFees(text: string): ReadonlyMap<string, number> {
  return new Map(
    text.split(',').map((entry) => {
      const colon = entry.lastIndexOf(':');
      return [entry.slice(0, colon).trim(), Number(entry.slice(colon + 1))];
    }),
  );
}

/** The fees that count. Venues for which the reader has saved none keep the usual fee. */
export function feesFor(context: PageContext, choice: FeeChoice): FeeOf {
  if (choice === 'none') return () => 0;
  const usual = usualFees(context);
  const { takerFees } = context.caller;
  if (choice !== 'own' || !takerFees) return usual;
  const own = namedFees(takerFees);
  return (row) => own.get(String(row.exchange)) ?? usual(row);
}

/** A reader who has saved fees sees figures at those, unless the address says otherwise. */
export function feeChoice(sent: string | null, { caller }: PageContext): FeeChoice {
  const named = FEE_CHOICES.find((one) => one === sent);
  if (named === 'own' && !caller.takerFees) return 'usual';
  return named ?? usualChoice({ caller });
}
