/** What a venue's wire tells of a contract's life, read off its simulator encoder. */
export interface Wire {
  /** Contracts are in the list before they open. */
  showsAhead: boolean;
  listingTime: 'exact' | 'day' | 'none';
  /** Before the end the list gives its time, only marks the contract, or says nothing. */
  ending: 'time' | 'mark' | 'none';
  notices: 'none' | 'titles' | 'texts';
  /** How long the venue shows a notice. */
  noticeDays: number;
}

const wire = (
  showsAhead: boolean,
  listingTime: Wire['listingTime'],
  ending: Wire['ending'],
  notices: Wire['notices'],
  noticeDays = 60,
): Wire => ({ showsAhead, listingTime, ending, notices, noticeDays });

export const WIRES: Readonly<Record<string, Wire>> = {
  aster: wire(true, 'exact', 'time', 'texts'),
  backpack: wire(true, 'exact', 'none', 'none'),
  binance: wire(true, 'exact', 'time', 'none'),
  bingx: wire(true, 'exact', 'time', 'none'),
  bitget: wire(true, 'exact', 'time', 'texts', 30),
  bybit: wire(true, 'exact', 'time', 'texts'),
  coinex: wire(false, 'none', 'time', 'none'),
  deribit: wire(true, 'exact', 'time', 'texts'),
  dydx: wire(true, 'none', 'none', 'none'),
  gate: wire(true, 'exact', 'time', 'texts'),
  htx: wire(true, 'day', 'time', 'none'),
  hyperliquid: wire(false, 'none', 'none', 'none'),
  kraken: wire(true, 'exact', 'none', 'none'),
  kucoin: wire(true, 'exact', 'time', 'texts', 30),
  lighter: wire(true, 'exact', 'mark', 'texts', 30),
  mexc: wire(true, 'exact', 'none', 'titles'),
  okx: wire(true, 'exact', 'time', 'titles'),
  paradex: wire(true, 'exact', 'none', 'texts', 30),
  phemex: wire(true, 'exact', 'time', 'none'),
  woox: wire(true, 'none', 'none', 'none'),
};
