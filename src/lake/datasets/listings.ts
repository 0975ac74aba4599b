import { loadListings } from '../../history/listings/store.ts';
import type { Storage } from '../../storage/storage.ts';
import {
  isOfDay,
  KNOWN_AT,
  type LakeDay,
  type LakeRows,
  type LakeSource,
  type LakeTable,
} from '../dataset.ts';

const text = (name: string, description: string, isNullable = false) =>
  ({ name, type: 'text', isNullable, description }) as const;
const time = (name: string, description: string, isNullable = false) =>
  ({ name, type: 'time', isNullable, description }) as const;
const flag = (name: string, description: string) =>
  ({ name, type: 'flag', isNullable: false, description }) as const;

export const LISTINGS: LakeTable = {
  name: 'listings',
  description:
    'Listings and delistings, one row for each published state; the newest known_at of a detected_at is the last word',
  columns: [
    text('coin', 'Ticker without multiplier'),
    text('exchange', 'Venue'),
    text('symbol', 'Contract symbol BASE-QUOTE'),
    text('venue_symbol', "The venue's own name; null while only a notice names the contract", true),
    text('kind', 'listing or delisting'),
    text('source', 'Where it was detected: announcement, instruments or diff'),
    time('detected_at', 'When it was first published; identifies the listing'),
    time('effective_at', 'When trading starts or ends; null if the venue names no time', true),
    time('done_at', 'When the lists of the venue showed it; null if they do not yet', true),
    flag('is_cancelled', 'The venue withdrew it'),
    text('announcement_url', 'Notice of the venue', true),
    KNOWN_AT,
  ],
  timeColumn: 'known_at',
  sortedBy: ['coin', 'exchange', 'symbol', 'known_at'],
  rowsPerGroup: 20_000,
};

/** Every state of the calendar, in the file of the day on which it was published. */
export class ListingsSource implements LakeSource {
  readonly table = LISTINGS;
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async *rows(day: LakeDay): AsyncGenerator<LakeRows> {
    const { episodes } = await loadListings(this.#storage);
    const found = episodes.flatMap((episode) =>
      episode.versions
        .filter(({ changedAtMs }) => isOfDay(day, changedAtMs, changedAtMs))
        .map((version) => ({ episode, ...version })),
    );
    const order = ({ episode, state }: (typeof found)[number]) =>
      `${state.coin}\n${episode.exchange}\n${episode.symbol}`;
    found.sort((a, b) => {
      const [first, second] = [order(a), order(b)];
      return first < second ? -1 : first > second ? 1 : a.changedAtMs - b.changedAtMs;
    });
    yield found.map(({ episode, state, changedAtMs }) => [
      ...[state.coin, episode.exchange, episode.symbol, state.venueSymbol, episode.kind, episode.source],
      ...[episode.detectedAtMs, state.effectiveAtMs, state.doneAtMs, state.isCancelled],
      ...[state.announcementUrl, changedAtMs],
    ]);
  }
}
