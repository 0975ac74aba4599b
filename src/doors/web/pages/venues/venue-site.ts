import type { VenueFacts } from '../../../../venues/venue.ts';

/** Hosts where a venue explains, not where it trades. */
const DOCUMENTS = /^(api)?docs?\.|^(support|help)\.|gitbook|github|zendesk/;

/**
 * The address of the venue's own site, from the pages that our facts cite; null where they cite documents only. No address
 * is guessed: a wrong one may belong to somebody else.
 */
export function venueSite({
  feeUrl,
  specsUrl,
  fundingUrl,
}: Pick<VenueFacts, 'feeUrl' | 'specsUrl' | 'fundingUrl'>): string | null {
  for (const address of [fundingUrl, specsUrl, feeUrl]) {
    const host = address === null ? '' : new URL(address).host;
    if (host !== '' && !DOCUMENTS.test(host)) return `https://${host}/`;
  }
  return null;
}
