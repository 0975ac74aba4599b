import { EXCHANGES_TABLE } from '../engines/funding/catalogue.ts';
import { isFlag, startsWith } from '../query/filter-kinds.ts';
import { plural } from './answer/words.ts';
import { defineList } from './list/list.ts';

const MAX_NAME_LENGTH = 40;

export const exchangesOperation = defineList({
  id: 'exchanges',
  operationId: 'listExchanges',
  path: '/exchanges',
  scope: null,
  summary: 'The trading venues that the service watches',
  description:
    'One row per venue: default taker fee in percent, highest leverage, links. `exchange` is the exact spelling that exchange filters take.',
  table: EXCHANGES_TABLE,
  source: (data) => data.exchanges,
  identity: ['exchange'],
  shortRows: {
    leading: [
      'exchange',
      'tracked_instruments',
      'taker_fee_pct',
      'max_leverage',
      'trading_enabled',
      'has_spot',
      'mirrors',
    ],
  },
  tool: {
    name: 'svc_get_exchanges',
    title: 'Trading venues',
    place: 8,
    noun: 'venue',
    conclusion: (row) => {
      const contracts = `${row.tracked_instruments} ${plural(row.tracked_instruments, 'contract')}`;
      return `${row.exchange} with ${contracts}, taker fee ${row.taker_fee_pct} %`;
    },
  },
  filters: {
    q: startsWith(['exchange', 'name'], MAX_NAME_LENGTH, 'Start of exchange or of name, in any case'),
    trading_enabled: isFlag('trading_enabled', 'true keeps venues open for trading'),
    has_spot: isFlag('has_spot', 'true keeps venues with a spot market'),
  },
  sorts: {
    name_asc: { column: 'exchange', direction: 'asc' },
    instruments_desc: { column: 'tracked_instruments', direction: 'desc' },
    fee_asc: { column: 'taker_fee_pct', direction: 'asc' },
    leverage_desc: { column: 'max_leverage', direction: 'desc' },
  },
  defaultSort: 'name_asc',
  ties: ['exchange'],
  isWhole: true,
  isStreamed: false,
  example: [
    {
      exchange: 'OKX',
      name: 'OKX',
      icon_url: 'https://perpwire.example/icons/okx.svg',
      tracked_instruments: 312,
      max_leverage: 100,
      taker_fee_pct: 0.05,
      trading_enabled: true,
      has_spot: true,
      fee_url: 'https://www.okx.com/fees',
      specs_url: 'https://www.okx.com/trade-market/info/swap',
      funding_url: 'https://www.okx.com/trade-market/funding/swap',
      page_url: 'https://perpwire.example/exchanges/OKX',
      depth_period_seconds: 60,
      no_history_reason: null,
      no_book_reason: null,
      quote_age_seconds: null,
      mirrors: null,
    },
  ],
});
