import type { Caller } from '../accounts/keys/directory.ts';
import { decimalOrNull } from '../base/numbers.ts';
import { Problem } from '../base/problems.ts';
import type { Parameter, RawValues } from '../query/parameter.ts';
import type { AnyOperation, OperationContext } from './operation.ts';
import { checkExchanges } from './served-exchanges.ts';

/** Higher fees are a mistake: percent and fraction are easily confused. */
const MAX_FEE_PCT = 5;
const MAX_LENGTH = 2000;
/** Stands for the fees that are saved in the caller's account. */
export const ACCOUNT_FEES = 'account';

/** The caller's own taker fees. Parsed entries are texts like "Binance:0.02", so that cursors can compare them. */
export function feesParameter(effect: string): Parameter<readonly string[]> {
  return {
    name: 'fees',
    in: 'query',
    isRequired: false,
    isList: false,
    allowsEmpty: false,
    description: `Your own taker fees in percent by venue, such as Binance:0.02,OKX:0.03, or account for those saved on the page /account/fees; other venues keep the default of /exchanges. ${effect}`,
    schema: { type: 'string', maxLength: MAX_LENGTH },
    example: 'Binance:0.02,OKX:0.03',
    parse: parseFees,
  };
}

/** Throws a Problem that names the bad entry. */
export function parseFees(text: string): readonly string[] {
  if (text === ACCOUNT_FEES)
    throw refused('is account, but no fees are saved for this account; save them on the page /account/fees');
  if (text.length > MAX_LENGTH) throw refused(`must be at most ${MAX_LENGTH} characters`);
  const entries = text.split(',').map((entry) => entry.trim());
  const seen = new Set<string>();
  return entries.map((entry) => {
    const colon = entry.lastIndexOf(':');
    const exchange = entry.slice(0, Math.max(0, colon)).trim();
    const feePct = decimalOrNull(entry.slice(colon + 1).trim());
    if (exchange === '' || feePct === null)
      throw refused(`needs entries like Binance:0.02, separated by commas; got "${shown(entry)}"`);
    if (feePct < 0 || feePct > MAX_FEE_PCT)
      throw refused(`takes percents from 0 to ${MAX_FEE_PCT}; got "${shown(entry)}"`);
    if (seen.has(exchange)) throw refused(`names "${shown(exchange)}" twice; give each venue once`);
    seen.add(exchange);
    return `${exchange}:${feePct}`;
  });
}

/** Fees by venue from parsed entries; null if none were sent. Throws for a venue that is not served. */
export function feesByVenue(
  entries: readonly string[] | undefined,
  context: OperationContext,
): ReadonlyMap<string, number> | null {
  if (entries === undefined) return null;
  const fees = new Map(
    entries.map((entry) => {
      const colon = entry.lastIndexOf(':');
      return [entry.slice(0, colon), Number(entry.slice(colon + 1))];
    }),
  );
  checkExchanges(context, [...fees.keys()]);
  return fees;
}

function refused(why: string): Problem {
  return new Problem('invalid-parameter', `"fees" ${why}.`);
}

function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** The values with the caller's saved fees in the place of `fees=account`. */
export function withAccountFees(
  { parameters }: Pick<AnyOperation, 'parameters'>,
  { takerFees }: Pick<Caller, 'takerFees'>,
  sent: RawValues,
): RawValues {
  if (!takerFees || parameters.fees === undefined || sent.get('fees')?.[0] !== ACCOUNT_FEES) return sent;
  return new Map(sent).set('fees', [takerFees]);
}
