import { createHook } from 'node:async_hooks';

let held: object | null = null;

/**
 * Keeps one of Node's tick objects alive. V8 forgets the shape of objects of which none is left when it clears the heap,
 * and process.nextTick, which writes them with computed names, is then six times as slow for good; every answer over
 * HTTP takes several ticks. Call it early: what has been forgotten once stays slow.
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
