import { csvOfObjects } from '../../../../base/csv.ts';
import { arbitrageHistory, type PairCarry } from '../../../../operations/arbitrage/arbitrage-history.ts';
import { depth } from '../../../../operations/depth/depth.ts';
import { markdownTable } from '../../../documents/markdown.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { markdownHead } from '../../markup/markdown.ts';
import { cleanSize } from '../depth/size.ts';
import { closedPairText } from '../lists/closed-markets.ts';
import { definePage } from '../market-page.ts';
import { CARRY_PATH, chartSeries, type LoadedCarry, loadCarryDays, SIZE_PARAMETER } from './pair-data.ts';
import { carryBody } from './pair-view.ts';

const LEAD =
  'What holding the pair earned day by day, from settled payments only and before fees. A day without a payment on both legs is a gap, never zero.';

/** What one pair earned: figures, a chart, a table, and the same as CSV and JSON. */
export const ARBITRAGE_PAIR_PAGE = definePage<LoadedCarry>({
  path: CARRY_PATH,
  section: '/arbitrage',
  freshness: ({ entrance, caller }) =>
    [arbitrageHistory, depth].map((operation) => entrance.freshness(operation, caller)).join(' '),
  parameters: pageParameters(arbitrageHistory, [SIZE_PARAMETER]),
  clean: (context) => cleanSize(context, SIZE_PARAMETER),
  isLive: true,
  load: loadCarryDays,
  view: (loaded, context) => ({
    title: titleOf(loaded.data),
    description: descriptionOf(loaded.data),
    layout: 'wrap',
    asOf: loaded.age.as_of,
    body: carryBody(loaded, context),
    scripts: ['live', 'soft', 'uplot', 'line-chart'],
  }),
  markdown: ({ data, meta, days, next }) => {
    const coming = next
      ? [
          '\n## Payments of the next 24 hours\n',
          `At the running rates; positive is received. Opening and closing cost ${next.cost_pct_round_trip} %.\n`,
          markdownTable(next.payments.map((payment) => ({ ...payment }))),
        ].join('\n')
      : '';
    const lead = `${LEAD} ${closedPairText(next?.leg_closed === true)}`.trim();
    return `${markdownHead(titleOf(data), lead, meta)}${markdownTable(days.map((day) => ({ ...day })))}${coming}`;
  },
  files: {
    '.json': {
      type: 'application/json; charset=utf-8',
      write: ({ data, meta, days, next }) =>
        JSON.stringify({ data: { ...data, days, series: chartSeries(data, days), next }, meta }),
    },
    '.csv': {
      type: 'text/csv; charset=utf-8',
      write: ({ data, days }) =>
        csvOfObjects(
          days.map((day) => ({ coin: data.coin, ...day })),
          ['coin', 'day', 'net_pct'],
        ),
      headers: ({ data }) => ({
        'content-disposition': `attachment; filename="${fileName(data)}.csv"`,
      }),
    },
  },
});

function titleOf({ coin, long_exchange, short_exchange }: PairCarry): string {
  return `${coin}: long ${long_exchange}, short ${short_exchange}`;
}

function descriptionOf({ coin, long_exchange: long, short_exchange: short }: PairCarry): string {
  return `What a long of ${coin} on ${long} and a short on ${short} earn after costs, and what they earned`;
}

function fileName({ coin, long_exchange, short_exchange }: PairCarry): string {
  return `${coin}-${long_exchange}-${short_exchange}-carry`.replaceAll(/[^A-Za-z0-9-]/g, '_');
}
