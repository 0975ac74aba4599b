import type { AnyOperation } from '../../src/operations/operation.ts';
import { pythonEndpoints } from './python-endpoints.ts';
import { pythonResources } from './python-resources.ts';
import { pythonTypes } from './python-types.ts';

/** The generated modules of the Python client by name. */
export function pythonClient(operations: readonly AnyOperation[]): Readonly<Record<string, string>> {
  return {
    'types.py': pythonTypes(operations),
    'endpoints.py': pythonEndpoints(operations),
    'resources.py': pythonResources(operations, false),
    'async_resources.py': pythonResources(operations, true),
  };
}
