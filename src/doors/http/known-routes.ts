import { Problem } from '../../base/problems.ts';
import { API_PATH } from '../../operations/description/discovery.ts';
import { nearest } from '../../query/suggestions.ts';

const SUGGESTED_PATHS = 3;
/** Finding suggestions takes time that grows with the path's length; a mistyped path is shorter than this. */
const COMPARED_CHARACTERS = 200;

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
    const candidates = isApi ? shown.filter((one) => one.startsWith(API_PATH)) : shown;
    return new Problem(
      'not-found',
      `There is nothing at ${shortened(path)}; GET ${API_PATH} lists the endpoints.`,
      { suggestions: nearest(path.slice(0, COMPARED_CHARACTERS), candidates, SUGGESTED_PATHS) },
    );
  }
}

function shortened(path: string): string {
  return path.length > 100 ? `${path.slice(0, 100)}…` : path;
}
