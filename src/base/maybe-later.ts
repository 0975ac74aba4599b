/** A value, or later: what is at hand is given at once, without a turn of the event loop. */
export type MaybeLater<Value> = Value | Promise<Value>;

/** Goes on with a value when it is there: in the same step if it is already. */
export function andThen<Value, Result>(
  value: MaybeLater<Value>,
  next: (value: Value) => MaybeLater<Result>,
): MaybeLater<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
