/**
 * oidc-provider warns, on loading, of every Node that is no long-term release yet. Operators can do nothing about it, and
 * our tests show that it works on the one that we bring along.
 */
const warn = console.warn;
console.warn = (...words) => {
  if (!String(words[0]).includes('Unsupported runtime')) warn(...words);
};
const library = await import('oidc-provider');
console.warn = warn;

export const { default: Provider, errors, interactionPolicy } = library;
