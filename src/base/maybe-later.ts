/** A value or a promise of it. A value at hand is returned directly, which saves a turn of the event loop. */
export type MaybeLater<Value> = Value | Promise<Value>;

/** Calls `next` with the value: synchronously if it is at hand. */
export function andThen<Value, Result>(
  value: MaybeLater<Value>,
  next: (value: Value) => MaybeLater<Result>,
): MaybeLater<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
