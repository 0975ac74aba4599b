import { Problem, type ProblemCode } from '../../src/base/problems.ts';
import { FUNDING_TABLE } from '../../src/engines/funding/table.ts';
import { TableBuilder } from '../../src/market/tables/table-builder.ts';
import { fillEveryPart, type Rest, startRest } from '../rest/rest-service.ts';
import { type RunOptions, until } from '../support/service.ts';

export const MANY_ROWS = 10_000;

/** The service with data for every operation, 20 days of history included. */
export async function startFilledRest(options: RunOptions = {}): Promise<Rest> {
  const rest = await startRest({ ...options, settings: { HISTORY_DAYS: '20', HISTORY_PACED: 'false' } });
  await fillEveryPart(rest);
  rest.service.history.startVenues();
  const pump = setInterval(() => rest.clock.advanceMs(50), 10);
  await until(() => rest.service.history.isBackfilled(), 'the backfill');
  clearInterval(pump);
  await rest.service.publisher.publish(rest.clock.nowMs());
  return rest;
}

/** Gives /funding 10,000 rows with the symbols C0-USDT, C1-USDT and so on by falling rate, until the result is called. */
export function serveManyRows({ service, clock }: Rest): () => void {
  const builder = new TableBuilder(FUNDING_TABLE);
  const cell = { text: 'x', texts: [], number: 1, integer: 8, flag: false, time: clock.nowMs() };
  for (let i = 0; i < MANY_ROWS; i++) {
    const row = Object.fromEntries(FUNDING_TABLE.columns.map(({ name, type }) => [name, cell[type]]));
    builder.add({ ...row, coin: `C${i}`, symbol: `C${i}-USDT`, rate_pct: MANY_ROWS - i });
  }
  const snapshot = { asOfMs: clock.nowMs(), table: builder.build() };
  return replaceFunding(service, () => snapshot);
}

/** Makes /funding fail with the problem that the service raises for this code, until the result is called. */
export function serveProblem({ service }: Rest, code: ProblemCode, retryAfterSeconds?: number): () => void {
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return replaceFunding(service, () => {
    throw new Problem(code, `This is the detail of ${code}.`, { headers });
  });
}

function replaceFunding({ entrance }: Rest['service'], read: () => unknown): () => void {
  const data = entrance.data as { funding: unknown };
  const { funding } = data;
  data.funding = { at: read, exactly: read };
  return () => {
    data.funding = funding;
  };
}
