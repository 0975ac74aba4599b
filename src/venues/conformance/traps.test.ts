import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import type { Contract } from '../observations.ts';
import { VENUES } from '../registry.ts';
import type { SendRequest, VenueRequest } from '../venue.ts';

/**
 * The traps of this domain that concern venues, each with the tests that guard it: the file, and the beginning of the
 * test's name. A test that is renamed or removed makes this one fail.
 */
const GUARDS: Readonly<Record<string, readonly (readonly [file: string, name: string])[]>> = {
  'A1 interval per contract, never a venue constant': [
    ['bybit/parse-contracts', 'one list has contracts of 1, 4 and 8 hours'],
    ['bitget/parse', 'A1, A4: interval and next settlement come per contract'],
    ['gate/parse', 'A1: interval and next settlement come per contract'],
    ['mexc/parse', 'A1, A4, A5'],
    ['aster/parse', 'A1, A8'],
    ['kucoin/parse', 'the interval is each contract’s own, in hours: 8, 2 and 1'],
    ['htx/parse', 'the interval is each contract’s own'],
    ['bingx/parse', 'the interval is on the wire, each contract’s own'],
    ['coinex/parse', 'the interval is that of each market: 8, 4 and 2 hours'],
    ['woox/parse', 'the interval is that of the upcoming settlement of each contract'],
    ['phemex/parse', 'the interval is in seconds and per contract'],
    ['pionex/parse', 'the interval comes from the prints'],
    ['orderly/parse', 'A1: funding_period is the interval of each contract'],
    ['orderly/parse', 'the rate is for one funding_period, never made one of eight hours'],
    ['edgex/parse', 'A1: the next settlement is fundingTime plus the interval'],
    ['weex/parse', 'A1: collectCycle counts minutes and is per contract'],
    ['xt/parse', 'A1, C7: rate, interval and next settlement per contract'],
    ['blofin/parse', 'A1: the interval is a number with its unit'],
    ['toobit/parse', 'A1: period is per contract'],
    ['grvt/parse', 'A1, A7'],
  ],
  'A3 an interval that the next settlement contradicts': [
    [
      'okx/parse',
      'the interval is that of the running rate, also when the next one will be shorter (A3, A5)',
    ],
    ['kucoin/parse', 'an announced change of the interval does not count before it starts'],
    ['pionex/parse', 'A3'],
    ['pionex/parse', 'a settlement that has no print yet does not double the interval'],
  ],
  'A6 hourly venues are not eight-hourly': [
    ['nado/parse', 'funding_rate is a rate of 24 hours'],
    ['hyperliquid/parse', 'trap A6'],
    ['extended/parse', 'A6, B5'],
    ['pacifica/parse', 'A6, B5'],
  ],
  'A7 an interval that is not given stays unknown': [
    ['binance/parse', 'A7: a contract whose fundingInfo row cannot be read'],
    ['bitget/parse', 'A7, D4'],
    ['mexc/parse', 'A7, D4'],
    ['okx/parse', 'an interval that the venue does not give stays unknown (A7)'],
    ['bingx/parse', 'coin-M rows have no interval: unknown, not 8'],
    ['coinex/parse', 'without a last settlement the interval is unknown, never 8'],
    ['woox/parse', 'a row without an interval keeps it unknown, never 8'],
    ['phemex/parse', 'a row without schedule keeps both unknown, never 8'],
    ['edgex/parse', 'A7: without an interval'],
    ['weex/parse', 'A7: a row without collectCycle has no interval'],
    ['xt/parse', 'A7: a null interval stays unknown'],
    ['blofin/parse', 'A7: a row without an interval'],
    ['toobit/parse', 'A7: a row without period has no interval'],
    ['grvt/parse', 'A1, A7'],
  ],
  'B1, B2 running, settled and next-but-one rates are distinguished': [
    ['okx/parse', 'fundingRate is the running rate and settles at fundingTime'],
    ['aster/parse', 'B1, C7'],
    ['backpack/parse', 'B1, C7'],
    ['kraken/parse-funding', 'trap B1'],
    ['lighter/stream', 'B1, C2'],
    ['coinex/parse', 'next_funding_rate is the running rate'],
    ['coinex/parse', 'the upcoming settlement is next_funding_time'],
    ['kucoin/parse', 'fundingFeeRate is the running rate, never the settled one'],
    ['binance/parse', 'lastFundingRate is the running rate'],
    ['bingx/parse', 'lastFundingRate is the running rate'],
    ['woox/parse', 'estFundingRate is the running rate'],
    ['orderly/parse', 'B1, B5'],
    ['edgex/parse', 'B1: the rate is the forecast'],
    ['weex/parse', 'B1, C7: forecastFundingRate is the running rate'],
    ['pacifica/parse', 'B1: funding is fixed for the next full hour'],
    ['toobit/parse', 'B1: a row of a settlement that has passed'],
  ],
  'B3 history holds settled prints only': [
    ['backpack/parse', 'B3: the row of the running interval is no print'],
    ['kraken/parse-funding', 'trap B3'],
    ['paradex/parse', 'B3: a print is what the index grew'],
    ['deribit/parse', 'history takes the hourly interest, never the trailing eight hours'],
    ['edgex/parse', 'B3: a print is the settled rate'],
    ['pacifica/parse', 'B3, D1'],
    ['grvt/parse', 'B3: a print is percent'],
  ],
  'B4 Hyperliquid’s own rate is that of metaAndAssetCtxs': [['hyperliquid/parse', 'trap B4']],
  'B5 zero is a value': [
    ['okx/parse', 'a zero rate is a value (B5)'],
    ['bybit/parse', 'a zero rate is a value (B5)'],
    ['htx/parse', 'the running rate in percent without float noise; 0E-18 is the value zero'],
    ['lighter/stream', 'a zero rate is a value and never minus zero'],
  ],
  'B6 realised and actual rates win': [
    ['okx/parse', 'the realised rate is preferred'],
    ['htx/history', 'the realised rate wins where it is given, zero too'],
    ['coinex/parse', 'the actual rate wins over the theoretical one'],
  ],
  'C1 Kraken’s absolute and relative rates': [
    ['kraken/parse-funding', 'trap C1: a linear fundingRate is USD'],
  ],
  'C2 percent and fraction; Lighter’s direction': [
    ['lighter/parse', 'C2: fundings is an unsigned percent of one hour, signed by the side that paid'],
    ['kraken/parse-funding', 'trap C2'],
    ['nado/parse', 'C2: prints are hourly rates'],
    ['grvt/parse', 'C2: the rate is percent already'],
    ['grvt/parse', 'C2: the rate is that of the contract’s own interval'],
  ],
  'C3 Paradex’s continuous rate of eight hours': [['paradex/parse', 'C3: the rate is for eight hours']],
  'C4 Backpack’s interval in milliseconds': [['backpack/parse', 'A1, C4']],
  'C5 XT’s interval in hours and in seconds': [['xt/parse', 'C5: the interval is in hours here']],
  'C7 percent without float noise': [
    ['gate/parse', 'C7, B5'],
    ['bitget/parse', 'C7, B5'],
    ['mexc/parse', 'C7, B5'],
    ['dydx/parse', 'C7: nextFundingRate is a fraction of one hour'],
    ['deribit/parse', 'rates in exponent form and with float digits stay exact'],
  ],
  'D1 prints keep their odd seconds': [
    ['hyperliquid/parse', 'trap D1'],
    ['okx/parse', 'odd milliseconds of a print are kept as they are (D1)'],
    ['gate/parse', 'E3, D1'],
    ['extended/parse', 'D1'],
  ],
  'D2 windows that include both ends': [
    ['hyperliquid/parse', 'trap D2'],
    ['aster/parse', 'D2, E3'],
  ],
  'D3, D5 seconds, milliseconds, nanoseconds': [
    ['gate/parse', 'D3, D5: the venue counts seconds'],
    ['kucoin/parse', 'times are nanoseconds'],
    ['backpack/parse', 'a book is put best first, with its time from microseconds'],
    ['extended/parse', 'nextFundingRate is the time of the next payment, not a rate'],
    ['grvt/parse', 'D3: times are nanoseconds'],
  ],
  'D4 time left is no time, and "0" or "" is none': [
    ['kucoin/parse', 'nextFundingRateTime is the milliseconds left, not a time'],
    ['htx/parse', 'funding_time is the coming settlement; next_funding_time is null'],
    ['bybit/parse', 'an empty next settlement is unknown'],
    ['bitget/parse', 'A7, D4'],
    ['bingx/parse', 'nextFundingTime is a time, whatever the documentation says'],
    ['weex/parse', 'a next settlement in 1970 is unknown'],
  ],
  'D7 hourly venues without a next time: the next full hour': [
    ['hyperliquid/parse', 'trap D7'],
    ['dydx/parse', 'D7'],
    ['lighter/parse', 'D7'],
    ['pacifica/parse', 'D7'],
  ],
  'E1 both ends of the window are sent': [
    ['gate/parse', 'E1: every call names both ends of its window'],
    ['okx/parse', 'history is requested by its end, and a page cut to the former limit'],
    ['woox/parse', 'a venue that ignores the window neither adds rows outside it'],
    ['grvt/parse', 'E1'],
  ],
  'E3 pages go by returned timestamps': [
    ['gate/parse', 'E3: a full page continues before its oldest print'],
    ['bybit/parse', 'a full page continues before its oldest print, whatever the steps'],
    ['bitget/parse', 'E3: pages are walked by number and by the returned times'],
    ['mexc/parse', 'E3'],
    ['dydx/parse', 'E3'],
    ['lighter/parse', 'E3'],
    ['backpack/parse', 'E3'],
    ['hyperliquid/parse', 'trap E3'],
    ['bingx/history', 'a full page continues below its oldest timestamp, whatever the interval'],
    ['kucoin/parse', 'a full page of prints continues below its oldest timestamp, whatever the interval'],
    ['extended/parse', 'E3'],
    ['edgex/parse', 'E3'],
    ['weex/parse', 'E3: a full page continues before its oldest print'],
    ['xt/parse', 'E3: pages go on below the last id'],
    ['blofin/parse', 'E3: a full page continues before its oldest print'],
    ['pacifica/parse', 'E3'],
    ['toobit/parse', 'E3: a full page continues below the id of its last row'],
    ['grvt/parse', 'E3'],
  ],
  'E5 a gap is a gap, not zero': [
    ['paradex/parse', 'E5'],
    ['bitget/parse', 'E5'],
    ['kraken/parse-funding', 'rows from before hourly funding are left out, a missing hour stays a gap'],
  ],
  'F1 multipliers stay in the base': [
    ['bybit/parse-contracts', 'bases keep their multiplier'],
    ['hyperliquid/parse', 'trap F1'],
    ['backpack/parse', 'F1, F3'],
    ['mexc/parse', 'F1'],
    ['okx/parse-contracts', 'a coin is traded under its own name, the multiple being the contract size (F1)'],
    ['phemex/parse', 'a multiplied base loses the space it is spelled with'],
    ['extended/parse', 'F1'],
    ['edgex/parse', 'the base is the declared coin'],
    ['weex/parse', 'F1: the base keeps its multiplier'],
    ['xt/parse', 'F1: bases are in capitals with their multiplier'],
    ['pacifica/parse', 'F1'],
    ['grvt/parse', 'F1: a capital K is a thousand'],
  ],
  'F3 stocks and commodities are no coins': [
    ['aster/parse', 'F3'],
    ['bitget/parse', 'F3'],
    ['gate/parse', 'F3'],
    ['mexc/parse', 'F3'],
    ['paradex/parse', 'F3'],
    ['lighter/parse', 'F3'],
    ['kraken/parse', 'trap F3'],
    ['htx/parse', 'stocks, metals and indices are separated from coins'],
    ['bingx/parse', 'stocks, forex, commodities and indices are recognised by their prefix'],
    ['orderly/parse', 'F3'],
    ['pionex/parse', 'F3'],
    ['nado/parse', 'F3'],
    ['extended/parse', 'F3'],
    ['edgex/parse', 'F3'],
    ['weex/parse', 'F3: the class follows underlyingType'],
    ['blofin/parse', 'F3: the class follows assetClass'],
    ['pacifica/parse', 'F3'],
    ['toobit/parse', 'F3: isRwa marks traditional assets'],
    ['grvt/parse', 'F3'],
  ],
  'F4 builder-deployed markets are left out': [['hyperliquid/parse', 'trap F4']],
  'F5 inverse is what settles in its base': [
    ['bybit/parse-contracts', 'inverse means settled in the base coin'],
    ['okx/parse-contracts', 'the settle currency decides between linear and inverse'],
    ['kraken/parse', 'trap F5'],
    ['paradex/parse', 'F5'],
    ['kucoin/parse', 'isQuanto is true on a linear contract'],
    ['extended/parse', 'settles in USDC although the collateral is called USD'],
  ],
  'F6 quanto contracts are left out': [
    ['gate/parse', 'F6'],
    ['mexc/parse', 'F5, F6'],
    [
      'okx/parse-contracts',
      'placeholders, test pairs, dated futures and quanto contracts are ignored (G4, F6)',
    ],
  ],
  'F7 a row belongs to the symbol in it': [
    ['bitget/parse', 'F7'],
    ['backpack/parse', 'F7'],
    ['hyperliquid/parse', 'trap F7'],
    ['bybit/parse', 'a print of another contract'],
    ['extended/parse', 'F7'],
    ['edgex/parse', 'F7'],
    ['pacifica/parse', 'F7'],
    ['grvt/parse', 'F7'],
  ],
  'F8 volumes in USDT, sizes in base units': [
    ['gate/parse', 'F8'],
    ['mexc/parse', 'F8'],
    ['bitget/parse', 'F8'],
    ['okx/parse', 'linear volume is volCcy24h coins times the last price'],
    ['bybit/parse', 'inverse turnover is in coins, so the volume in USD is taken'],
    ['kraken/parse', 'trap F8'],
    [
      'htx/parse',
      'the linear volume is half of the turnover, which counts both sides, never the number of contracts',
    ],
    ['coinex/parse', 'the 24 h taker volumes of a ticker never become book sizes'],
    ['phemex/parse', 'a coin-margined turnover counts dollars; scaled prices are unscaled'],
    ['gate/parse', 'a multiplier of "0" is one dollar a contract on the inverse contract'],
    ['extended/parse', 'F8'],
    ['edgex/parse', 'F8'],
    ['weex/parse', 'contractVal is the step of an order'],
    ['xt/parse', 'F8: sizes are contracts'],
    ['blofin/parse', 'F8: sizes and vol24h are contracts'],
    ['pacifica/parse', 'F8'],
    ['toobit/parse', 'F8: sizes and open interest are contracts'],
    ['grvt/parse', 'F8'],
  ],
  'G1 what has ended and still answers is not quoted': [
    ['aster/parse', 'G1'],
    ['backpack/parse', 'G1'],
    ['dydx/parse', 'G1'],
    ['gate/parse', 'G1'],
    ['hyperliquid/parse', 'trap G1'],
    ['kraken/parse', 'trap G1'],
    ['mexc/parse', 'G1, G4'],
    ['xt/parse', 'G1: tradeSwitch says what trades'],
    ['extended/parse', 'G1'],
    ['edgex/parse', 'V1 is dead'],
  ],
  'G4 pre-market lists and empty placeholders': [
    ['bybit/parse-contracts', 'a pre-market contract in its auction is preopen'],
    ['okx/parse-contracts', 'placeholders, test pairs, dated futures'],
    ['bitget/parse', 'G4'],
  ],
  'library trap 5: a new symbol never loses the rest': [
    ['kraken/parse', 'library trap 5'],
    ['binance/parse', 'one unknown new symbol and one bad row never lose the rest'],
    ['woox/parse', 'a symbol that is not in the instrument list yet never loses the rest'],
  ],
  'library trap 6: impact prices are no top': [['hyperliquid/parse', 'library trap 6']],
  'BTSE: asks reversed, three spellings of a symbol, sizes in contracts, names of other assets': [
    ['btse/parse', 'asks come with the best last'],
    ['btse/parse', 'mark and index: the older API drops the quote from the symbol'],
    ['btse/parse', 'sizes are contracts'],
    ['btse/parse', 'the base is that of the symbol: 1KPEPE keeps its multiplier, TRUMPSOL is TRUMP'],
    ['btse/parse', 'GAS is natural gas and QNT a company'],
    ['btse/parse', 'nextFundingTime is milliseconds beside openTime and closeTime in seconds'],
    ['btse/parse', 'a print keeps its odd milliseconds'],
  ],
  'Bitunix: percent here and fraction there, rows of what does not settle': [
    ['bitunix/parse', 'the running rate is a percent, the settled one a fraction'],
    ['bitunix/parse', 'delisted and coming contracts have a rate of 0 and a time just past'],
    ['bitunix/parse', '1000PEPEUSDT is a thousand PEPE, whatever base says'],
    ['bitunix/parse', 'a contract may settle off the grid from midnight'],
    ['bitunix/parse', 'errors come with HTTP 200'],
    ['bitunix/parse', 'an unknown symbol gets a push without prices'],
  ],
  'CoinbaseIntl: an interval in nanoseconds, no time of the settlement, closed': [
    ['coinbaseintl/parse', 'funding_interval is nanoseconds'],
    ['coinbaseintl/parse', 'D7: no field has the next settlement, so it is the next full hour'],
    ['coinbaseintl/parse', 'spot markets and other kinds are ignored'],
    ['coinbaseintl/parse', 'TSLA is a stock'],
    ['coinbaseintl/parse', 'the exchange closed on 2026-10-01 at 09:00:29 UTC, not at midnight'],
    ['deribit/parse', 'a word that is not known is no coin'],
  ],
  'WEEX: forecast versus last rate': [
    ['weex/parse', 'B1, C7: forecastFundingRate is the running rate, lastFundingRate is charged already'],
    ['weex/parse', 'a row with lastFundingRate alone has no rate'],
  ],
  'Toobit: a stale row after a settlement, rows of demo contracts': [
    ['toobit/parse', 'B1: a row of a settlement that has passed'],
    ['toobit/parse', 'TBV_ rows of demo contracts'],
  ],
  'Extended: nextFundingRate is a time, a User-Agent is required': [
    ['extended/parse', 'nextFundingRate is the time of the next payment, not a rate'],
    ['../../test/venues/required-headers', 'Extended answers 403 without a User-Agent'],
    ['../../test/venues/stream-runner', 'names itself with a User-Agent'],
  ],
  'Nado: a rate of 24 hours, an Accept-Encoding is required': [
    ['nado/parse', 'funding_rate is a rate of 24 hours'],
    ['../../test/venues/required-headers', 'Nado’s gateway answers 403 without Accept-Encoding'],
  ],
  'contracts priced in coins, and renamed coins': [
    ['pionex/parse', 'contracts that are priced in a coin'],
    ['pionex/parse', 'the base is the one in the symbol: 0G and LIT'],
    ['weex/parse', 'a renamed coin (TON, shown as GRAM)'],
    ['toobit/parse', 'a renamed coin (TON on the index of GRAM)'],
    ['edgex/parse', 'the base is the declared coin'],
  ],
  'WhiteBIT: a bulk list without sizes, a dated end': [
    ['whitebit/parse', 'the bulk list has bid and ask without sizes'],
    ['whitebit/parse', 'delistedAt is a time in seconds to come'],
    ['whitebit/parse', 'sizes are base units: stockPrec is the order step'],
    ['whitebit/parse', 'prints are in seconds'],
    ['whitebit/parse', 'an empty mark and an index of 0 are unknown'],
    ['whitebit/parse', 'traditional perpetuals are no coins'],
  ],
};

const VENUES_FOLDER = join(import.meta.dirname, '..');

suite('every trap that concerns a venue has a named test', () => {
  for (const [trap, guards] of Object.entries(GUARDS)) {
    test(trap, () => {
      for (const [file, name] of guards) {
        const text = readFileSync(join(VENUES_FOLDER, `${file}.test.ts`), 'utf8');
        assert.ok(
          text.includes(`test('${name}`) || text.includes(`test(\n      '${name}`),
          `${file}.test.ts has no test "${name}..."`,
        );
      }
    });
  }
});

suite('E4: history is requested for one contract, never without a symbol', () => {
  const contract: Contract = { ...fakeContract('SYM-USDT'), venueId: '4711', intervalHours: 8 };
  for (const venue of VENUES) {
    test(venue.facts.exchange, async () => {
      const requested: VenueRequest[] = [];
      const send: SendRequest = async (request) => {
        requested.push(request);
        throw new Error('only the request is needed');
      };
      const window = { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 0, 2) };
      await venue.settlements(contract, window, { send, contracts: new Map() }).catch(() => undefined);
      const [request] = requested;
      assert.ok(request, 'a call is made');
      const text = JSON.stringify(request);
      assert.ok(/SYM-USDT|SYMUSDT|4711|SYM/.test(text), text);
    });
  }
});
