/** An abort controller that follows a parent signal until it is released. */
interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Removes the listener from the parent. Call it when the work ends, whatever its outcome. */
  release(): void;
}

/**
 * For work that ends long before the signal it obeys. `AbortSignal.any` has no release: what it registers on a signal
 * that lives as long as the process stays until the garbage collector finds it.
 */
export function linkedAbort(parent?: AbortSignal): LinkedAbort {
  const controller = new AbortController();
  const follow = () => controller.abort(parent?.reason);
  if (parent?.aborted) follow();
  else parent?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => parent?.removeEventListener('abort', follow),
  };
}
