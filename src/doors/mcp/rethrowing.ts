import type { MaybeLater } from '../../base/maybe-later.ts';

/** Runs synchronous or asynchronous work and replaces the error that it throws. */
export function rethrowing<Value>(
  work: () => MaybeLater<Value>,
  instead: (error: unknown) => unknown,
): MaybeLater<Value> {
  try {
    const value = work();
    if (!(value instanceof Promise)) return value;
    return value.catch((error: unknown): never => {
      throw instead(error);
    });
  } catch (error) {
    throw instead(error);
  }
}
