import { apex } from './apex/venue.ts';
import { arcus } from './arcus/venue.ts';
import { aster } from './aster/venue.ts';
import { backpack } from './backpack/venue.ts';
import { binance } from './binance/venue.ts';
import { bingx } from './bingx/venue.ts';
import { bitfinex } from './bitfinex/venue.ts';
import { bitget } from './bitget/venue.ts';
import { bitunix } from './bitunix/venue.ts';
import { blofin } from './blofin/venue.ts';
import { btse } from './btse/venue.ts';
import { noSettlements } from './bulk-poll.ts';
import { bybit } from './bybit/venue.ts';
import { coinbaseintl } from './coinbaseintl/venue.ts';
import { coinex } from './coinex/venue.ts';
import { cryptocom } from './cryptocom/venue.ts';
import { deepcoin } from './deepcoin/venue.ts';
import { deltaindia } from './deltaindia/venue.ts';
import { deribit } from './deribit/venue.ts';
import { dydx } from './dydx/venue.ts';
import { edgex } from './edgex/venue.ts';
import { extended } from './extended/venue.ts';
import { gate } from './gate/venue.ts';
import { grvt } from './grvt/venue.ts';
import { htx } from './htx/venue.ts';
import { hyperliquid } from './hyperliquid/venue.ts';
import { kraken } from './kraken/venue.ts';
import { kucoin } from './kucoin/venue.ts';
import { lighter } from './lighter/venue.ts';
import { lighterrh } from './lighterrh/venue.ts';
import { mexc } from './mexc/venue.ts';
import { nado } from './nado/venue.ts';
import { okx } from './okx/venue.ts';
import { ondo } from './ondo/venue.ts';
import { orangex } from './orangex/venue.ts';
import { orderly } from './orderly/venue.ts';
import { ourbit } from './ourbit/venue.ts';
import { pacifica } from './pacifica/venue.ts';
import { paradex } from './paradex/venue.ts';
import { paragon } from './paragon/venue.ts';
import { phemex } from './phemex/venue.ts';
import { pionex } from './pionex/venue.ts';
import { polymarket } from './polymarket/venue.ts';
import { sodex } from './sodex/venue.ts';
import { standx } from './standx/venue.ts';
import { toobit } from './toobit/venue.ts';
import { tradexyz } from './tradexyz/venue.ts';
import { variational } from './variational/venue.ts';
import type { Venue } from './venue.ts';
import { weex } from './weex/venue.ts';
import { whitebit } from './whitebit/venue.ts';
import { woox } from './woox/venue.ts';
import { xt } from './xt/venue.ts';

/** Every venue of the service, one line each. */
const ALL: readonly Venue[] = [
  binance,
  bybit,
  okx,
  bitget,
  gate,
  mexc,
  kucoin,
  htx,
  bingx,
  coinex,
  woox,
  kraken,
  deribit,
  phemex,
  hyperliquid,
  dydx,
  aster,
  lighter,
  paradex,
  backpack,
  weex,
  toobit,
  blofin,
  xt,
  whitebit,
  btse,
  bitunix,
  coinbaseintl,
  extended,
  edgex,
  pacifica,
  grvt,
  orderly,
  pionex,
  nado,
  tradexyz,
  paragon,
  deepcoin,
  variational,
  lighterrh,
  ourbit,
  cryptocom,
  bitfinex,
  standx,
  ondo,
  arcus,
  apex,
  orangex,
  polymarket,
  sodex,
  deltaindia,
];

/** Finds mistakes in a venue's description when the service starts, not when a call fails. */
function checked(venues: readonly Venue[]): readonly Venue[] {
  const seen = new Set<string>();
  for (const venue of venues) {
    const wrong = (what: string) => {
      throw new Error(`venue ${venue.slug}: ${what}`);
    };
    for (const name of [venue.slug, venue.facts.exchange]) {
      if (seen.has(name) && name !== venue.slug) wrong(`"${name}" is used twice`);
      seen.add(name);
    }
    const given = new Set([...venue.polls, ...venue.streams].flatMap((source) => source.gives));
    const isQuoted = venue.facts.noBook === undefined;
    for (const topic of ['contracts', 'rate', 'volume'] as const)
      if (!given.has(topic)) wrong(`no poll or stream gives ${topic}`);
    if (given.has('bid and ask') !== isQuoted)
      wrong('either a source gives bid and ask, or noBook says why not');
    const hasHistory = venue.settlements !== noSettlements;
    if (
      hasHistory !== (venue.facts.noHistory === undefined) ||
      hasHistory === (venue.settlementDepthDays === 0)
    )
      wrong('either a call gives settled prints, or noHistory says why not');
    const names = [...venue.polls, ...venue.streams].map((source) => source.name);
    if (new Set(names).size !== names.length) wrong('two polls or streams share a name');
    if (Object.keys(venue.budgets).length === 0) wrong('no budget');
    if (!venue.hosts.rest) wrong('no host named rest');
    if (isQuoted && !venue.depth && !given.has('books')) wrong('neither a call nor a stream gives books');
    for (const stream of venue.streams) if (!venue.hosts[stream.host]) wrong(`no host ${stream.host}`);
    if (venue.facts.endedAt && venue.facts.tradingEnabled) wrong('has ended, but trading is enabled');
    if (!(venue.facts.takerFeePct.value >= 0 && venue.facts.takerFeePct.value < 1))
      wrong('taker fee is not a percent');
  }
  if (new Set(venues.map((v) => v.slug)).size !== venues.length) throw new Error('two venues share a slug');
  return venues;
}

export const VENUES: readonly Venue[] = checked(ALL);

/** When the venue of this name ended; null for the others. */
export function endedAtMsOf(exchange: string): number | null {
  return venueByExchange(exchange)?.facts.endedAt?.value ?? null;
}

function venueByExchange(exchange: string): Venue | undefined {
  return VENUES.find((venue) => venue.facts.exchange === exchange);
}
