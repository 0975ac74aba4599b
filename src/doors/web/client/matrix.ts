/** The matrix: arrow keys move from cell to cell, and a card shows a contract in full. */
import { keepPreference } from './layout.ts';

interface Rate {
  exchange: string;
  symbol: string;
  is_inverse: boolean;
  rate_pct: number;
  interval_hours: number | null;
  next_funding_at: string | null;
  sum_7d_pct?: number | null;
  sum_30d_pct?: number | null;
  volume_24h_usdt: number;
}

interface CoinAnswer {
  data: {
    coin: string;
    rates: Rate[];
    best_long_exchange: string | null;
    best_short_exchange: string | null;
  };
}

const KEPT_MS = 15_000;
const HOVER_MS = 250;
const HOURS_PER_YEAR = 8760;
const region = document.querySelector<HTMLElement>('.mxw');
const answers = new Map<string, { at: number; answer: Promise<CoinAnswer | null> }>();

/** The rates of a coin; all cells of a row share one request. */
function ratesOf(coin: string): Promise<CoinAnswer | null> {
  const kept = answers.get(coin);
  if (kept && Date.now() - kept.at < KEPT_MS) return kept.answer;
  const answer = fetch(`/funding/${encodeURIComponent(coin)}.json`)
    .then((reply) => (reply.ok ? (reply.json() as Promise<CoinAnswer>) : null))
    .catch(() => null);
  answers.set(coin, { at: Date.now(), answer });
  return answer;
}

const card = document.createElement('div');
card.className = 'pop card-now';
card.hidden = true;
card.setAttribute('role', 'dialog');
card.setAttribute('aria-label', 'Contract');
let shownFor: HTMLTableCellElement | null = null;
/** Where that cell was when its card was asked for. */
let shownAt: DOMRect | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

function coinOf(cell: HTMLTableCellElement): string | null {
  return cell.closest<HTMLElement>('tr[data-key]')?.dataset.key ?? null;
}

function venueOf(cell: HTMLTableCellElement): string | null {
  const heading = region?.querySelectorAll('thead th')[cell.cellIndex];
  return heading instanceof HTMLElement ? (heading.dataset.x ?? null) : null;
}

const signed = (value: number, decimals: number) => {
  const text = Math.abs(value).toFixed(decimals);
  return `${Number(text) === 0 ? '' : value > 0 ? '+' : '−'}${text}`;
};

function money(value: number): string {
  const [from, sign] =
    value >= 1e9 ? [1e9, ' B'] : value >= 1e6 ? [1e6, ' M'] : value >= 1e3 ? [1e3, ' k'] : [1, ''];
  return `$${(value / from).toFixed(value / from >= 100 || from === 1 ? 0 : 1)}${sign}`;
}

function line(list: HTMLElement, label: string, value: string): void {
  const [term, text] = [document.createElement('dt'), document.createElement('dd')];
  term.textContent = label;
  text.textContent = value;
  list.append(term, text);
}

function link(place: HTMLElement, to: string, words: string): void {
  const element = document.createElement('a');
  element.href = to;
  element.textContent = words;
  place.append(element);
}

function settlesIn(at: string | null): string {
  if (at === null) return 'continuous';
  const seconds = Math.round((Date.parse(at) - Date.now()) / 1000);
  if (seconds <= 0) return 'settling now';
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  return `${hours > 0 ? `${two(hours)}:` : ''}${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`;
}

function fill(coin: string, exchange: string, { data }: CoinAnswer): boolean {
  const own = data.rates.filter((rate) => rate.exchange === exchange && !rate.is_inverse);
  const [rate] = own.sort((a, b) => b.volume_24h_usdt - a.volume_24h_usdt);
  if (!rate) return false;
  const title = document.createElement('h4');
  const symbol = document.createElement('span');
  title.textContent = `${coin} on ${exchange}`;
  symbol.textContent = rate.symbol;
  title.append(symbol);
  const list = document.createElement('dl');
  const every = rate.interval_hours;
  line(
    list,
    rate.rate_pct < 0 ? 'Shorts pay next' : 'Longs pay next',
    `${signed(rate.rate_pct, 4)} %${every ? ` / ${every} h` : ''}`,
  );
  if (every)
    line(
      list,
      'Per 8 h · per year',
      `${signed((rate.rate_pct / every) * 8, 4)} % · ${signed((rate.rate_pct / every) * HOURS_PER_YEAR, 1)} %`,
    );
  line(list, 'Settles in', settlesIn(rate.next_funding_at));
  for (const [label, sum] of [
    ['Settled, last 7 d', rate.sum_7d_pct],
    ['Settled, last 30 d', rate.sum_30d_pct],
  ] as const)
    if (typeof sum === 'number') line(list, label, `${signed(sum, 4)} %`);
  line(list, '24 h volume', money(rate.volume_24h_usdt));
  const links = document.createElement('p');
  const name = encodeURIComponent(coin);
  link(links, `/funding/${name}/history?exchange=${encodeURIComponent(exchange)}`, 'History');
  const other = rate.rate_pct > 0 ? data.best_long_exchange : data.best_short_exchange;
  if (other !== null && other !== exchange)
    link(
      links,
      `/arbitrage?coin=${name}&exchange=${encodeURIComponent(`${exchange},${other}`)}&exchange_match=all`,
      `Pair with ${other}`,
    );
  card.replaceChildren(title, list, links);
  return true;
}

async function show(cell: HTMLTableCellElement, isFocused: boolean): Promise<void> {
  const [coin, exchange] = [coinOf(cell), venueOf(cell)];
  if (coin === null || exchange === null || cell.classList.contains('no')) return;
  shownFor = cell;
  shownAt = cell.getBoundingClientRect();
  const answer = await ratesOf(coin);
  // The pointer may have moved on meanwhile.
  if (!answer || shownFor !== cell || !fill(coin, exchange, answer)) return;
  if (!card.isConnected) document.body.append(card);
  card.hidden = false;
  const { left, bottom, top, width } = cell.getBoundingClientRect();
  const x = Math.min(Math.max(8, left + width / 2 - card.offsetWidth / 2), innerWidth - card.offsetWidth - 8);
  const isBelow = bottom + card.offsetHeight + 12 < innerHeight;
  card.style.left = `${x}px`;
  card.style.top = `${isBelow ? bottom + 6 : top - card.offsetHeight - 6}px`;
  if (isFocused) card.querySelector('a')?.focus();
}

function hide(): void {
  clearTimeout(timer);
  shownFor = null;
  card.hidden = true;
}

const cellAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLTableCellElement>('.mxw tbody td') : null;

region?.addEventListener('pointerover', (event) => {
  if (event.pointerType !== 'mouse') return;
  const cell = cellAt(event.target);
  clearTimeout(timer);
  if (!cell || cell === shownFor) return;
  timer = setTimeout(() => void show(cell, false), card.hidden ? HOVER_MS : 60);
});
// A finger leaves with every tap, so only a mouse closes the card by leaving.
region?.addEventListener('pointerleave', (event) => {
  if (event.pointerType !== 'mouse') return;
  clearTimeout(timer);
  timer = setTimeout(() => !card.matches(':hover') && hide(), 150);
});
card.addEventListener('pointerleave', (event) => event.pointerType === 'mouse' && hide());
region?.addEventListener('click', (event) => {
  const cell = cellAt(event.target);
  if (cell) void show(cell, false);
});
region?.addEventListener('scroll', () => {
  // The event comes after the scrolling: it may be that which brought a focused cell into view before its card opened.
  const at = shownFor?.getBoundingClientRect();
  if (at?.left !== shownAt?.left || at?.top !== shownAt?.top) hide();
});
document.addEventListener('pointerdown', (event) => {
  if (
    !card.hidden &&
    event.target instanceof Node &&
    !card.contains(event.target) &&
    !region?.contains(event.target)
  )
    hide();
});

/** Arrows move within the grid, which Tab enters once. */
region?.addEventListener('keydown', (event) => {
  const rows = [...region.querySelectorAll<HTMLTableRowElement>('tbody tr')];
  const current = cellAt(document.activeElement);
  const row = current ? rows.indexOf(current.closest('tr') as HTMLTableRowElement) : -1;
  const first = rows[0]?.cells.length ? 1 : 0;
  const column = current?.cellIndex ?? first;
  const moves: Record<string, readonly [number, number]> = {
    ArrowDown: [row + 1, column],
    ArrowUp: [Math.max(0, row - 1), column],
    ArrowRight: [Math.max(0, row), current ? column + 1 : first],
    ArrowLeft: [Math.max(0, row), Math.max(first, column - 1)],
    Home: [Math.max(0, row), first],
    End: [Math.max(0, row), (rows[0]?.cells.length ?? 1) - 1],
  };
  const move = moves[event.key];
  if (move && (current || event.key.startsWith('Arrow'))) {
    const cell = rows[Math.min(move[0], rows.length - 1)]?.cells[move[1]];
    if (!cell) return;
    event.preventDefault();
    hide();
    cell.tabIndex = -1;
    cell.focus();
  } else if (event.key === 'Enter' && current) {
    event.preventDefault();
    void show(current, true);
  }
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || card.hidden) return;
  const back = shownFor;
  hide();
  back?.focus();
});

for (const choice of document.querySelectorAll<HTMLInputElement>('[data-unit] input'))
  choice.addEventListener('change', () => void keepPreference('unit', choice.value).catch(() => undefined));
