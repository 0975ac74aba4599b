import { oneSide, unknownSides } from '../counting/sides.ts';
import { lighter, marketsPoll } from '../lighter/venue.ts';
import { sourced, type Venue } from '../venue.ts';

const DIFFERENCES = 'https://apidocs.lighter.xyz/docs/lighter-rh';

export const lighterrh: Venue = {
  ...lighter,
  slug: 'lighterrh',
  facts: {
    exchange: 'LighterRH',
    name: 'Lighter on Robinhood Chain',
    kind: 'dex',
    ...(lighter.facts.listingFields ? { listingFields: lighter.facts.listingFields } : {}),
    takerFeePct: sourced(0, '2026-09-21', 'https://api.rh.lighter.xyz/api/v1/orderBooks'),
    makerFeePct: sourced(0, '2026-09-21', 'https://api.rh.lighter.xyz/api/v1/orderBooks'),
    maxLeverage: lighter.facts.maxLeverage,
    hasNoClasses: true,
    counts: {
      openInterest: oneSide(
        'it moves by the size of a fill, as DefiLlama measured after it had doubled the figure',
        '2026-09',
        'https://github.com/DefiLlama/dimension-adapters/blob/master/open-interest/lighter-rh-oi.ts',
      ),
      volume: unknownSides(
        'a value in dollars, whose last digits say nothing; the engine is that of Lighter',
        '2026-09',
        'https://github.com/DefiLlama/dimension-adapters/blob/master/dexs/lighter-rh/index.ts',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: DIFFERENCES,
    specsUrl: 'https://apidocs.rh.lighter.xyz/docs/get-started',
    fundingUrl: 'https://robinhoodchain.lighter.xyz',
    notes: [
      'A second deployment of Lighter’s software, with its own books, accounts and market numbers. Collateral: USDG; prices are in dollars.',
      'Most rates rest at 0.0012 % an hour on coins and 0.0004 % on shares (2026-09-05).',
      'Asset classes are those of the token list of Lighter’s main deployment; a name that it does not have is a coin unless its name says more.',
    ],
    unknown: [
      'whether token list and announcements answer on this host: the list is read from the main host, announcements are not read',
      'whether its 60 calls a minute are shared with the main host: counted apart; a refusal of one pauses only that one',
      'what multiplier means in the list: 1 on every market that was seen, another one is refused',
      'unit of taker_fee: read as percent, as at Lighter; 0 on the market on record',
      'whether its socket can be reached from everywhere: on 2026-10-09 it was refused from one place and open from another; tops come by the socket alone',
      'largest leverage: as at Lighter, no source of its own',
      'delisting times: the list has none',
    ],
  },
  hosts: {
    rest: 'https://api.rh.lighter.xyz',
    ws: 'wss://api.rh.lighter.xyz',
    tokens: 'https://mainnet.zklighter.elliot.ai',
  },
  polls: [
    marketsPoll({ currency: { quote: 'USD', settle: 'USDG' }, tokenHost: 'tokens' }),
    ...lighter.polls.filter(({ name }) => name === 'funding-rates'),
  ],
};
