import { coinsOperation } from './coins.ts';
import { exchangesOperation } from './exchanges.ts';
import { funding } from './funding.ts';
import type { AnyOperation } from './operation.ts';
import { usage } from './usage.ts';

/** Every endpoint below /api/v1, in the order in which discovery and the docs list them. */
export const OPERATIONS: readonly AnyOperation[] = [funding, exchangesOperation, coinsOperation, usage];
