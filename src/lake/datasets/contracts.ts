import type { SettlementKeeper } from '../../history/settlements/keeper.ts';
import {
  CONTRACT_COLUMNS,
  KNOWN_AT,
  type LakeDay,
  type LakeRows,
  type LakeSource,
  type LakeTable,
} from '../dataset.ts';
import { byContract } from './prints.ts';

export const CONTRACTS: LakeTable = {
  name: 'contracts',
  description: 'Every contract that was ever seen, as it is known at the time of the file',
  columns: [
    ...CONTRACT_COLUMNS,
    { name: 'symbol', type: 'text', isNullable: false, description: 'Contract symbol BASE-QUOTE' },
    { name: 'is_inverse', type: 'flag', isNullable: false, description: 'Margined in the coin itself' },
    {
      name: 'listed_at',
      type: 'time',
      isNullable: true,
      description: 'When trading started; null if unknown',
    },
    {
      name: 'first_print_at',
      type: 'time',
      isNullable: true,
      description: 'The oldest stored settlement; null if none is stored',
    },
    { name: 'last_print_at', type: 'time', isNullable: true, description: 'The newest stored settlement' },
    { name: 'print_count', type: 'integer', isNullable: false, description: 'Stored settlements' },
    {
      name: 'volume_24h_usdt',
      type: 'number',
      isNullable: true,
      description: 'Turnover of 24 hours when it was last stored; null if unknown',
    },
    KNOWN_AT,
  ],
  timeColumn: 'known_at',
  sortedBy: ['coin', 'exchange', 'venue_symbol'],
  rowsPerGroup: 20_000,
};

/** A list of all contracts. A run that builds several days has it in the last one, because it is of the time of the run. */
export class ContractsSource implements LakeSource {
  readonly table = CONTRACTS;
  readonly #keeper: SettlementKeeper;

  constructor(keeper: SettlementKeeper) {
    this.#keeper = keeper;
  }

  async *rows({ isNewest, knownToMs }: LakeDay): AsyncGenerator<LakeRows> {
    if (!isNewest) return;
    yield this.#keeper.directory
      .all()
      .sort(byContract)
      .map((contract) => [
        ...[contract.coin, contract.exchange, contract.venueSymbol, contract.symbol, contract.isInverse],
        ...[contract.listedAtMs, contract.heldSinceMs, contract.lastPrintMs, contract.printCount],
        ...[contract.volume24hUsdt ?? null, knownToMs],
      ]);
  }
}
