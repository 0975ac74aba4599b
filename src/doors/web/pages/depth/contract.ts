import { csvOfObjects } from '../../../../base/csv.ts';
import { isoTime } from '../../../../base/times.ts';
import { depth } from '../../../../operations/depth/depth.ts';
import { depthHistory } from '../../../../operations/depth/depth-history.ts';
import { markdownTable } from '../../../documents/markdown.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { markdownHead } from '../../markup/markdown.ts';
import { definePage } from '../market-page.ts';
import type { Week } from './books.ts';
import { type LoadedContract, loadContract } from './contract-data.ts';
import { contractBody } from './contract-view.ts';
import { usdText } from './costs.ts';
import { CONTRACT_PATH, DEPTH_PATH } from './paths.ts';
import { cleanSize } from './size.ts';

const LEAD =
  'What rests in the order book near the mid price, and what an order costs against it, before fees. Beyond the levels that the venue sends it is unknown.';

/** The order book of one contract: what each size costs now, and what one cost through the week. */
export const CONTRACT_PAGE = definePage<LoadedContract>({
  path: CONTRACT_PATH,
  section: DEPTH_PATH,
  parameters: pageParameters(null, ['symbol', 'size_usd']),
  isLive: true,
  freshness: ({ entrance, caller }) =>
    [depth, depthHistory].map((operation) => entrance.freshness(operation, caller)).join(' '),
  clean: (context) => cleanSize(context, 'size_usd'),
  load: loadContract,
  view: (loaded, context) => ({
    title: `${titleOf(loaded)}: order-book depth`,
    description: `What orders of ${loaded.coin} cost on ${loaded.exchange} by their size, now and through the week`,
    layout: 'wrap',
    asOf: (loaded.book ?? loaded.week).meta.as_of,
    scripts: ['live', 'soft', 'uplot', 'line-chart'],
    body: contractBody(loaded, context),
  }),
  markdown: ({ book, week, ...loaded }) => {
    const now = book ? markdownTable([book.row]) : 'There is no order book of the last hour.\n';
    return `${markdownHead(titleOf({ book, week, ...loaded }), LEAD, (book ?? week).meta)}${now}
## What ${usdText(loaded.sizeUsd)} cost through the week

${markdownTable(weekRows(week))}`;
  },
  files: {
    '.csv': {
      type: 'text/csv; charset=utf-8',
      write: ({ week }) => csvOfObjects(weekRows(week), ['at', 'buy_cost_pct', 'sell_cost_pct']),
      headers: ({ coin, exchange, sizeUsd }) => ({
        'content-disposition': `attachment; filename="${`${coin}-${exchange}-cost-of-${sizeUsd}`.replaceAll(/[^A-Za-z0-9-]/g, '_')}.csv"`,
      }),
    },
  },
});

function titleOf({ symbol, exchange }: LoadedContract): string {
  return `${symbol} on ${exchange}`;
}

function weekRows({ buy, sell }: Week): Record<string, string | number | null>[] {
  return buy.map(({ atMs, pct }, i) => ({
    at: isoTime(atMs),
    buy_cost_pct: pct,
    sell_cost_pct: sell[i]?.pct ?? null,
  }));
}
