import { csvOfObjects } from '../../../../base/csv.ts';
import { isoTime, MINUTE_MS } from '../../../../base/times.ts';
import { spreadBacktest } from '../../../../operations/spread-backtest.ts';
import { spreads } from '../../../../operations/spreads.ts';
import type { Venue } from '../../../../venues/venue.ts';
import { markdownTable } from '../../../documents/markdown.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { markdownHead } from '../../markup/markdown.ts';
import { cleanSize } from '../depth/size.ts';
import { closedPairText } from '../lists/closed-markets.ts';
import { forgiving, venueNamed } from '../lists/forgiving.ts';
import { definePage } from '../market-page.ts';
import type { PageContext } from '../page-context.ts';
import { isLegClosed, type LoadedPair, loadPair, ORDER_PARAMETER, refuseWithoutRow } from './pair-data.ts';
import { pairBody } from './pair-view.ts';
import { PAIR_PATH } from './paths.ts';

const NO_RESULTS =
  'The quotes now. This pair has no test result, or it is among the best pairs, which a plan shows.';

/** Two venues on a coin: prices now, what the backtest made of them, the spread as a chart, and the cycles. */
export const PAIR_PAGE = definePage<LoadedPair>({
  path: PAIR_PATH,
  section: '/spreads',
  parameters: pageParameters(null, [
    ...['coin', 'exchange_a', 'exchange_b'],
    ...['size_usd', ORDER_PARAMETER, 'range', 'cycles'],
  ]),
  isLive: true,
  freshness: ({ entrance, caller }) =>
    [spreads, spreadBacktest].map((operation) => entrance.freshness(operation, caller)).join(' '),
  clean: (context) => inOrder(cleanSize(context, ORDER_PARAMETER), context.entrance.data.venues),
  load: loadPair,
  view: (loaded, context) => ({
    title: `${titleOf(loaded)} spread`,
    description: descriptionOf(loaded),
    layout: 'wrap',
    asOf: loaded.meta.as_of,
    body: pairBody(loaded, context),
    scripts: ['live', 'soft', 'uplot', 'line-chart'],
  }),
  markdown: (loaded) => {
    const { row, live, sizeUsd, testedMeta, cycles } = loaded;
    const title = titleOf(loaded);
    const closed = closedPairText(isLegClosed(loaded));
    // Without a row there are the quotes of now; its cycles may be withheld.
    if (!row)
      return `${markdownHead(title, `${NO_RESULTS} ${closed}`.trim(), loaded.meta)}${markdownTable(live ? [live.row] : [])}`;
    const lead = `Priced for an order of ${sizeUsd} USD. ${explained(loaded)} ${closed}`.trim();
    return `${markdownHead(title, lead, testedMeta)}${markdownTable([row])}\n## Cycles\n\n${markdownTable(cycles)}`;
  },
  files: {
    '.json': {
      type: 'application/json; charset=utf-8',
      write: (loaded) => {
        const { row, sizeUsd, testedMeta: meta, from, spreadsPct, cycles, marks } = refuseWithoutRow(loaded);
        const data = { size_usd: sizeUsd, row, from, step_seconds: 60, spread_pct: pointsOf(spreadsPct) };
        return JSON.stringify({ data: { ...data, cycles, entry_marks_pct: marks }, meta });
      },
    },
    '.csv': {
      type: 'text/csv; charset=utf-8',
      write: (loaded) => {
        const { from, spreadsPct } = refuseWithoutRow(loaded);
        const fromMs = Date.parse(from ?? '');
        return csvOfObjects(
          pointsOf(spreadsPct).map((spread_pct, i) => ({
            time: isoTime(fromMs + i * MINUTE_MS),
            spread_pct,
          })),
          ['time', 'spread_pct'],
        );
      },
      headers: ({ coin, exchangeA, exchangeB }) => ({
        'content-disposition': `attachment; filename="${`${coin}-${exchangeA}-${exchangeB}-spread`.replaceAll(/[^A-Za-z0-9-]/g, '_')}.csv"`,
      }),
    },
  },
});

/** The pair is named by its venues in the order of their characters; the other order and other spellings lead to it. */
function inOrder(sent: PageContext['sent'], venues: readonly Venue[]): PageContext['sent'] {
  const clean = forgiving(spreads, sent, venues);
  const [a, b] = ['exchange_a', 'exchange_b'].map((name) => {
    const text = sent.get(name)?.[0] ?? '';
    return venueNamed(text, venues) ?? text;
  });
  if (!a || !b) return clean;
  const [first, second] = a < b ? [a, b] : [b, a];
  return clean.set('exchange_a', [first]).set('exchange_b', [second]);
}

function titleOf({ coin, exchangeA, exchangeB }: LoadedPair): string {
  return `${coin}: ${exchangeA} and ${exchangeB}`;
}

function explained({ exchangeA: a, exchangeB: b }: LoadedPair): string {
  const spread = `The spread is how much higher the mid price on ${b} is than on ${a}, in percent of the latter.`;
  return `${spread} A cycle is opened and closed at fill prices, so its profit is less than the spread moved.`;
}

function pointsOf(spreadsPct: Float32Array): (number | null)[] {
  return Array.from(spreadsPct, (spread) => (Number.isNaN(spread) ? null : Number(spread.toFixed(4))));
}

function descriptionOf({ coin, exchangeA: a, exchangeB: b }: LoadedPair): string {
  return `Prices of ${coin} on ${a} and ${b} side by side, the spread between them, and what trading it would have earned`;
}
