import { inTurns } from '../../base/async/in-turns.ts';
import { DEFAULT_SORT as SPREADS_PAGE_SORT } from '../../doors/web/pages/spreads/default-sort.ts';
import { PairMaker } from '../../engines/arbitrage/pairs.ts';
import { DEFAULT_VIEW, rowsOfLegs } from '../../engines/arbitrage/source.ts';
import { rowsFromLegs } from '../../engines/spreads/rows.ts';
import type { Table } from '../../market/tables/table.ts';
import type { TableSnapshot } from '../../market/timeline.ts';
import { arbitrage } from '../../operations/arbitrage/arbitrage.ts';
import { funding } from '../../operations/funding.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { spreads } from '../../operations/spreads.ts';
import { DelayedRows } from './delayed-rows.ts';
import { askedAgainSteps, firstQuestionSteps } from './first-question.ts';
import type { Series } from './series.ts';

/** Computes in turns what the next requests for a list will need, before its table is shown. */
class PreparedOrders {
  readonly #operation: AnyOperation;
  #last: Table | null = null;

  constructor(operation: AnyOperation) {
    this.#operation = operation;
  }

  async prepare(table: Table): Promise<void> {
    await inTurns(firstQuestionSteps(this.#operation, table));
    await inTurns(askedAgainSteps(this.#operation, this.#last, table));
    this.#last = table;
  }
}

export class PreparedFunding {
  readonly #orders = new PreparedOrders(funding);

  async prepare({ table }: Pick<TableSnapshot, 'table'>): Promise<void> {
    await this.#orders.prepare(table);
  }
}

/** Rows of spreads are computed from the legs of a live print. */
export class PreparedSpreads {
  readonly delayed: DelayedRows;
  readonly #printed: Series['printed'];
  readonly #orders = new PreparedOrders(spreads);

  constructor({ legs, printed }: Pick<Series, 'legs' | 'printed'>) {
    this.#printed = printed;
    this.delayed = new DelayedRows(legs, async (snapshot) => {
      const table = rowsFromLegs(snapshot.table, snapshot.asOfMs);
      await inTurns(firstQuestionSteps(spreads, table));
      // Most delayed readers are visitors of the page, which has another order.
      await inTurns(firstQuestionSteps(spreads, table, SPREADS_PAGE_SORT));
      printed.set(snapshot.table, { asOfMs: snapshot.asOfMs, table });
    });
  }

  async prepare({ asOfMs, table: legs }: TableSnapshot): Promise<void> {
    await this.prepareRows(legs, { asOfMs, table: rowsFromLegs(legs, asOfMs) });
  }

  /** With rows that are known already. */
  async prepareRows(legs: Table, rows: TableSnapshot): Promise<void> {
    await this.#orders.prepare(rows.table);
    this.#printed.set(legs, rows);
  }
}

/** Rows of arbitrage are computed from their legs and the 30-day figures of pairs. */
export class PreparedArbitrage {
  readonly maker = new PairMaker();
  readonly delayed: DelayedRows;
  readonly #series: Pick<Series, 'arbitrageHistories' | 'preparedArbitrage'>;
  readonly #orders = new PreparedOrders(arbitrage);

  constructor(series: Pick<Series, 'arbitrageLegs' | 'arbitrageHistories' | 'preparedArbitrage'>) {
    this.#series = series;
    this.delayed = new DelayedRows(series.arbitrageLegs, async (snapshot) => {
      const table = await this.#rowsOf(snapshot);
      await inTurns(firstQuestionSteps(arbitrage, table));
    });
  }

  async prepare(snapshot: TableSnapshot): Promise<void> {
    await this.#orders.prepare(await this.#rowsOf(snapshot));
  }

  async #rowsOf(snapshot: TableSnapshot): Promise<Table> {
    const { arbitrageHistories, preparedArbitrage } = this.#series;
    await arbitrageHistories.decodeAheadAt(1, snapshot.asOfMs + 1000);
    const rows = rowsOfLegs(snapshot, arbitrageHistories, this.maker);
    preparedArbitrage.set(snapshot.table, rows);
    return rows.table(DEFAULT_VIEW);
  }
}
