/**
 * Follows the live spreads and reports each pair that opens by more than a limit, net of fees, and when it closes again.
 *
 *   node spread-alerts.ts [net percent, default 0.2]
 *
 * With ALERT_URL, each alert is also sent there as JSON: {"text": "…"}, which Slack and Mattermost show.
 */
import { type ListSpreadsStreamRow, Perpwire } from 'perpwire';

const perpwire = new Perpwire({
  apiKey: process.env.PERPWIRE_API_KEY ?? '',
  baseUrl: process.env.PERPWIRE_BASE_URL ?? '',
});
const openPct = Number(process.argv[2] ?? 0.2);
/** A pair closes below half of the limit, so that one that hovers around it does not alert again and again. */
const closePct = openPct / 2;
const open = new Set<string>();

type Spread = ListSpreadsStreamRow<'net_spread_pct' | 'direction' | 'bid_a' | 'ask_a' | 'bid_b' | 'ask_b'>;

const pairOf = ({ coin, exchange_a, exchange_b }: Pick<Spread, 'coin' | 'exchange_a' | 'exchange_b'>) =>
  `${coin} ${exchange_a}/${exchange_b}`;

function openedText(row: Spread): string {
  const isLongA = row.direction === 'long_a_short_b';
  const buy = isLongA ? `${row.exchange_a} at ${row.ask_a}` : `${row.exchange_b} at ${row.ask_b}`;
  const sell = isLongA ? `${row.exchange_b} at ${row.bid_b}` : `${row.exchange_a} at ${row.bid_a}`;
  return `OPEN ${pairOf(row)} ${row.net_spread_pct?.toFixed(3)} % after fees: buy on ${buy}, sell on ${sell}`;
}

async function alert(text: string): Promise<void> {
  console.log(text);
  const { ALERT_URL: url } = process.env;
  if (!url) return;
  const body = JSON.stringify({ text });
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!reply.ok) console.error(`${url} answered ${reply.status}`);
}

const updates = perpwire.spreads.stream(
  {
    min_net_spread_pct: closePct,
    max_age_seconds: 30,
    sort: 'net_spread_desc',
    fields: ['net_spread_pct', 'direction', 'bid_a', 'ask_a', 'bid_b', 'ask_b'],
  },
  { onReconnect: ({ error }) => console.error(error?.message ?? 'the service restarts') },
);
for await (const { upsert, remove } of updates) {
  for (const row of upsert) {
    if ((row.net_spread_pct ?? 0) < openPct || open.has(pairOf(row))) continue;
    open.add(pairOf(row));
    await alert(openedText(row));
  }
  // A pair leaves the list when it falls below the lower limit or has no fresh quotes.
  for (const row of remove) if (open.delete(pairOf(row))) await alert(`CLOSED ${pairOf(row)}`);
}
