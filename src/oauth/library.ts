/**
 * oidc-provider prints a warning when it is loaded on a Node that is not a long-term release. Operators cannot act on it,
 * and our tests run on the Node version that we install.
 */
const warn = console.warn;
console.warn = (...words) => {
  if (!String(words[0]).includes('Unsupported runtime')) warn(...words);
};
const library = await import('oidc-provider');
console.warn = warn;

export const { default: Provider, errors, interactionPolicy } = library;
