/**
 * Sends a Telegram message for each new listing and delisting. What it has seen is kept in a file, so a restart neither
 * misses nor repeats one.
 *
 *   TELEGRAM_TOKEN=… TELEGRAM_CHAT=… node listings-to-telegram.ts
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type ListListingsStreamRow, Perpwire } from 'perpwire';

const {
  PERPWIRE_API_KEY: apiKey = '',
  PERPWIRE_BASE_URL: baseUrl = '',
  TELEGRAM_TOKEN: token = '',
  TELEGRAM_CHAT: chat = '',
  TELEGRAM_URL: telegramUrl = 'https://api.telegram.org',
  STATE_FILE: stateFile = 'listings-seen.json',
} = process.env;

for (const [name, value] of Object.entries({ TELEGRAM_TOKEN: token, TELEGRAM_CHAT: chat }))
  if (value === '') {
    console.error(`Set ${name}: a bot's token comes from @BotFather, a chat's id from the bot's getUpdates.`);
    process.exit(2);
  }

interface Seen {
  id: string;
  rows: readonly ListListingsStreamRow[];
}

const keyOf = ({ exchange, symbol, kind, detected_at }: ListListingsStreamRow) =>
  [exchange, symbol, kind, detected_at].join(' ');

function textOf({ exchange, symbol, kind, effective_at, announcement_url }: ListListingsStreamRow): string {
  const when =
    effective_at === null
      ? 'at a time not yet known'
      : `at ${effective_at.slice(0, 16).replace('T', ' ')} UTC`;
  const what = kind === 'listing' ? 'lists' : 'delists';
  return [`${exchange} ${what} ${symbol} ${when}`, announcement_url].filter(Boolean).join('\n');
}

/** Telegram answers 429 with the seconds to wait when messages come too fast. */
async function send(text: string): Promise<void> {
  for (;;) {
    const reply = await fetch(`${telegramUrl}/bot${token}/sendMessage`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chat_id: chat, text, link_preview_options: { is_disabled: true } }),
    });
    if (reply.ok) return;
    const { parameters } = (await reply.json().catch(() => ({}))) as {
      parameters?: { retry_after?: number };
    };
    if (reply.status !== 429) throw new Error(`Telegram answered ${reply.status}`);
    await new Promise((resolve) => setTimeout(resolve, (parameters?.retry_after ?? 5) * 1000));
  }
}

/** Renamed into place, so that a crash never leaves half a file. */
function store(seen: Seen): void {
  writeFileSync(`${stateFile}.new`, JSON.stringify(seen));
  renameSync(`${stateFile}.new`, stateFile);
}

const perpwire = new Perpwire({ apiKey, baseUrl });
let seen: Seen | null = existsSync(stateFile) ? (JSON.parse(readFileSync(stateFile, 'utf8')) as Seen) : null;
const updates = perpwire.listings.stream(
  { sort: 'detected_desc', limit: 100 },
  {
    ...(seen ? { resumeFrom: seen } : {}),
    onReconnect: ({ error }) => console.error(error?.message ?? 'the service restarts'),
  },
);
for await (const { id, rows, upsert } of updates) {
  // The very first run reports nothing: all rows are new to it.
  const known = new Set((seen?.rows ?? rows).map(keyOf));
  for (const row of upsert.filter((one) => !known.has(keyOf(one)))) {
    await send(textOf(row));
    console.log(textOf(row));
  }
  seen = { id, rows };
  store(seen);
}
