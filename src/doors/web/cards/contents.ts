import type { Entrance } from '../../../operations/access/entrance.ts';
import { arbitrage } from '../../../operations/arbitrage/arbitrage.ts';
import { coinFunding } from '../../../operations/coin-funding/coin-funding.ts';
import { coinsOperation as coins } from '../../../operations/coins.ts';
import { funding } from '../../../operations/funding.ts';
import type { AnyOperation } from '../../../operations/operation.ts';
import { moneyText, signedText, utc } from '../markup/format.ts';
import { BOARD_QUERIES, boardRows } from '../pages/home/boards.ts';
import { averageApr } from '../search/average-rate.ts';
import { answerForPage, type PageAnswer, type Row, VISITOR } from '../visitor.ts';
import { type Card, type CardRow, MOST_ROWS } from './card.ts';

const HOURS_SHOWN = 8;

type Answer = PageAnswer<unknown>;

/** Whoever sends a link has no session, so cards show what visitors see. */
async function answerTo(
  entrance: Entrance,
  operation: AnyOperation,
  filters: Readonly<Record<string, string>>,
): Promise<Answer> {
  const sent = new Map(Object.entries(filters).map(([name, value]) => [name, [value]]));
  return await answerForPage(entrance, operation, VISITOR, sent);
}

const timeOf = ({ meta }: Answer) => utc(meta.as_of);

function figure(value: number, decimals: number, unit: string): Pick<CardRow, 'figure' | 'sign'> {
  const text = signedText(value, decimals);
  return { figure: `${text} %${unit}`, sign: text.startsWith('+') ? 1 : text.startsWith('−') ? -1 : 0 };
}

/** The most traded coins with their average rate. */
export async function homeCard(entrance: Entrance): Promise<Card> {
  const answer = await answerTo(entrance, coins, { limit: String(MOST_ROWS) });
  const rates = entrance.data.funding.at(VISITOR.plan.delaySeconds, entrance.clock.nowMs());
  const averages = rates ? averageApr(rates.table) : new Map<string, number>();
  const contracts = rates ? `${rates.table.rowCount.toLocaleString('en-US')} contracts on ` : '';
  return {
    title: 'Funding rates, side by side',
    note: `${contracts}${entrance.data.venues.length} venues. Average by volume, a year:`,
    asOf: timeOf(answer),
    rows: (answer.data as Row[]).flatMap(({ coin, venue_count: venues, volume_24h_usdt: volume }) => {
      const average = averages.get(String(coin));
      if (average === undefined) return [];
      const note = `${venues} venues · ${moneyText(Number(volume))} a day`;
      return [{ name: String(coin), note, ...figure(average, 1, ' APR') }];
    }),
  };
}

/** Who pays most now. */
export async function fundingCard(entrance: Entrance): Promise<Card> {
  const { filters } = BOARD_QUERIES.high;
  const answer = await answerTo(entrance, funding, { ...filters, limit: '10' });
  return {
    title: 'Highest funding rates now',
    note: 'APR after fees, contracts with over $1 M a day. Longs pay shorts:',
    asOf: timeOf(answer),
    rows: boardRows(answer).map((row) => ({
      name: String(row.coin),
      note: `${row.exchange} · settles every ${row.interval_hours} h`,
      ...figure(Number(row.apr_pct), 1, ' APR'),
    })),
  };
}

/** The largest venues of a coin, by the rate per eight hours. */
export async function coinCard(entrance: Entrance, coin: string): Promise<Card> {
  const answer = await answerTo(entrance, coinFunding, { coin });
  const data = answer.data as { coin: string; venue_count: number; rates: readonly Row[] };
  const largest = data.rates
    .filter((rate) => rate.is_inverse === false && typeof rate.interval_hours === 'number')
    .toSorted((a, b) => Number(b.volume_24h_usdt) - Number(a.volume_24h_usdt));
  const perVenue = [...new Map(largest.toReversed().map((rate) => [rate.exchange, rate])).values()];
  const shown = perVenue
    .toSorted((a, b) => Number(b.volume_24h_usdt) - Number(a.volume_24h_usdt))
    .slice(0, MOST_ROWS);
  return {
    title: `${data.coin} funding on ${data.venue_count} ${data.venue_count === 1 ? 'venue' : 'venues'}`,
    note: `Per ${HOURS_SHOWN} h. + longs pay shorts, − shorts pay longs.`,
    asOf: timeOf(answer),
    rows: shown.map((rate) => ({
      name: String(rate.exchange),
      note: `${rate.symbol} · settles every ${rate.interval_hours} h`,
      ...figure((Number(rate.rate_pct) / Number(rate.interval_hours)) * HOURS_SHOWN, 4, ''),
    })),
  };
}

/** The pairs that pay most after costs. */
export async function arbitrageCard(entrance: Entrance): Promise<Card> {
  const answer = await answerTo(entrance, arbitrage, { ...BOARD_QUERIES.carry.filters, limit: '10' });
  return {
    title: 'Best funding carry now',
    note: 'Net APR, held 30 days, after costs, with room for $50 k.',
    asOf: timeOf(answer),
    rows: boardRows(answer).map((row) => ({
      name: String(row.coin),
      note: `long ${row.long_exchange} · short ${row.short_exchange}`,
      ...figure(Number(row.net_apr_pct), 1, ' APR'),
    })),
  };
}
