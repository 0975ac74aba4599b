import type { AnyOperation } from '../../src/operations/operation.ts';
import type { JsonSchema } from '../../src/query/parameter.ts';

/**
 * `/spreads/backtest` is a list at `spreads.backtest`; `/funding/{coin}` the method `funding.coin`; `/usage` `usage.get`;
 * `/open-interest/history` `open_interest.history`.
 */
export function placeOf({ path, rows }: AnyOperation): string[] {
  const parts = path.slice(1).replaceAll(/[{}]/g, '').replaceAll('-', '_').split('/');
  return rows === undefined && parts.length === 1 ? [...parts, 'get'] : parts;
}

/** The field of `data` that has the rows of a list; null if `data` is the rows, or the operation is no list. */
export function rowsFieldOf({ data, rows }: AnyOperation): string | null {
  if (rows === undefined || data.type === 'array') return null;
  const properties = data.properties as Readonly<Record<string, JsonSchema>>;
  return Object.keys(properties).find((name) => properties[name]?.type === 'array') ?? null;
}

/** `ListFunding`: what the names of an operation's types begin with. */
export const typeNameOf = ({ operationId }: AnyOperation) =>
  `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;

/** A part of the client, such as `spreads`: what it offers itself, and the parts below it. */
export interface ClientBranch {
  lists: AnyOperation[];
  methods: { name: string; operation: AnyOperation }[];
  branches: Map<string, ClientBranch>;
}

const emptyBranch = (): ClientBranch => ({ lists: [], methods: [], branches: new Map() });

/** All operations at their places. */
export function clientTree(operations: readonly AnyOperation[]): ClientBranch {
  const root = emptyBranch();
  for (const operation of operations) {
    const place = placeOf(operation);
    const name = operation.rows === undefined ? place.pop() : undefined;
    let branch = root;
    for (const part of place) {
      const next = branch.branches.get(part) ?? emptyBranch();
      branch.branches.set(part, next);
      branch = next;
    }
    if (name === undefined) branch.lists.push(operation);
    else branch.methods.push({ name, operation });
  }
  return root;
}
