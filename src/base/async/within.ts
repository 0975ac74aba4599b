/** For calls to other programs: rejects if the promise takes longer than the limit. The work behind the promise continues. */
export function within<Value>(limitMs: number, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no reply within ${limitMs} ms`));
    // After a blocked event loop timers run before replies are read, so the reply gets one more turn.
    const timer = setTimeout(() => setImmediate(late), limitMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
