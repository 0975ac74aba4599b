import type { AnyOperation } from '../../../../operations/operation.ts';
import { REFERENCE } from '../../../documents/reference.ts';

const TRY_PATH = `${REFERENCE.path}/try`;

export function tryPath({ id }: Pick<AnyOperation, 'id'>): string {
  return `${TRY_PATH}/${id}`;
}

/** An operation about the key that calls it has nothing to say to a reader without one. */
export function canBeTried({ scope }: Pick<AnyOperation, 'scope'>): boolean {
  return scope !== 'usage:read';
}
