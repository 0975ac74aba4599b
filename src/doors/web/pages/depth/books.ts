import { LRUCache } from 'lru-cache';
import { perSnapshot } from '../../../../base/per-snapshot.ts';
import { Problem } from '../../../../base/problems.ts';
import { DAY_MS, MINUTE_MS } from '../../../../base/times.ts';
import { type CostCurve, costCurve } from '../../../../engines/depth/curve-columns.ts';
import type { Entrance } from '../../../../operations/access/entrance.ts';
import { rowObject } from '../../../../operations/answer/answer.ts';
import type { Meta } from '../../../../operations/answer/meta.ts';
import { depth } from '../../../../operations/depth/depth.ts';
import { depthHistory } from '../../../../operations/depth/depth-history.ts';
import { answerForPage, listForPage, type Row } from '../../layout/visitor.ts';
import type { PageContext } from '../page-context.ts';
import type { CostAt } from './hours.ts';

/** A contract, by the parameters of /depth/history. */
export interface ContractName {
  coin: string;
  exchange: string;
  /** Null: the most traded one of the venue on the coin. */
  symbol: string | null;
}

/** What the newest book of a contract says. */
export interface Book {
  row: Row;
  meta: Meta;
  buy: CostCurve;
  sell: CostCurve;
}

/** The book of a contract with the costs of a size; null if there is none of the last hour. */
export async function loadBook(
  { entrance, caller }: PageContext,
  { coin, exchange, symbol }: ContractName,
  sizeUsd: number,
): Promise<Book | null> {
  const query = { coin, exchange, size_usd: String(sizeUsd), sort: 'volume_desc' };
  const sent = new Map(Object.entries(query).map(([name, value]) => [name, [value]]));
  try {
    const { rows, meta } = await listForPage(entrance, depth, caller, sent);
    const { table } = rows;
    const number = rows.numbers.find(
      (one) =>
        symbol === null || table.text('symbol', one) === symbol || table.text('venue_symbol', one) === symbol,
    );
    if (number === undefined) return null;
    return {
      row: rowObject(rows, number),
      meta,
      buy: costCurve(table, number, true),
      sell: costCurve(table, number, false),
    };
  } catch (problem) {
    if (problem instanceof Problem && problem.code === 'snapshot-unavailable') return null;
    throw problem;
  }
}

export const WEEK_DAYS = 7;

/** What a size cost on a contract through the last week, every five minutes. */
export interface Week {
  symbol: string;
  fromMs: number;
  toMs: number;
  meta: Meta;
  buy: CostAt[];
  sell: CostAt[];
}

interface HistoryAnswer {
  symbol: string;
  from: string;
  to: string;
  points: readonly { at: string; buy_cost_pct: number | null; sell_cost_pct: number | null }[];
}

/** Reading a week takes two thousand blocks, half a second of CPU. A chart of half hours needs a new one a few times an hour. */
const WEEK_MS = 15 * MINUTE_MS;
const MOST_WEEKS = 100;
const weeksOf = perSnapshot(
  (_entrance: Entrance) => new LRUCache<string, Promise<Week>>({ max: MOST_WEEKS }),
);

export async function loadWeek(context: PageContext, name: ContractName, sizeUsd: number): Promise<Week> {
  const { entrance, caller } = context;
  const { plan } = caller;
  const slot = Math.floor(entrance.clock.nowMs() / WEEK_MS);
  const key = JSON.stringify([name.coin, name.exchange, name.symbol, sizeUsd, plan.name, slot]);
  const weeks = weeksOf(entrance);
  const known = weeks.get(key);
  if (known) return await known;
  const read = readWeek(context, name, sizeUsd);
  weeks.set(key, read);
  read.catch(() => weeks.delete(key));
  return await read;
}

async function readWeek(
  { entrance, caller }: PageContext,
  { coin, exchange, symbol }: ContractName,
  sizeUsd: number,
): Promise<Week> {
  const days = Math.min(WEEK_DAYS, caller.plan.historyDays ?? WEEK_DAYS);
  const query = { coin, exchange, days: String(days), size_usd: String(sizeUsd) };
  const sent = new Map(Object.entries(query).map(([name, value]) => [name, [value]]));
  if (symbol !== null) sent.set('symbol', [symbol]);
  const { data, meta } = await answerForPage<HistoryAnswer>(entrance, depthHistory, caller, sent);
  const side = (field: 'buy_cost_pct' | 'sell_cost_pct') =>
    data.points.map((point) => ({ atMs: Date.parse(point.at), pct: point[field] }));
  const toMs = Date.parse(data.to);
  return {
    symbol: data.symbol,
    fromMs: toMs - days * DAY_MS,
    toMs,
    meta,
    buy: side('buy_cost_pct'),
    sell: side('sell_cost_pct'),
  };
}
