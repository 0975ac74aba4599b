import { Problem } from '../../../../base/problems.ts';
import { noBetterThanNothing } from '../../../../operations/forecast-accuracy/no-better.ts';
import { funding } from '../../../../operations/funding.ts';
import { isStreamed } from '../../../../operations/operation.ts';
import { markdownTable } from '../../../documents/markdown.ts';
import { liveBadge } from '../../layout/live-badge.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { listForPage, NO_WINDOWS, type PageList } from '../../layout/visitor.ts';
import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinMark } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { markdownHead } from '../../markup/markdown.ts';
import { type Matrix, matrixOf, sortedCoins } from '../funding/matrix-data.ts';
import { definePage } from '../market-page.ts';
import { openVenues } from '../open-venues.ts';
import type { PageContext } from '../page-context.ts';
import type { VenueStatus } from '../venues/venue-status.ts';
import { loadBoard } from './board-rows.ts';
import { BOARD_QUERIES, type Board, type BoardName, type Boards, boardPath, boardsHtml } from './boards.ts';
import { developersBlock } from './developers.ts';
import { healthBlock } from './health.ts';
import { matrixCut } from './matrix-cut.ts';

interface LoadedHome {
  contracts: PageList | null;
  boards: Boards;
  matrix: Matrix | null;
  statuses: readonly VenueStatus[];
  /** Kinds of underlying whose forecasts have been no better than expecting nothing. */
  doubted: ReadonlySet<string>;
  nowMs: number;
}

const QUICK_COINS = 6;
const BOARD_HOLD_DAYS = 30;
const ONE_ROW = new Map([['limit', ['1']]]);
const TITLE = 'Every perp’s funding rate, on every venue, side by side.';
const LEAD =
  'See what holding a position pays right now, what it really paid last month, and which pairs still earn after costs.';

export const HOME_PAGE = definePage<LoadedHome>({
  path: '/',
  label: 'Start',
  markdownPath: '/index.md',
  section: '/',
  parameters: pageParameters(null),
  isLive: true,
  freshness: ({ entrance, caller }) =>
    Object.values(BOARD_QUERIES)
      .map(({ operation }) => entrance.freshness(operation, caller))
      .join(' '),
  load: async (context) => {
    const { entrance, venueStatus } = context;
    const contracts = await unlessMissing(listForPage(entrance, funding, context.caller, ONE_ROW));
    const loaded: [BoardName, Board | null][] = [];
    for (const name of Object.keys(BOARD_QUERIES) as BoardName[])
      loaded.push([name, await unlessMissing(loadBoard(context, BOARD_QUERIES[name]))]);
    const boards = Object.fromEntries(loaded) as unknown as Boards;
    const statuses = venueStatus();
    const matrix = contracts && marketMatrix(context, Date.parse(contracts.meta.as_of), statuses);
    const nowMs = entrance.clock.nowMs();
    const reader = { data: entrance.data, plan: context.caller.plan, nowMs };
    const doubted = await noBetterThanNothing(reader, BOARD_HOLD_DAYS);
    return { contracts, boards, matrix, statuses, doubted, nowMs };
  },
  view: (loaded, context) => {
    const { entrance } = context;
    const venues = openVenues(entrance).length;
    const count = loaded.contracts?.meta.total ?? 'all';
    return {
      title: `Funding rates from ${venues} perp venues, side by side`,
      description: `Live funding rates, settled history, spreads and listings of ${count} perpetual futures on ${venues} venues.`,
      layout: 'home',
      ...(loaded.contracts ? { asOf: loaded.contracts.meta.as_of } : {}),
      scripts: ['live', 'copy', 'code-tabs', 'stars'],
      body: homeBody(loaded, context),
    };
  },
  markdown: ({ contracts, boards }, { entrance }) => {
    if (!contracts) return `# ${TITLE}\n\nThe service has just started and is collecting its first data.\n`;
    const venues = openVenues(entrance).length;
    const lead = `${LEAD} Lists for agents: <${entrance.baseUrl}/llms.txt>.`;
    const part = (title: string, name: BoardName) => {
      const rows = boards[name]?.rows ?? [];
      return rows.length === 0
        ? ''
        : `\n## ${title}\n\nMore: <${boardPath(BOARD_QUERIES[name])}>\n\n${markdownTable(rows)}`;
    };
    return [
      markdownHead(TITLE, lead, contracts.meta),
      markdownTable([{ contracts: contracts.meta.total, venues }]),
      part('Highest funding: longs pay', 'high'),
      part('Lowest funding: shorts pay', 'low'),
      part('Best carry', 'carry'),
      part('Widest spreads', 'spread'),
      part('Next listings', 'listing'),
    ].join('');
  },
});

/** Null while that table has no data yet; the page shows the others. */
async function unlessMissing<T>(loading: Promise<T>): Promise<T | null> {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof Problem && error.code === 'snapshot-unavailable') return null;
    throw error;
  }
}

/** The linear contracts with some volume, as on /funding. */
function marketMatrix(
  { entrance, caller }: PageContext,
  asOfMs: number,
  statuses: readonly VenueStatus[],
): Matrix | null {
  if (!isStreamed(funding)) return null;
  const filters = new Map([
    ['is_inverse', ['false']],
    ['min_volume_usdt', ['1000000']],
  ]);
  const list = entrance.streamedList(funding, { caller, states: NO_WINDOWS }, filters);
  const matched = list.matchesAt(asOfMs);
  const venues = openVenues(entrance).map(({ facts }) => facts.exchange);
  return matched && matrixOf(matched, asOfMs, statuses, venues);
}

function homeBody(loaded: LoadedHome, { entrance, preferences, stars, isSignedIn }: PageContext): Html {
  const { contracts, boards, matrix, statuses, doubted, nowMs } = loaded;
  const venues = openVenues(entrance).length;
  const coins = matrix ? sortedCoins(matrix, 'volume_desc') : [];
  return html`<section class="hero">
      <div class="hero-t">
        ${
          contracts
            ? html`${liveBadge(contracts.meta, '/')}
              <p class="count mut">${grouped(contracts.meta.total ?? 0)} contracts on ${venues} venues</p>`
            : null
        }
        <h1>${TITLE}</h1>
        <p class="lead">${LEAD}</p>
        <form class="hsearch" role="search" aria-label="Start here" action="/search">
          <label class="vh" for="hq">Search a coin or venue</label>
          ${icon('search')}
          <input id="hq" name="q" type="search" placeholder="Coin or venue, e.g. SOL or Kraken"
            autocomplete="off" maxlength="60">
          <button class="btn pri" type="submit">Search</button>
        </form>
        ${
          coins.length === 0
            ? null
            : html`<p class="quick">
              <span>Most traded</span>
              ${coins.slice(0, QUICK_COINS).map(
                ({ coin }) => html`<a class="qc" href="/funding/${encodeURIComponent(coin)}">
                  ${coinMark(coin, 16)}
                  ${coin}
                </a>`,
              )}
            </p>`
        }
      </div>
      ${
        matrix && coins.length > 0
          ? matrixCut(matrix, coins, preferences.unit, stars)
          : html`<div class="card empty">
            <h2>No data yet</h2>
            <p>The service has just started and is collecting its first data. Reload in a minute.</p>
          </div>`
      }
    </section>
    ${boardsHtml(boards, doubted)}
${developersBlock(entrance.baseUrl, isSignedIn)}
${healthBlock(statuses, nowMs)}`;
}
