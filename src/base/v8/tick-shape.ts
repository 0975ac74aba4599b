import { createHook } from 'node:async_hooks';

let held: object | null = null;

/**
 * Keeps one of Node's TickObjects alive. If a garbage collection finds none, V8 drops their hidden class, and
 * process.nextTick, which writes them with computed names, stays six times slower from then on. Every HTTP answer takes
 * several ticks. Call it early: a hidden class that was dropped once is not fast again.
 */
export function holdTickShape(): void {
  if (held !== null) return;
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'TickObject') held = resource;
    },
    trackPromises: false,
  }).enable();
  process.nextTick(() => undefined);
  hook.disable();
}
