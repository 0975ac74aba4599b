import { lighterVenue } from './lighter.ts';

/** Prices in dollars, collateral in USDG. The token list is that of the main deployment's host. */
const venue = lighterVenue({
  ...{ slug: 'lighterrh', exchange: 'LighterRH', coverage: 0.1, traditionalCoverage: 0.7 },
  ...{ quotes: ['USD'], settleOf: () => 'USDG' },
});

/** Its own host has no token list and no announcements, as far as anybody knows. */
const ON_MAIN_HOST = ['/api/v1/tokenlist'];
const MISSING = ['/api/v1/announcement'];

export const lighterrh: typeof venue = {
  ...venue,
  http: (request, view) =>
    MISSING.includes(request.path) || ON_MAIN_HOST.includes(request.path) !== (request.host === 'tokens')
      ? undefined
      : venue.http(request, view),
};
