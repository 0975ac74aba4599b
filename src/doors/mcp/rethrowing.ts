import type { MaybeLater } from '../../base/maybe-later.ts';

/** Does the work, now or later, and puts another error in the place of the one that it ends with. */
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
