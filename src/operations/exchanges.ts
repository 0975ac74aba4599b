import { EXCHANGES_TABLE } from '../engines/funding/catalogue.ts';
import { flagIs } from '../query/filters.ts';
import { choice, flag, text } from '../query/kinds.ts';
import type { Sorts } from '../query/sorting.ts';
import { answerList, rowSchema, untilNextSnapshot } from './list.ts';
import { defineOperation } from './operation.ts';

const SORTS = {
  name_asc: { column: 'exchange', direction: 'asc' },
  instruments_desc: { column: 'tracked_instruments', direction: 'desc' },
  fee_asc: { column: 'taker_fee_pct', direction: 'asc' },
  leverage_desc: { column: 'max_leverage', direction: 'desc' },
} satisfies Sorts;

const MAX_NAME_LENGTH = 24;

const parameters = {
  q: text('q', MAX_NAME_LENGTH, 'Start of a venue name, in any case'),
  trading_enabled: flag('trading_enabled', 'true keeps venues the service can trade on'),
  has_spot: flag('has_spot', 'true keeps venues with a spot market'),
  sort: choice('sort', Object.keys(SORTS) as (keyof typeof SORTS)[], 'Order of the rows; default name_asc'),
};

export const exchangesOperation = defineOperation({
  id: 'exchanges',
  path: '/exchanges',
  scope: null,
  summary: 'The trading venues that the service watches',
  description:
    'One row per venue with its default taker fee in percent, highest leverage and links. `exchange` is the exact, case-sensitive spelling that every exchange filter takes.',
  tool: { name: 'svc_get_exchanges', title: 'Trading venues' },
  parameters,
  freshness: untilNextSnapshot((data) => data.exchanges),
  data: { type: 'array', items: rowSchema(EXCHANGES_TABLE) },
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
    },
  ],
  run: (values, context) =>
    answerList(
      {
        operationId: 'exchanges',
        page: '/exchanges',
        values,
        sorts: SORTS,
        defaultSort: 'name_asc',
        ties: ['exchange'],
        isWhole: true,
        source: context.data.exchanges,
        filtersOf: (table) => {
          const start = values.q?.toLowerCase() ?? '';
          return [
            flagIs(table, 'trading_enabled', values.trading_enabled),
            flagIs(table, 'has_spot', values.has_spot),
            start === ''
              ? null
              : (row: number) => table.text('exchange', row).toLowerCase().startsWith(start),
          ];
        },
      },
      context,
    ),
});
