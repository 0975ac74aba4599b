/**
 * Places of pages that hold a stream. Over HTTP/1.1 a browser opens six connections to a host, for all of its pages
 * together: six streams would leave none for the next page. So few pages hold one, and the others ask now and then.
 */
const PLACES = 4;

let release: (() => void) | null = null;
let taking: Promise<boolean> | null = null;

/** Newer protocols carry any number of streams in one connection. Without locks, pages cannot agree on places. */
function areScarce(): boolean {
  const [arrival] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return !/^h[23]/.test(arrival?.nextHopProtocol ?? '') && navigator.locks !== undefined;
}

/** Whether this page may hold a stream. It keeps its place until it leaves it, or until the page is closed. */
export function takePlace(): Promise<boolean> {
  taking ??= take().finally(() => {
    taking = null;
  });
  return taking;
}

async function take(): Promise<boolean> {
  if (release || !areScarce()) return true;
  for (let place = 1; place <= PLACES; place++) if (await hold(`stream ${place}`)) return true;
  return false;
}

function hold(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock === null
          ? undefined
          : new Promise<void>((leave) => {
              release = leave;
            });
      })
      // A browser that refuses locks to this page lets it have its stream.
      .catch(() => resolve(true));
  });
}

export function leavePlace(): void {
  release?.();
  release = null;
}
