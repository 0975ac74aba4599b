/** The content of the card that shows a contract of the matrix in full. */

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

const VALID_MS = 15_000;
const HOURS_PER_YEAR = 8760;
const answers = new Map<string, { at: number; answer: Promise<CoinAnswer | null> }>();

/** The rates of a coin; all cells of a row share one request. */
export function ratesOf(coin: string): Promise<CoinAnswer | null> {
  const known = answers.get(coin);
  if (known && Date.now() - known.at < VALID_MS) return known.answer;
  const answer = fetch(`/funding/${encodeURIComponent(coin)}.json`)
    .then((reply) => (reply.ok ? (reply.json() as Promise<CoinAnswer>) : null))
    .catch(() => null);
  answers.set(coin, { at: Date.now(), answer });
  return answer;
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

/** What the card shows of the contract; null if the venue has none. */
export function cardContent(coin: string, exchange: string, { data }: CoinAnswer): HTMLElement[] | null {
  const own = data.rates.filter((rate) => rate.exchange === exchange && !rate.is_inverse);
  const [rate] = own.sort((a, b) => b.volume_24h_usdt - a.volume_24h_usdt);
  if (!rate) return null;
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
  link(links, `/exchanges/${encodeURIComponent(exchange)}`, exchange);
  const other = rate.rate_pct > 0 ? data.best_long_exchange : data.best_short_exchange;
  if (other !== null && other !== exchange)
    link(
      links,
      `/arbitrage?coin=${name}&exchange=${encodeURIComponent(`${exchange},${other}`)}&exchange_match=all`,
      `Pair with ${other}`,
    );
  return [title, list, links];
}
