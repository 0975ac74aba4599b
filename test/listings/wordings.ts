/** Notices in the style of the venues, all written for this test, and what must be extracted from each. */
export interface Wording {
  venue: string;
  title: string;
  body?: string;
  category?: string;
  /** `list|delist SYMBOL TIME|?|cancelled|withdrawn`; `*` is the venue's usual quote, `?` no exact time. */
  reads: readonly string[] | 'other' | 'unclear';
}

export const PUBLISHED_AT_MS = Date.UTC(2026, 9, 28, 6);

export const LISTINGS: readonly Wording[] = [
  {
    venue: 'Binance',
    title: 'Binance Futures Will Launch USDⓈ-Margined ZOKUSDT Perpetual Contract With up to 50x Leverage',
    body: 'Binance Futures will launch the ZOKUSDT perpetual contract at 2026-10-29 13:30 (UTC), with up to 50x leverage.',
    reads: ['list ZOK-USDT 2026-10-29T13:30Z'],
  },
  {
    venue: 'Binance',
    title: 'Binance Futures Will Launch USDⓈ-Margined ZOKUSDT and MIPUSDT Perpetual Contracts (2026-10-30)',
    body: 'The contracts open as follows:\n2026-10-30 09:00 (UTC): ZOKUSDT Perpetual Contract with up to 25x leverage\n2026-10-30 09:15 (UTC): MIPUSDT Perpetual Contract with up to 25x leverage',
    reads: ['list ZOK-USDT 2026-10-30T09:00Z', 'list MIP-USDT 2026-10-30T09:15Z'],
  },
  {
    venue: 'Binance',
    title: 'Binance Futures Will Launch COIN-M ZOKUSD Perpetual Contract',
    body: 'Trading starts at 2026-10-29 08:00 (UTC).',
    reads: ['list ZOK-USD 2026-10-29T08:00Z'],
  },
  {
    venue: 'Binance',
    title: 'Binance Futures Will Launch 1000ZOKUSDT Perpetual Contract',
    body: 'One unit of the contract stands for 1,000 ZOK tokens. It opens for trading at 2026-10-29 08:00 (UTC).',
    reads: ['list 1000ZOK-USDT 2026-10-29T08:00Z'],
  },
  {
    venue: 'Binance',
    title: 'Binance Futures Will Launch USDⓈ-M 1MZOKUSDT Perpetual Contract With 25x Leverage',
    body: '<p>Launch time: <strong>2026-10-29 08:00 (UTC)</strong></p>',
    reads: ['list 1MZOK-USDT 2026-10-29T08:00Z'],
  },
  {
    venue: 'Bybit',
    title: 'New Listing: ZOKUSDT Perpetual Contract, With up to 25x Leverage',
    body: 'Bybit will list the ZOKUSDT Perpetual Contract on Oct 29, 2026, 10AM UTC.',
    category: 'new_crypto,Derivatives,Futures',
    reads: ['list ZOK-USDT 2026-10-29T10:00Z'],
  },
  {
    venue: 'Bybit',
    title: 'New Listing: ZOKUSDT, MIPUSDT and TARUSDT Perpetual Contracts',
    body: 'Listing schedule:\nZOKUSDT: Oct 29, 2026, 8AM UTC\nMIPUSDT: Oct 29, 2026, 8:30AM UTC\nTARUSDT: Oct 30, 2026, 12:00PM UTC',
    category: 'new_crypto,Derivatives',
    reads: [
      'list ZOK-USDT 2026-10-29T08:00Z',
      'list MIP-USDT 2026-10-29T08:30Z',
      'list TAR-USDT 2026-10-30T12:00Z',
    ],
  },
  {
    venue: 'Bybit',
    title: 'ZOKPERP (USDC Perpetual) is coming to Bybit: new listing',
    body: 'The contract goes live on Oct 29, 2026, 8AM UTC.',
    category: 'new_crypto,Derivatives',
    reads: ['list ZOK-USDC 2026-10-29T08:00Z'],
  },
  {
    venue: 'Bybit',
    title: 'Introducing ZOKUSDT Pre-Market Perpetual Contract',
    body: 'The call auction begins on Oct 29, 2026, 7:50AM UTC; continuous trading starts on Oct 29, 2026, 8AM UTC.',
    category: 'new_crypto,Derivatives',
    reads: ['list ZOK-USDT 2026-10-29T08:00Z'],
  },
  {
    venue: 'Bybit',
    title: 'ZOKUSDT Perpetual Contract Now Live on Bybit',
    category: 'new_crypto,Derivatives',
    reads: ['list ZOK-USDT ?'],
  },
  {
    venue: 'Bybit',
    title: 'New listing: ZOKUSDT perpetual contract (UTC+8 times inside)',
    body: 'Trading opens at 2026-10-29 16:00 (UTC+8).',
    category: 'new_crypto',
    reads: ['list ZOK-USDT 2026-10-29T08:00Z'],
  },
  { venue: 'OKX', title: 'OKX to list perpetual futures for ZOK crypto', reads: ['list ZOK-* ?'] },
  {
    venue: 'OKX',
    title: 'OKX to list perpetual futures for ZOK, MIP and TAR cryptos',
    reads: ['list ZOK-* ?', 'list MIP-* ?', 'list TAR-* ?'],
  },
  { venue: 'OKX', title: 'OKX to launch ZOK-USDT-SWAP', reads: ['list ZOK-USDT ?'] },
  {
    venue: 'OKX',
    title: 'OKX to list ZOKUSDT and MIPUSDT perpetual futures at 08:00 UTC on October 29, 2026',
    reads: ['list ZOK-USDT 2026-10-29T08:00Z', 'list MIP-USDT 2026-10-29T08:00Z'],
  },
  { venue: 'OKX', title: 'OKX to list pre-market perpetual for ZOK (Zokyo)', reads: ['list ZOK-* ?'] },
  { venue: 'OKX', title: 'OKX to add USDC-margined perpetual swaps for ZOK', reads: ['list ZOK-* ?'] },
  {
    venue: 'Bitget',
    title: 'Bitget has launched ZOKUSDT for futures trading and trading bots',
    body: 'ZOKUSDT perpetual futures opened on Bitget at 2026-10-28 05:30 (UTC).',
    category: 'coin_listings,futures',
    reads: ['list ZOK-USDT 2026-10-28T05:30Z'],
  },
  {
    venue: 'Bitget',
    title: 'Bitget Futures: New Listing of ZOK/USDT Perpetual',
    body: 'Opening: 29 October 2026, 08:00 (UTC)',
    category: 'coin_listings,futures',
    reads: ['list ZOK-USDT 2026-10-29T08:00Z'],
  },
  {
    venue: 'Bitget',
    title: 'Bitget to list ZOKUSDT, MIPUSDT USDT-M perpetual futures',
    body: '<ul><li>ZOKUSDT - 2026-10-29 08:00 (UTC)</li><li>MIPUSDT - 2026-10-29 10:00 (UTC)</li></ul>',
    category: 'coin_listings',
    reads: ['list ZOK-USDT 2026-10-29T08:00Z', 'list MIP-USDT 2026-10-29T10:00Z'],
  },
  {
    venue: 'KuCoin',
    title: 'KuCoin Futures Will Launch the ZOKUSDTM Perpetual Contract',
    body: 'Trading of ZOKUSDTM starts at 08:00:00 on October 29, 2026 (UTC).',
    category: 'latest-announcements,futures-announcements',
    reads: ['list ZOK-USDT 2026-10-29T08:00Z'],
  },
  {
    venue: 'KuCoin',
    title: 'ZOK USDT Perpetual Contract Will Be Listed on KuCoin Futures',
    body: 'Opening time: 08:00 on October 29, 2026 (UTC).',
    category: 'futures-announcements',
    reads: ['list ZOK-USDT 2026-10-29T08:00Z'],
  },
  {
    venue: 'KuCoin',
    title: 'KuCoin Futures Has Added XBTUSDCM Perpetual',
    category: 'futures-announcements',
    reads: ['list BTC-USDC ?'],
  },
  {
    venue: 'KuCoin',
    title: 'KuCoin Futures Will Launch 10000ZOKUSDTM and MIPUSDTM',
    body: '1. 10000ZOKUSDTM: 08:00 (UTC) on October 29, 2026\n2. MIPUSDTM: 09:00 (UTC) on October 30, 2026',
    category: 'futures-announcements',
    reads: ['list 10000ZOK-USDT 2026-10-29T08:00Z', 'list MIP-USDT 2026-10-30T09:00Z'],
  },
  {
    venue: 'Gate',
    title: 'Gate Perpetual Futures Lists ZOK_USDT',
    body: 'Gate lists ZOK perpetual contract trading in USDT settlement on Oct 29, 2026 at 08:00 (UTC).',
    category: 'New Futures Listings',
    reads: ['list ZOK-USDT 2026-10-29T08:00Z'],
  },
  {
    venue: 'Gate',
    title: 'Gate Futures to Introduce ZOK_USDT, MIP_USDT Perpetual Contracts',
    body: 'Both will be available at 2026/10/29 10:00 (UTC+0).',
    reads: ['list ZOK-USDT 2026-10-29T10:00Z', 'list MIP-USDT 2026-10-29T10:00Z'],
  },
  {
    venue: 'Gate',
    title: 'Initial Listing: Gate Launches ZOK (Zokyo) Perpetual Contract',
    body: 'Trading start: 10:00 am UTC, October 29th, 2026',
    reads: ['list ZOK-* 2026-10-29T10:00Z'],
  },
  {
    venue: 'MEXC',
    title: '[Initial Futures Listing] MEXC Will List ZOKUSDT Perpetual Futures',
    reads: ['list ZOK-USDT ?'],
  },
  {
    venue: 'MEXC',
    title:
      'MEXC Will Launch ZOKUSDT, MIPUSDT and TARUSDT USDT-M Perpetual Futures (October 29, 2026, 08:00 UTC)',
    reads: [
      'list ZOK-USDT 2026-10-29T08:00Z',
      'list MIP-USDT 2026-10-29T08:00Z',
      'list TAR-USDT 2026-10-29T08:00Z',
    ],
  },
  { venue: 'MEXC', title: 'New M-Day: ZOK_USDT Perpetual Is Now Live', reads: ['list ZOK-USDT ?'] },
  {
    venue: 'Deribit',
    title: 'New listing: ZOK_USDC perpetual',
    body: 'On 29 October 2026 at 08:00 UTC we will list the ZOK_USDC-PERPETUAL with 10x leverage.',
    reads: ['list ZOK-USDC 2026-10-29T08:00Z'],
  },
  {
    venue: 'Deribit',
    title: 'Launch of linear ZOK and MIP perpetuals',
    body: 'ZOK_USDC-PERPETUAL opens at 08:00 UTC on 29 October 2026, MIP_USDC-PERPETUAL opens at 08:00 UTC on 30 October 2026.',
    reads: ['list ZOK-* 2026-10-29T08:00Z', 'list MIP-* 2026-10-30T08:00Z'],
  },
  {
    venue: 'Paradex',
    title: 'New market: ZOK-USD-PERP',
    body: 'Trading opens Oct 29 at 08:00 UTC.',
    reads: ['list ZOK-USD 2026-10-29T08:00Z'],
  },
  {
    venue: 'Paradex',
    title: 'kZOK-USD-PERP is live',
    reads: ['list kZOK-USD ?'],
  },
  {
    venue: 'Lighter',
    title: 'ZOK perpetual is now live',
    reads: ['list ZOK-* ?'],
  },
  {
    venue: 'Lighter',
    title: 'New perps: ZOK, MIP',
    body: 'ZOK perps and MIP perps start trading 2026-10-29T08:00:00Z.',
    reads: ['list ZOK-* 2026-10-29T08:00Z', 'list MIP-* 2026-10-29T08:00Z'],
  },
  {
    venue: 'Aster',
    title: 'Aster Will List ZOKUSDT Perpetual With 5x Leverage',
    body: 'Listing time: 2026-10-29 08:00 UTC',
    reads: ['list ZOK-USDT 2026-10-29T08:00Z'],
  },
  {
    venue: 'Aster',
    title: 'Newly Listed Perpetuals on Aster: ZOKUSD1, MIPUSD1',
    body: 'Live at 12:00 UTC on 2026-10-29',
    reads: ['list ZOK-USD1 2026-10-29T12:00Z', 'list MIP-USD1 2026-10-29T12:00Z'],
  },
  {
    venue: 'Bybit',
    title: 'Bybit Will Relist ZOKUSDT Perpetual Contract',
    body: 'The contract is relisted on Oct 29, 2026, 8AM UTC.',
    category: 'new_crypto,Derivatives',
    reads: ['list ZOK-USDT 2026-10-29T08:00Z'],
  },
  {
    venue: 'Gate',
    title: 'Gate Futures Re-lists ZOK_USDT Perpetual',
    reads: ['list ZOK-USDT ?'],
  },
  {
    venue: 'Bitget',
    title: 'Bitget to launch multiple perpetual futures this week',
    body: 'ZOKUSDT: 2026-10-29 08:00 (UTC)\nMIPUSDT: 2026-10-30 08:00 (UTC)',
    category: 'coin_listings,futures',
    reads: ['list ZOK-USDT 2026-10-29T08:00Z', 'list MIP-USDT 2026-10-30T08:00Z'],
  },
  {
    venue: 'KuCoin',
    title: 'KuCoin Futures Will Launch Several New Contracts',
    body: '<table><tr><td>Contract</td><td>Time (UTC)</td></tr><tr><td>ZOKUSDTM</td><td>2026-10-29 08:00</td></tr><tr><td>MIPUSDTM</td><td>2026-10-30 10:00</td></tr></table>',
    category: 'futures-announcements',
    reads: ['list ZOK-USDT 2026-10-29T08:00Z', 'list MIP-USDT 2026-10-30T10:00Z'],
  },
  {
    venue: 'Bybit',
    title: 'New Listing: ZOKUSDT Perpetual Contract',
    body: 'ZOKUSDT Perpetual Contract\nListing time: Oct 29, 2026, 8AM UTC\nDeposit of ZOK opens: Oct 28, 2026, 8AM UTC',
    category: 'new_crypto,Derivatives',
    reads: ['list ZOK-USDT 2026-10-29T08:00Z'],
  },
  {
    venue: 'Bitget',
    title: 'Bitget to list ZOK on spot and ZOKUSDT perpetual futures',
    body: 'Spot trading: 2026-10-29 08:00 (UTC)\nZOKUSDT perpetual futures trading: 2026-10-29 10:00 (UTC)',
    category: 'coin_listings,spot',
    reads: ['list ZOK-USDT 2026-10-29T10:00Z'],
  },
  {
    venue: 'MEXC',
    title: 'MEXC to List ZOKUSDT Perpetual Futures at 14:00 on Oct 29 (UTC+8)',
    reads: ['list ZOK-USDT 2026-10-29T06:00Z'],
  },
  {
    venue: 'Bybit',
    title: 'New Listing: 100XUSDT Perpetual Contract With up to 25x Leverage',
    body: 'Live on Oct 29, 2026, 8AM UTC',
    category: 'new_crypto,Derivatives',
    reads: ['list 100X-USDT 2026-10-29T08:00Z'],
  },
  {
    venue: 'Gate',
    title: 'Gate Perpetual Futures Lists ZOK_USDT',
    body: 'Trading opens on October 29, 2026.',
    reads: ['list ZOK-USDT ?'],
  },
  {
    venue: 'Gate',
    title: 'Gate Perpetual Futures Lists ZOK_USDT',
    body: 'Trading opens on 2026-10-29 at 08:00.',
    reads: ['list ZOK-USDT ?'],
  },
  {
    venue: 'Bitget',
    title: 'Bitget to list ZOKUSDT perpetual futures',
    body: 'Trading opens at 8:00 EST on October 29, 2026.',
    category: 'coin_listings',
    reads: ['list ZOK-USDT ?'],
  },
  {
    venue: 'Bitget',
    title: 'Bitget to list ZOKUSDT perpetual futures',
    body: 'Trading opens on January 5 at 08:00 UTC.',
    category: 'coin_listings',
    reads: ['list ZOK-USDT 2027-01-05T08:00Z'],
  },
  {
    venue: 'OKX',
    title: 'OKX to launch USDT-margined perpetual futures for ZOK, MIP, TAR, and LOP',
    reads: ['list ZOK-* ?', 'list MIP-* ?', 'list TAR-* ?', 'list LOP-* ?'],
  },
  {
    venue: 'OKX',
    title: 'OKX to list ZOK/USD, MIP/USD crypto-margined perpetual futures',
    reads: ['list ZOK-USD ?', 'list MIP-USD ?'],
  },
  {
    venue: 'Bitget',
    title: 'ZOKUSDT now launched for pre-market futures trading',
    body: 'Bitget will launch ZOKUSDT for pre-market futures trading with a maximum leverage of 5 at 2026-10-29 11:00 (UTC).',
    category: 'coin_listings,futures',
    reads: ['list ZOK-USDT 2026-10-29T11:00Z'],
  },
  {
    venue: 'Aster',
    title: 'Aster to list ZOKUSDT with up to 5x leverage',
    reads: ['list ZOK-USDT ?'],
  },
  {
    venue: 'Paradex',
    title: 'Market launch: ZOK-USD-PERP and MIP-USD-PERP',
    body: 'Starting 2026-10-29 08:00 UTC',
    reads: ['list ZOK-USD 2026-10-29T08:00Z', 'list MIP-USD 2026-10-29T08:00Z'],
  },
];
