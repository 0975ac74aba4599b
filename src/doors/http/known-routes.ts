import { Problem } from '../../base/problems.ts';
import { API_PATH } from '../../operations/description/discovery.ts';
import { nearest } from '../../query/suggestions.ts';

const SUGGESTED_PATHS = 3;
/** Comparing takes time, and strangers choose the path. A mistyped one differs from the real one by fewer characters. */
const MOST_LENGTH_DIFFERENCE = 8;

interface KnownPath {
  /** With parameters in braces, as in the docs. */
  shown: string;
  pattern: RegExp;
  methods: Set<string>;
}

/** The paths of all doors: distinguishes a wrong method from a wrong path, and suggests similar paths. */
export class KnownRoutes {
  readonly #paths = new Map<string, KnownPath>();

  add(url: string, methods: readonly string[]): void {
    if (url.includes('*') || url === '') return;
    const shown = url.replaceAll(/:(\w+)/g, '{$1}');
    const known = this.#paths.get(shown) ?? {
      shown,
      pattern: new RegExp(`^${url.replaceAll(/[.+?^$()[\]|\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+')}/?$`),
      methods: new Set(),
    };
    for (const method of methods) known.methods.add(method);
    this.#paths.set(shown, known);
  }

  /** 405 if the path has other methods, else 404 with the most similar paths. */
  problemFor(method: string, url: string): Problem {
    const path = url.split('?', 1)[0] ?? '';
    const known = [...this.#paths.values()].filter(({ pattern }) => pattern.test(path));
    const allowed = new Set(known.flatMap(({ methods }) => [...methods]));
    if (allowed.size > 0) {
      const allow = [...allowed].join(', ');
      return new Problem('method-not-allowed', `${method} is not possible here; allowed are ${allow}.`, {
        headers: { allow },
      });
    }
    const shown = [...this.#paths.values()]
      .filter(({ methods }) => methods.has('GET'))
      .map((one) => one.shown);
    const isApi = path === API_PATH || path.startsWith(`${API_PATH}/`);
    const candidates = shown.filter(
      (one) =>
        Math.abs(one.length - path.length) <= MOST_LENGTH_DIFFERENCE && (!isApi || one.startsWith(API_PATH)),
    );
    return new Problem(
      'not-found',
      `There is nothing at ${shortened(path)}; GET ${API_PATH} lists the endpoints.`,
      { suggestions: nearest(path, candidates, SUGGESTED_PATHS) },
    );
  }
}

function shortened(path: string): string {
  return path.length > 100 ? `${path.slice(0, 100)}…` : path;
}
