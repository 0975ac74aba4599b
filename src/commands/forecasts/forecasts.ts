import { DAY_MS, isoTime } from '../../base/times.ts';
import { roundTripFeePct } from '../../engines/arbitrage/figures.ts';
import { observationsOf } from '../../engines/forecast/observations.ts';
import { type PrintPairs, printPairs } from '../../engines/forecast/print-pairs.ts';
import { type HorizonScore, scoreWalkForward } from '../../engines/forecast/score.ts';
import { SHIPPED_MODELS } from '../../engines/forecast/shipped.ts';
import { VENUES } from '../../venues/registry.ts';
import { type Command, UsageError } from '../command.ts';
import { actionOf, flagsOf, refuseMore } from '../flags.ts';
import { PRINT_COLUMNS, readPrints } from './prints-file.ts';
import { scoreText } from './score-text.ts';

const HELP = `perpwire forecasts score --prints FILE [--from DATE] [--pool N]... [--json]

Scores the forecast of carry on settled prints. For each midnight UTC it fits the weights again on what had settled by then, forecasts
every pair of contracts on one coin at two venues, and compares the forecasts with what settled afterwards, beside the usual guesses.
The rate now is that of the last print known at midnight, because prints are all that the file has.

  --prints  CSV, CSV compressed with gzip (.gz) or Parquet (.parquet) with the columns
            ${PRINT_COLUMNS.join(', ')}
            (percent, positive = longs pay; in any order; an empty interval is taken from the
            prints beside it)
  --from    first day whose forecasts count, such as 2026-02-01; by default the middle of the file, so that
            as many days are before it to learn from
  --pool    score the ten best of lists of N pairs too, by each order: days are put together in the order of
            time until a list has N pairs. Costs are the taker fees of both venues, opened and closed. May be
            given several times
  --json    print the score as JSON`;

/** Days before the first forecast, which needs means over 30 days, and the shortest outcome after it. */
const LEAST_DAYS = 31;
const SHOW_EVERY_DAYS = 30;
/** Of a venue that is not served. */
const USUAL_FEE_PCT = 0.05;

export const forecastsCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, {
      prints: { type: 'string' },
      from: { type: 'string' },
      pool: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
    });
    actionOf('forecasts', positionals[0], ['score']);
    refuseMore('forecasts score', positionals.slice(1));
    if (values.prints === undefined) throw new UsageError('forecasts score needs --prints FILE');
    const fromDay = values.from === undefined ? null : dayOf(values.from);
    const pools = values.pool.map(pairsOf);
    const horizons = await scoreFile(values.prints, fromDay, (text) => console.error(text), pools);
    console.log(values.json ? JSON.stringify({ horizons }, null, 2) : scoreText(horizons));
  },
};

/**
 * Scores the forecasts from `fromDay` on, in days since 1970. `say` gets progress in words; `pools` are the lengths of the lists to
 * score.
 */
export async function scoreFile(
  file: string,
  fromDay: number | null,
  say: (text: string) => void,
  pools: readonly number[] = [],
): Promise<readonly HorizonScore[]> {
  const { contracts, prints, repeated } = await readPrints(file);
  say(
    `${prints} prints of ${contracts.length} contracts${repeated > 0 ? `; ${repeated} rows were there twice` : ''}`,
  );
  const found = printPairs(contracts);
  const fromPlace = firstPlace(found, fromDay, file);
  if (found.pairs.length < found.pairCount)
    say(`${found.pairCount} pairs, of which ${found.pairs.length} are used, chosen evenly`);
  else say(`${found.pairCount} pairs`);
  const rows = observationsOf(found.pairs, found.places);
  const horizons = scoreWalkForward(
    rows,
    SHIPPED_MODELS.pairs,
    fromPlace,
    (place) => {
      if (place % SHOW_EVERY_DAYS === 0) say(`scored up to ${dayText(found.firstDay + place)}`);
    },
    pools.length === 0 ? null : { pairs: pools, costsPct: feesOf(found, say) },
  );
  if (horizons.every(({ observations }) => observations === 0))
    throw new UsageError(
      `${file} has no forecast to score: no pair has complete prints of 30 days before a day from ${dayText(found.firstDay + fromPlace)} on and of one day after it`,
    );
  return horizons;
}

/** What opening and closing each pair costs in taker fees, in percent. */
function feesOf({ exchanges }: PrintPairs, say: (text: string) => void): Float64Array {
  const fees = new Map(VENUES.map(({ facts }) => [facts.exchange, facts.takerFeePct.value]));
  const unknown = new Set(exchanges.flat().filter((exchange) => !fees.has(exchange)));
  if (unknown.size > 0) say(`taker fee of ${[...unknown].join(', ')}: ${USUAL_FEE_PCT} % is assumed`);
  const feeOf = (exchange: string) => fees.get(exchange) ?? USUAL_FEE_PCT;
  return Float64Array.from(exchanges, ([long, short]) => roundTripFeePct(feeOf(long), feeOf(short)));
}

function pairsOf(text: string): number {
  const pairs = Number(text);
  if (!Number.isSafeInteger(pairs) || pairs < 1)
    throw new UsageError(`--pool takes a number of pairs such as 1740; it is "${text}"`);
  return pairs;
}

function firstPlace(
  { pairCount, firstDay, places }: PrintPairs,
  fromDay: number | null,
  file: string,
): number {
  if (pairCount === 0)
    throw new UsageError(`${file} has no coin at two exchanges, so there is no pair to forecast`);
  if (places <= LEAST_DAYS)
    throw new UsageError(
      `${file} has prints of ${places} days; a forecast and its outcome take ${LEAST_DAYS}`,
    );
  if (fromDay === null) return Math.max(LEAST_DAYS - 1, Math.floor(places / 2));
  if (fromDay >= firstDay + places)
    throw new UsageError(
      `--from is after the last print of ${file}, which is of ${dayText(firstDay + places - 1)}`,
    );
  return Math.max(0, fromDay - firstDay);
}

function dayOf(text: string): number {
  const timeMs = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(timeMs)) throw new UsageError(`--from takes a date such as 2026-02-01; it is "${text}"`);
  return Math.ceil(timeMs / DAY_MS);
}

function dayText(day: number): string {
  return isoTime(day * DAY_MS).slice(0, 'YYYY-MM-DD'.length);
}
