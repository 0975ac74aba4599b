import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTables } from '../../operations/description/tables.ts';
import { type ConnectTarget, connectLinks } from './connect-links.ts';
import type { Document, DocumentContext } from './document.ts';

/** A document whose text is a file in docs/. */
interface DocsFile extends Omit<Document, 'markdown'> {
  file: string;
}

const DOCS = join(import.meta.dirname, '../../../docs');

export const DOCS_FILES: readonly DocsFile[] = [
  {
    path: '/developers',
    group: 'Start',
    file: 'developers.md',
    title: 'API guide',
    description: 'How to use the Perpwire API: keys, limits, caching, filters, errors',
  },
  {
    path: '/developers/streams',
    group: 'Start',
    file: 'streams.md',
    title: 'Streams',
    description: 'Changes of a list as they happen: events, resuming, limits, examples in three languages',
  },
  {
    path: '/developers/alerts',
    group: 'Start',
    file: 'alerts.md',
    title: 'Alerts',
    description:
      'Messages when a list changes: rules, channels, and how to verify webhooks in three languages',
  },
  {
    path: '/developers/rules',
    group: 'Understand',
    file: 'data-rules.md',
    title: 'Data rules',
    description: 'What every number of the API and the pages means, and the formula behind it',
  },
  {
    path: '/developers/spreads',
    group: 'Endpoints',
    file: 'spreads.md',
    title: 'Live spreads',
    description: 'Which contracts meet in a spread, and every formula of a row',
  },
  {
    path: '/developers/backtest',
    group: 'Endpoints',
    file: 'backtest.md',
    title: 'Spread backtest',
    description: 'The rule by which pairs are traded in the backtest, with a worked example',
  },
  {
    path: '/developers/arbitrage',
    group: 'Endpoints',
    file: 'arbitrage.md',
    title: 'Funding arbitrage',
    description: 'Every figure of a pair of venues, with a worked example',
  },
  {
    path: '/developers/depth',
    group: 'Endpoints',
    file: 'depth.md',
    title: 'Order-book depth',
    description:
      'What rests near the mid price of every contract, how often books are read, and what stays unknown',
  },
  {
    path: '/developers/forecast',
    group: 'Endpoints',
    file: 'forecast.md',
    title: 'Forecast of carry',
    description: 'What a pair is expected to earn: the model, how to check it, and what was tried',
  },
  {
    path: '/developers/history',
    group: 'Endpoints',
    file: 'history.md',
    title: 'Funding history',
    description: 'What a settled print is, where prints come from, and the figures made from them',
  },
  {
    path: '/developers/tape',
    group: 'Endpoints',
    file: 'tape.md',
    title: 'Running rates and open interest',
    description: 'What every contract was minute by minute: running rate, premium, mark price, open interest',
  },
  {
    path: '/developers/lake',
    group: 'Endpoints',
    file: 'lake.md',
    title: 'The lake',
    description: 'The stored history as Parquet files, for DuckDB, Polars and PyArrow',
  },
  {
    path: '/developers/listings',
    group: 'Endpoints',
    file: 'listings.md',
    title: 'Listings calendar',
    description: 'Where rows of the calendar come from, what their fields promise, and how to follow them',
  },
  {
    path: '/developers/accuracy',
    group: 'Understand',
    file: 'accuracy.md',
    title: 'Accuracy',
    description: 'How published rates are compared with settled ones, and when a venue is in alarm',
  },
  {
    path: '/developers/assistants',
    group: 'AI assistants',
    file: 'assistants.md',
    title: 'AI assistants',
    description: 'How to connect Claude, ChatGPT or another AI assistant to the live data over MCP',
  },
  {
    path: '/developers/venues',
    group: 'Understand',
    file: 'venues.md',
    title: 'Venues',
    description: 'Per venue: what comes from which call, and what is unknown',
  },
];

/** The part of a file from this heading on is for operators and contributors, and is not served. */
const NOT_SERVED = /^## For operators and contributors$[\s\S]*/m;
/** A note for readers of the file itself, who see names such as {base_url}. */
const NOTE_OF_FILE = /^> In the repository, (?:.+\n)+\n/gm;
const COMMENT = /<!--[\s\S]*?-->\n*/g;
/** An address in a document that opens an assistant with this server filled in. */
const CONNECT = /\{connect_(claude|cursor|vscode)\}/g;
const LINK = /\[([^\]]+)\]\(([a-z-]+\.md)(#[^)]*)?\)/g;

/** The part for users of the API. `linkTo` converts links between files of docs/. */
export function docsText(
  { file }: DocsFile,
  { baseUrl, operations }: DocumentContext,
  linkTo: (path: string) => string,
): string {
  return withTables(readFileSync(join(DOCS, file), 'utf8'), operations)
    .replace(NOT_SERVED, '')
    .replaceAll(NOTE_OF_FILE, '')
    .replaceAll(COMMENT, '')
    .replaceAll(LINK, (_whole, words: string, target: string, anchor = '') => {
      const found = DOCS_FILES.find((one) => one.file === target);
      // Some files are not served.
      if (!found) return words;
      return `[${words === target ? found.title : words}](${linkTo(found.path)}${anchor})`;
    })
    .replaceAll(CONNECT, (_whole, target: ConnectTarget) => connectLinks(baseUrl)[target])
    .replaceAll('{base_url}', baseUrl);
}
