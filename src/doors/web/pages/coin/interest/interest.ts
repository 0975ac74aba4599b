import { csvOfObjects } from '../../../../../base/csv.ts';
import { openInterestHistory } from '../../../../../operations/tape/open-interest.ts';
import { markdownTable } from '../../../../documents/markdown.ts';
import { pageParameters } from '../../../layout/page-parameters.ts';
import { markdownHead } from '../../../markup/markdown.ts';
import { forgiving } from '../../lists/forgiving.ts';
import { definePage } from '../../market-page.ts';
import type { PageContext } from '../../page-context.ts';
import { nameOf } from '../head.ts';
import { type LoadedInterest, loadInterest, totalRows, USUAL_DAYS, VALID_MS } from './interest-data.ts';
import { interestBody, venueFigures } from './interest-view.ts';

const LEAD =
  'Open interest summed over venues, each with its largest contract, and the number of venues that make the sum: compare times with the same number. The premium is the mark price above the index price.';

/** Open interest and premium of a coin through time. */
export const INTEREST_PAGE = definePage<LoadedInterest>({
  path: '/funding/:coin/open-interest',
  label: 'Open interest of a coin',
  section: '/funding',
  parameters: pageParameters(null, ['days', 'show']),
  isLive: true,
  freshness: ({ entrance }) => String(Math.floor(entrance.clock.nowMs() / VALID_MS)),
  clean: cleanQuery,
  load: loadInterest,
  view: (loaded, context) => {
    const { coin, meta } = loaded;
    const name = nameOf(coin);
    return {
      title: `${name === coin ? coin : `${name} (${coin})`} open interest and premium`,
      description: `Open interest of ${coin} perpetuals through time, summed over venues, and the premium of each venue`,
      layout: 'wrap',
      asOf: meta.as_of,
      scripts: ['live', 'soft', 'stars', 'uplot', 'line-chart'],
      body: interestBody(loaded, context),
    };
  },
  markdown: (
    loaded,
  ) => `${markdownHead(`${loaded.coin} open interest`, LEAD, loaded.meta)}${markdownTable(totalRows(loaded))}
## By venue

${markdownTable(loaded.series.map(venueRowOf))}`,
  files: {
    '.csv': {
      type: 'text/csv; charset=utf-8',
      write: (loaded) => csvOfObjects(totalRows(loaded), ['known_at', 'open_interest_usdt', 'venues']),
      headers: ({ coin }) => ({
        'content-disposition': `attachment; filename="${coin.replaceAll(/[^A-Za-z0-9-]/g, '_')}-open-interest.csv"`,
      }),
    },
  },
});

function venueRowOf(series: LoadedInterest['series'][number]): Record<string, string | number | null> {
  const { exchange, symbol, interestUsdt, changePct, premiumPct, lowPct, highPct } = venueFigures(series);
  return {
    exchange,
    symbol,
    open_interest_usdt: interestUsdt,
    change_pct: changePct === null ? null : Number(changePct.toFixed(2)),
    premium_pct: premiumPct,
    low_premium_pct: lowPct,
    high_premium_pct: highPct,
  };
}

/** The address as it should be: whole days, venues spelled right, without what is the default. */
function cleanQuery({ sent, entrance }: PageContext): Map<string, string[]> {
  const clean = new Map(sent);
  const days = Number(sent.get('days')?.[0]);
  if (!Number.isInteger(days) || days < 1 || days === USUAL_DAYS) clean.delete('days');
  const shown = sent.get('show');
  if (shown) {
    const spelled = forgiving(openInterestHistory, new Map([['exchange', shown]]), entrance.data.venues);
    clean.set('show', [(spelled.get('exchange') ?? shown).join(',')]);
  }
  return clean;
}
