import type { GuardedPoster } from '../../base/http/guarded-post.ts';
import { objectOf, text } from '../../base/parsing.ts';
import { Problem } from '../../base/problems.ts';
import { canonicalUrl, describeUrl } from './address.ts';

/** An incoming webhook of a chat product. The address is the secret that allows to post. */
export interface ChatWebhook {
  url: string;
}

export interface ChatProduct {
  name: string;
  hosts: readonly string[];
  path: RegExp;
  example: string;
}

/**
 * Checks an address that the owner entered. Only the hosts of the product are allowed, or plain http in a network that
 * the operator allows, where a test or a proxy of the operator plays the product.
 */
export function chatWebhook(
  input: Readonly<Record<string, string>>,
  { name, hosts, path, example }: ChatProduct,
  poster: Pick<GuardedPoster, 'refusalOf'>,
): ChatWebhook {
  const url = URL.parse((input.url ?? '').trim());
  const isOfProduct =
    url?.protocol === 'https:' && url.port === '' && hosts.includes(url.hostname) && path.test(url.pathname);
  const isOfOperator = url?.protocol === 'http:' && poster.refusalOf(url.href) === null;
  if (url?.username !== '' || url.password !== '' || !(isOfProduct || isOfOperator))
    throw new Problem(
      'invalid-parameter',
      `"url" must be the address of a ${name} webhook, such as ${example}.`,
    );
  return { url: url.href };
}

export function parseChatWebhook(stored: unknown): ChatWebhook {
  return objectOf<ChatWebhook>({ url: text })(stored, 'webhook');
}

/** How the channels of chat products tell their targets apart. */
export const CHAT_ADDRESS = {
  needsConfirmation: true,
  describe: ({ url }: ChatWebhook) => describeUrl(url),
  addressOf: ({ url }: ChatWebhook) => canonicalUrl(url),
};
