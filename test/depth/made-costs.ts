import { COSTS, type ContractCosts } from '../../src/history/depth/cost-codec.ts';

export const EXCHANGES = ['A', 'B', 'C', 'D'];
export const CONTRACTS = 300;

/** Costs of all venues at one time, which can be computed again from the minute. */
export function costsAt(minute: number): Map<string, ContractCosts[]> {
  return new Map(EXCHANGES.map((exchange, i) => [exchange, contractsAt(minute + i)]));
}

function contractsAt(seed: number): ContractCosts[] {
  return Array.from({ length: CONTRACTS }, (_, k) => ({
    id: k + 1,
    costsPct: Float64Array.from(
      { length: COSTS },
      (_, cost) => 0.01 * (1 + (cost % 6)) * (1 + ((seed + k) % 97)),
    ),
  }));
}
