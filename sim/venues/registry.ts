import type { SimVenue } from '../venue.ts';
import { apex } from './apex.ts';
import { arcus } from './arcus.ts';
import { aster } from './aster.ts';
import { backpack } from './backpack.ts';
import { binance } from './binance.ts';
import { bingx } from './bingx.ts';
import { bitfinex } from './bitfinex.ts';
import { bitget } from './bitget.ts';
import { bitunix } from './bitunix.ts';
import { blofin } from './blofin.ts';
import { btse } from './btse.ts';
import { bybit } from './bybit.ts';
import { coinbaseintl } from './coinbaseintl.ts';
import { coinex } from './coinex.ts';
import { cryptocom } from './cryptocom.ts';
import { deepcoin } from './deepcoin.ts';
import { deltaindia } from './deltaindia.ts';
import { deribit } from './deribit.ts';
import { dydx } from './dydx.ts';
import { edgex } from './edgex.ts';
import { extended } from './extended.ts';
import { gate } from './gate.ts';
import { grvt } from './grvt.ts';
import { htx } from './htx.ts';
import { hyperliquid } from './hyperliquid.ts';
import { kraken } from './kraken.ts';
import { kucoin } from './kucoin.ts';
import { lighter } from './lighter.ts';
import { lighterrh } from './lighterrh.ts';
import { mexc } from './mexc.ts';
import { nado } from './nado.ts';
import { okx } from './okx.ts';
import { ondo } from './ondo.ts';
import { orangex } from './orangex.ts';
import { orderly } from './orderly.ts';
import { ourbit } from './ourbit.ts';
import { pacifica } from './pacifica.ts';
import { paradex } from './paradex.ts';
import { paragon } from './paragon.ts';
import { phemex } from './phemex.ts';
import { pionex } from './pionex.ts';
import { polymarket } from './polymarket.ts';
import { sodex } from './sodex.ts';
import { standx } from './standx.ts';
import { toobit } from './toobit.ts';
import { tradexyz } from './tradexyz.ts';
import { variational } from './variational.ts';
import { weex } from './weex.ts';
import { whitebit } from './whitebit.ts';
import { woox } from './woox.ts';
import { xt } from './xt.ts';

/** Every simulated venue, one line each; a test compares this list with the service's registry. */
export const SIM_VENUES: readonly SimVenue[] = [
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
