// Made by `npm run clients` from the operations of the service. Do not edit.
import type { OperationCommand } from './command.ts';

export const OPERATION_COMMANDS: readonly OperationCommand[] = [
  {
    "name": "funding",
    "path": "/funding",
    "summary": "Current funding rates of every perpetual contract on every venue",
    "description": "One row per perpetual contract. rate_pct is what will be exchanged at next_funding_at, in percent of the position (0.01 = one basis point); positive means that longs pay shorts. It is the running rate, never the last settled one, which is last_rate_pct. Rates with different interval_hours are not comparable: compare gross_apr_pct or apr_pct, or use /funding/{coin}. Quote a rate with its venue and interval. For rates that were paid use /funding/history.",
    "isList": true,
    "rowsField": null,
    "hasCsv": true,
    "shortRows": {
      "leading": [
        "coin",
        "exchange",
        "symbol",
        "rate_pct",
        "apr_pct",
        "next_funding_at",
        "volume_24h_usdt",
        "open_interest_usdt"
      ],
      "intervals": {
        "rate_pct": "interval_hours"
      },
      "names": [
        "coin",
        "exchange",
        "symbol"
      ]
    },
    "sortColumns": {
      "abs_rate_desc": [
        "rate_pct"
      ],
      "abs_rate_asc": [
        "rate_pct"
      ],
      "rate_desc": [
        "rate_pct"
      ],
      "rate_asc": [
        "rate_pct"
      ],
      "apr_desc": [
        "apr_pct"
      ],
      "apr_asc": [
        "apr_pct"
      ],
      "gross_apr_desc": [
        "gross_apr_pct"
      ],
      "gross_apr_asc": [
        "gross_apr_pct"
      ],
      "sum_7d_desc": [
        "sum_7d_pct"
      ],
      "sum_7d_asc": [
        "sum_7d_pct"
      ],
      "sum_30d_desc": [
        "sum_30d_pct"
      ],
      "sum_30d_asc": [
        "sum_30d_pct"
      ],
      "volume_desc": [
        "volume_24h_usdt"
      ],
      "volume_asc": [
        "volume_24h_usdt"
      ],
      "open_interest_desc": [
        "open_interest_usdt"
      ],
      "open_interest_asc": [
        "open_interest_usdt"
      ],
      "next_funding_asc": [
        "next_funding_at"
      ],
      "next_funding_desc": [
        "next_funding_at"
      ],
      "coin_asc": [
        "coin"
      ],
      "exchange_asc": [
        "exchange"
      ]
    },
    "parameters": [
      {
        "name": "coin",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "coin"
        ],
        "description": "Tickers to keep, in any case; at most 20, separated by commas"
      },
      {
        "name": "exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "exchange"
        ],
        "description": "Venues to keep, as /exchanges spells them; at most 20"
      },
      {
        "name": "exclude_exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "exchange"
        ],
        "description": "Venues to leave out; at most 20"
      },
      {
        "name": "min_rate_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "rate_pct"
        ],
        "description": "Lowest rate_pct, signed"
      },
      {
        "name": "max_rate_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "rate_pct"
        ],
        "description": "Highest rate_pct"
      },
      {
        "name": "min_abs_rate_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "rate_pct"
        ],
        "description": "Lowest magnitude of rate_pct"
      },
      {
        "name": "max_abs_rate_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "rate_pct"
        ],
        "description": "Highest magnitude of rate_pct"
      },
      {
        "name": "min_apr_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "apr_pct"
        ],
        "description": "Lowest apr_pct, signed; drops nulls"
      },
      {
        "name": "max_apr_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "apr_pct"
        ],
        "description": "Highest apr_pct"
      },
      {
        "name": "min_gross_apr_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "gross_apr_pct"
        ],
        "description": "Lowest gross_apr_pct; drops nulls"
      },
      {
        "name": "max_gross_apr_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "gross_apr_pct"
        ],
        "description": "Highest gross_apr_pct"
      },
      {
        "name": "min_sum_7d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "sum_7d_pct"
        ],
        "description": "Lowest 7-day sum; drops nulls"
      },
      {
        "name": "max_sum_7d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "sum_7d_pct"
        ],
        "description": "Highest 7-day sum"
      },
      {
        "name": "min_sum_30d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "sum_30d_pct"
        ],
        "description": "Lowest 30-day sum; drops nulls"
      },
      {
        "name": "max_sum_30d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "sum_30d_pct"
        ],
        "description": "Highest 30-day sum"
      },
      {
        "name": "interval_hours",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "integer",
        "columns": [
          "interval_hours"
        ],
        "description": "Settlement intervals in hours"
      },
      {
        "name": "session",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "open",
          "closed"
        ],
        "columns": [
          "session"
        ],
        "description": "State of the market of the underlying; drops crypto"
      },
      {
        "name": "is_inverse",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "boolean",
        "columns": [
          "is_inverse"
        ],
        "description": "true = coin-margined only; false = linear only"
      },
      {
        "name": "min_volume_usdt",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "volume_24h_usdt"
        ],
        "description": "Lowest 24 h volume in USDT"
      },
      {
        "name": "max_volume_usdt",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "volume_24h_usdt"
        ],
        "description": "Highest 24 h volume"
      },
      {
        "name": "min_open_interest_usdt",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "open_interest_usdt"
        ],
        "description": "Lowest open interest in USDT; drops nulls"
      },
      {
        "name": "max_open_interest_usdt",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "open_interest_usdt"
        ],
        "description": "Highest open interest"
      },
      {
        "name": "settles_within_minutes",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "columns": [
          "next_funding_at"
        ],
        "description": "Next settlement within this many minutes of meta.as_of"
      },
      {
        "name": "sort",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "abs_rate_desc",
          "abs_rate_asc",
          "rate_desc",
          "rate_asc",
          "apr_desc",
          "apr_asc",
          "gross_apr_desc",
          "gross_apr_asc",
          "sum_7d_desc",
          "sum_7d_asc",
          "sum_30d_desc",
          "sum_30d_asc",
          "volume_desc",
          "volume_asc",
          "open_interest_desc",
          "open_interest_asc",
          "next_funding_asc",
          "next_funding_desc",
          "coin_asc",
          "exchange_asc"
        ],
        "description": "Order of the rows; default abs_rate_desc"
      },
      {
        "name": "limit",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "description": "Rows on a page; default 100; on Demo 50, also the most"
      },
      {
        "name": "cursor",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "description": "meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes"
      },
      {
        "name": "fields",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "choices": [
          "exchange",
          "symbol",
          "venue_symbol",
          "coin",
          "is_inverse",
          "asset_class",
          "price_outlier",
          "rate_pct",
          "apr_pct",
          "sum_7d_pct",
          "sum_30d_pct",
          "interval_hours",
          "next_funding_at",
          "volume_24h_usdt",
          "mark_price",
          "index_price",
          "open_interest_usdt",
          "last_rate_pct",
          "last_funding_at",
          "taker_fee_pct",
          "covered_until",
          "gross_apr_pct",
          "session"
        ],
        "description": "Keep only these fields on every row; meta is untouched"
      }
    ]
  },
  {
    "name": "coin-funding",
    "path": "/funding/{coin}",
    "summary": "Funding rates of one coin, compared over the venues",
    "description": "Who pays most and least for one coin now. highest, lowest and spread_pct compare rate_pct, percent per settlement; best_short_exchange and best_long_exchange compare rates per hour, because a 1 h rate of 0.02 % pays more than an 8 h rate of 0.05 %. Longs pay positive rates to shorts. Contracts whose price shows another coin under the same ticker (price_outlier) are left out. When the filters leave nothing, venue_count is 0, rates is empty and venues are null. median_hours_above_fee says how long the best pair stayed above its fees before. expected_*_pct forecast what a short receives on this contract alone: expectations with a stated error (/developers/forecast), not advice. For rates that were paid use /funding/history.",
    "isList": false,
    "rowsField": null,
    "hasCsv": true,
    "shortRows": {
      "leading": [
        "exchange",
        "symbol",
        "rate_pct",
        "apr_pct",
        "next_funding_at",
        "volume_24h_usdt"
      ],
      "intervals": {
        "rate_pct": "interval_hours"
      },
      "names": [
        "exchange",
        "symbol"
      ]
    },
    "parameters": [
      {
        "name": "coin",
        "isPath": true,
        "isRequired": true,
        "isList": false,
        "kind": "string",
        "description": "Ticker without multiplier, in any case"
      },
      {
        "name": "exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "description": "Rank only these venues, as /exchanges spells them; at most 20"
      },
      {
        "name": "exclude_exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "description": "Leave these venues out; at most 20"
      },
      {
        "name": "min_volume_usdt",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "volume_24h_usdt"
        ],
        "description": "Rank only venues whose 24 h volume over all their contracts on the coin is at least this, in USDT"
      },
      {
        "name": "session",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "open",
          "closed"
        ],
        "columns": [
          "session"
        ],
        "description": "State of the market of the underlying; drops crypto"
      },
      {
        "name": "size_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "adds": [
          "entry_cost_pct",
          "exit_cost_pct",
          "exit_cost_worst_pct",
          "fills",
          "book_age_seconds"
        ],
        "description": "Size in USD, of each leg. It adds entry_cost_pct, exit_cost_pct, exit_cost_worst_pct, fills and book_age_seconds to rates, of the position that receives the rate; apr_pct is then net of them."
      },
      {
        "name": "fields",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "choices": [
          "exchange",
          "symbol",
          "venue_symbol",
          "coin",
          "is_inverse",
          "asset_class",
          "price_outlier",
          "rate_pct",
          "apr_pct",
          "sum_7d_pct",
          "sum_30d_pct",
          "interval_hours",
          "next_funding_at",
          "volume_24h_usdt",
          "mark_price",
          "index_price",
          "open_interest_usdt",
          "last_rate_pct",
          "last_funding_at",
          "taker_fee_pct",
          "covered_until",
          "gross_apr_pct",
          "session",
          "sum_1d_pct",
          "absolute_30d_pct",
          "expected_1d_pct",
          "expected_7d_pct",
          "expected_30d_pct",
          "expected_30d_low_pct",
          "expected_30d_high_pct",
          "entry_cost_pct",
          "exit_cost_pct",
          "exit_cost_worst_pct",
          "fills",
          "book_age_seconds"
        ],
        "description": "Keep only these fields on every row of rates; the rest of data and meta are untouched"
      }
    ]
  },
  {
    "name": "funding-history",
    "path": "/funding/history",
    "summary": "Settled funding of one coin, by day or print by print",
    "description": "What was paid, never samples of the running rate: settled prints as the venues publish them. resolution=1d gives one point per UTC day and venue (sum of the settled rates, scaled to a year, net of the taker fee to open and to close), up to 180 days a call; resolution=settlement every print of one venue, up to 92 days a call. Each venue is there with its largest linear contract on the coin; symbol picks another. A contract whose price shows another coin under the ticker (price_outlier) is there only if exchange or symbol names it. Missing prints are gaps, never zeros. For current rates use /funding.",
    "isList": false,
    "rowsField": null,
    "hasCsv": true,
    "shortRows": {
      "leading": [
        "exchange",
        "symbol",
        "day",
        "apr_pct",
        "time",
        "rate_pct"
      ],
      "intervals": {
        "rate_pct": "interval_hours"
      },
      "names": []
    },
    "parameters": [
      {
        "name": "coin",
        "isPath": false,
        "isRequired": true,
        "isList": false,
        "kind": "string",
        "description": "Ticker without multiplier, in any case"
      },
      {
        "name": "exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "description": "Venues, as /exchanges spells them: up to 20 with resolution=1d, exactly one with resolution=settlement"
      },
      {
        "name": "exclude_exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "description": "Venues to leave out; with resolution=1d only"
      },
      {
        "name": "symbol",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "description": "Another contract than the venue's largest linear one: its symbol (BTC-USD) or the venue's own spelling of it"
      },
      {
        "name": "resolution",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "1d",
          "settlement"
        ],
        "description": "1d (default): one annualised point per UTC day and venue. settlement: every settled print of one venue"
      },
      {
        "name": "from",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "time",
        "description": "Start of the window, included; default 30 days before to (1d) or 7 days (settlement), narrowed to the depth of the plan"
      },
      {
        "name": "to",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "time",
        "description": "End of the window; default now, and never later. A print at to is included; with resolution=1d the days that start before it are, so at midnight the last one is the day that ends at it"
      },
      {
        "name": "days",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "description": "Days before to at which the window starts; ignored when from is given, whatever its value"
      },
      {
        "name": "order",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "asc",
          "desc"
        ],
        "description": "asc (default): oldest first; desc: newest first"
      },
      {
        "name": "limit",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "description": "Most points per series, counted after ordering; default all"
      },
      {
        "name": "fields",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "choices": [
          "day",
          "apr_pct",
          "time",
          "rate_pct",
          "interval_hours"
        ],
        "description": "Keep only these fields on every point: day and apr_pct with resolution=1d; time, rate_pct and interval_hours with resolution=settlement. The rest of data and meta are untouched"
      }
    ]
  },
  {
    "name": "funding-running",
    "path": "/funding/running",
    "summary": "The running funding rate of a coin through time, by minute, five minutes, hour or day",
    "description": "What /funding answered at the end of each minute: the running rate, its interval and the next settlement, per venue. With a step above a minute, the last value and the lowest and highest of its minutes. The last step may not be over. A time without an entry is a gap: the service was down or the venue silent. Each venue is there with its largest linear contract on the coin; symbol picks another. For what was paid use /funding/history. Every rule is on the page /developers/tape.",
    "isList": false,
    "rowsField": null,
    "hasCsv": true,
    "shortRows": {
      "leading": [
        "exchange",
        "at",
        "rate_pct"
      ],
      "intervals": {
        "rate_pct": "interval_hours"
      },
      "names": []
    },
    "parameters": [
      {
        "name": "coin",
        "isPath": false,
        "isRequired": true,
        "isList": false,
        "kind": "string",
        "description": "Ticker without multiplier, in any case"
      },
      {
        "name": "exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "description": "Venues, as /exchanges spells them; default all that quote the coin"
      },
      {
        "name": "symbol",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "description": "Another contract than the venue's largest linear one: its symbol (BTC-USD) or the venue's own spelling of it"
      },
      {
        "name": "from",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "time",
        "description": "Start of the window, included; default 12 hours before to (1m), 2 days (5m), 7 days (1h) or 14 days (1d), which every coin fits, narrowed to the depth of the plan"
      },
      {
        "name": "to",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "time",
        "description": "End of the window, included; default the end of the newest minute, and never later"
      },
      {
        "name": "days",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "description": "Days before to at which the window starts; ignored when from is given, whatever its value"
      },
      {
        "name": "step",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "1m",
          "5m",
          "1h",
          "1d"
        ],
        "description": "Minutes, five minutes, hours (default) or UTC days. One call gives up to 31 days of 1m, 92 of 5m, 180 of 1h and 1d, and at most 45,000 points and 1,000 days of contracts together"
      }
    ]
  },
  {
    "name": "open-interest-history",
    "path": "/open-interest/history",
    "summary": "Open interest, mark price, premium and volume of a coin through time, per venue and summed",
    "description": "The last value of each step, and the lowest and highest in it, per venue; and the sums of open interest and volume over the venues, with the number of venues that make each sum. The premium is recorded every minute, the rest every five: with step=1m it is in the entry of the last of five minutes, and null in the others. The last step may not be over. A time without an entry is a gap. Each venue is there with its largest linear contract on the coin; symbol picks another. CSV and Parquet have the rows of the venues. For the figures now use /funding. Every rule is on the page /developers/tape.",
    "isList": false,
    "rowsField": null,
    "hasCsv": true,
    "shortRows": {
      "leading": [
        "exchange",
        "at",
        "open_interest_usdt",
        "premium_pct"
      ],
      "names": []
    },
    "tableRows": [
      "series",
      "points"
    ],
    "parameters": [
      {
        "name": "coin",
        "isPath": false,
        "isRequired": true,
        "isList": false,
        "kind": "string",
        "description": "Ticker without multiplier, in any case"
      },
      {
        "name": "exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "description": "Venues, as /exchanges spells them; default all that quote the coin"
      },
      {
        "name": "symbol",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "description": "Another contract than the venue's largest linear one: its symbol (BTC-USD) or the venue's own spelling of it"
      },
      {
        "name": "from",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "time",
        "description": "Start of the window, included; default 12 hours before to (1m), 2 days (5m), 7 days (1h) or 14 days (1d), which every coin fits, narrowed to the depth of the plan"
      },
      {
        "name": "to",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "time",
        "description": "End of the window, included; default the end of the newest minute, and never later"
      },
      {
        "name": "days",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "description": "Days before to at which the window starts; ignored when from is given, whatever its value"
      },
      {
        "name": "step",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "1m",
          "5m",
          "1h",
          "1d"
        ],
        "description": "Minutes, five minutes, hours (default) or UTC days. One call gives up to 31 days of 1m, 92 of 5m, 180 of 1h and 1d, and at most 45,000 points and 1,000 days of contracts together"
      }
    ]
  },
  {
    "name": "spreads",
    "path": "/spreads",
    "summary": "Live spreads between two venues' perpetuals on the same coin",
    "description": "One row per pair of venues and coin, from the best bid and ask of both, best first. spread_pct is what entering the better direction now would lock in, in percent and before fees: long_a_short_b_pct = (bid_b - ask_a) / ask_a, short_a_long_b_pct = (bid_a - ask_b) / ask_b. net_spread_pct = spread_pct - 2 x (taker_fee_a_pct + taker_fee_b_pct), after the fees of a round trip. Prices are for one coin in USDT, whatever multiplier and stablecoin the contracts use. strength counts five conditions, each of which is a field. Linear contracts only; quotes older than 120 s form no row. With size_usd net_spread_pct is net of what both books cost, null where they do not fill it; for the past use /spreads/backtest.",
    "isList": true,
    "rowsField": null,
    "hasCsv": true,
    "shortRows": {
      "leading": [
        "coin",
        "exchange_a",
        "exchange_b",
        "spread_pct",
        "net_spread_pct",
        "direction",
        "strength",
        "updated_at"
      ],
      "intervals": {
        "funding_rate_a_pct": "funding_interval_hours_a",
        "funding_rate_b_pct": "funding_interval_hours_b"
      },
      "names": [
        "coin",
        "exchange_a",
        "exchange_b"
      ]
    },
    "sortColumns": {
      "spread_desc": [
        "spread_pct"
      ],
      "spread_asc": [
        "spread_pct"
      ],
      "net_spread_desc": [
        "net_spread_pct"
      ],
      "net_spread_asc": [
        "net_spread_pct"
      ],
      "volume_desc": [
        "volume_a_usdt",
        "volume_b_usdt"
      ],
      "volume_asc": [
        "volume_a_usdt",
        "volume_b_usdt"
      ],
      "strength_desc": [
        "strength"
      ],
      "updated_desc": [
        "updated_at"
      ],
      "coin_asc": [
        "coin"
      ],
      "entry_cost_asc": [
        "entry_cost_pct"
      ],
      "entry_cost_desc": [
        "entry_cost_pct"
      ],
      "exit_cost_asc": [
        "exit_cost_pct"
      ],
      "exit_cost_desc": [
        "exit_cost_pct"
      ],
      "exit_cost_worst_asc": [
        "exit_cost_worst_pct"
      ],
      "exit_cost_worst_desc": [
        "exit_cost_worst_pct"
      ],
      "book_age_asc": [
        "book_age_seconds"
      ],
      "book_age_desc": [
        "book_age_seconds"
      ]
    },
    "parameters": [
      {
        "name": "fees",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "description": "Your own taker fees in percent by venue, such as Binance:0.02,OKX:0.03, or account for those saved on the page /account/fees; other venues keep the default of /exchanges. taker_fee_a_pct and taker_fee_b_pct show them; net_spread_pct, covers_fees and strength follow."
      },
      {
        "name": "size_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "adds": [
          "entry_cost_pct",
          "exit_cost_pct",
          "exit_cost_worst_pct",
          "fills",
          "book_age_seconds"
        ],
        "description": "Size in USD, of each leg. It adds entry_cost_pct, exit_cost_pct, exit_cost_worst_pct, fills and book_age_seconds; net_spread_pct, covers_fees and strength are then at that size."
      },
      {
        "name": "coin",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "coin"
        ],
        "description": "Tickers to keep, in any case; at most 20, separated by commas"
      },
      {
        "name": "exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "exchange_a",
          "exchange_b"
        ],
        "description": "Pairs with these venues, as /exchanges spells them; at most 20"
      },
      {
        "name": "exchange_match",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "any",
          "all"
        ],
        "columns": [
          "exchange_a",
          "exchange_b"
        ],
        "description": "any: either leg is in the exchange list; all: both are; default any"
      },
      {
        "name": "exclude_exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "exchange_a",
          "exchange_b"
        ],
        "description": "Drop pairs with any of these on either leg; at most 20"
      },
      {
        "name": "leg_closed",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "boolean",
        "columns": [
          "leg_closed"
        ],
        "description": "false = no pairs with a closed market; true = only these"
      },
      {
        "name": "min_spread_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "spread_pct"
        ],
        "description": "Lowest spread_pct, in percent"
      },
      {
        "name": "max_spread_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "spread_pct"
        ],
        "description": "Highest spread_pct"
      },
      {
        "name": "direction",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "long_a_short_b",
          "short_a_long_b"
        ],
        "columns": [
          "direction"
        ],
        "description": "Pairs whose better side is this one: long_a_short_b buys on A and sells on B"
      },
      {
        "name": "min_net_spread_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "net_spread_pct"
        ],
        "description": "Lowest net_spread_pct, in percent"
      },
      {
        "name": "max_net_spread_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "net_spread_pct"
        ],
        "description": "Highest net_spread_pct"
      },
      {
        "name": "min_volume_usdt",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "volume_a_usdt",
          "volume_b_usdt"
        ],
        "description": "Both legs' 24 h volume is at least this, in USDT"
      },
      {
        "name": "min_strength",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "columns": [
          "strength"
        ],
        "description": "Lowest strength, 0 to 5"
      },
      {
        "name": "max_age_seconds",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "columns": [
          "updated_at"
        ],
        "description": "The older quote was received within this many seconds before meta.as_of"
      },
      {
        "name": "min_entry_cost_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "entry_cost_pct"
        ],
        "description": "Lowest entry_cost_pct, in percent"
      },
      {
        "name": "max_entry_cost_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "entry_cost_pct"
        ],
        "description": "Highest entry_cost_pct, in percent"
      },
      {
        "name": "min_exit_cost_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "exit_cost_pct"
        ],
        "description": "Lowest exit_cost_pct, in percent"
      },
      {
        "name": "max_exit_cost_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "exit_cost_pct"
        ],
        "description": "Highest exit_cost_pct, in percent"
      },
      {
        "name": "min_exit_cost_worst_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "exit_cost_worst_pct"
        ],
        "description": "Lowest exit_cost_worst_pct, in percent"
      },
      {
        "name": "max_exit_cost_worst_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "exit_cost_worst_pct"
        ],
        "description": "Highest exit_cost_worst_pct, in percent"
      },
      {
        "name": "min_book_age_seconds",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "book_age_seconds"
        ],
        "description": "Lowest book_age_seconds"
      },
      {
        "name": "max_book_age_seconds",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "book_age_seconds"
        ],
        "description": "Highest book_age_seconds"
      },
      {
        "name": "fills",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "full",
          "partial",
          "unknown"
        ],
        "columns": [
          "fills"
        ],
        "description": "full: leaves out pairs whose books do not take size_usd"
      },
      {
        "name": "sort",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "spread_desc",
          "spread_asc",
          "net_spread_desc",
          "net_spread_asc",
          "volume_desc",
          "volume_asc",
          "strength_desc",
          "updated_desc",
          "coin_asc",
          "entry_cost_asc",
          "entry_cost_desc",
          "exit_cost_asc",
          "exit_cost_desc",
          "exit_cost_worst_asc",
          "exit_cost_worst_desc",
          "book_age_asc",
          "book_age_desc"
        ],
        "description": "Order of the rows; default spread_desc; volume is that of the smaller leg"
      },
      {
        "name": "limit",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "description": "Rows on a page; default 100; on Demo 50, also the most"
      },
      {
        "name": "cursor",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "description": "meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes"
      },
      {
        "name": "fields",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "choices": [
          "symbol",
          "coin",
          "exchange_a",
          "exchange_b",
          "spread_pct",
          "direction",
          "long_a_short_b_pct",
          "short_a_long_b_pct",
          "bid_a",
          "ask_a",
          "bid_b",
          "ask_b",
          "volume_a_usdt",
          "volume_b_usdt",
          "funding_rate_a_pct",
          "funding_rate_b_pct",
          "funding_interval_hours_a",
          "funding_interval_hours_b",
          "next_funding_at_a",
          "next_funding_at_b",
          "strength",
          "updated_at",
          "net_spread_pct",
          "taker_fee_a_pct",
          "taker_fee_b_pct",
          "covers_fees",
          "both_volumes_1m",
          "both_fresh_15s",
          "both_fill_500_usd",
          "steady_3_prints",
          "leg_closed",
          "entry_cost_pct",
          "exit_cost_pct",
          "exit_cost_worst_pct",
          "fills",
          "book_age_seconds"
        ],
        "description": "Keep only these fields on every row; meta is untouched"
      }
    ]
  },
  {
    "name": "spread-backtest",
    "path": "/spreads/backtest",
    "summary": "Spreads ranked by what an order of a given size would have earned against the books of the last days",
    "description": "Every pair of venues on a coin is walked minute by minute through the scan window (7 days) with the prices at which an order of size_usd would have filled. A cycle opens when entry and usual exit together leave at least 0.05 % after the taker fees of all four trades, and closes when the usual exit is reached, or after 24 hours at whatever the exit is, loss included. A minute counts only if the prices of both venues are at most 30 s old; others lower confidence. est_profit_pct is the median profit of a round trip in percent after fees, cycles says how often it happened, confidence (0 to 100) how far the figures carry. Funding paid while a cycle is open is not included. On the Demo plan the withheld_top best rows of each size are left out. For what can be entered now use /spreads.",
    "isList": true,
    "rowsField": "spreads",
    "hasCsv": true,
    "shortRows": {
      "leading": [
        "coin",
        "exchange_a",
        "exchange_b",
        "est_profit_pct",
        "avg_profit_pct",
        "cycles",
        "confidence",
        "last_cycle_at"
      ],
      "names": [
        "coin",
        "exchange_a",
        "exchange_b"
      ]
    },
    "sortColumns": {
      "profit_desc": [
        "est_profit_pct"
      ],
      "profit_asc": [
        "est_profit_pct"
      ],
      "avg_profit_desc": [
        "avg_profit_pct"
      ],
      "cycles_desc": [
        "cycles"
      ],
      "confidence_desc": [
        "confidence"
      ],
      "volume_desc": [
        "volume_a_usdt",
        "volume_b_usdt"
      ],
      "spread_range_desc": [
        "spread_range_pct"
      ],
      "last_cycle_desc": [
        "last_cycle_at"
      ],
      "coin_asc": [
        "coin"
      ]
    },
    "parameters": [
      {
        "name": "size_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "choices": [
          "25",
          "100",
          "500"
        ],
        "description": "Order size in USD that depth is priced at; default 100"
      },
      {
        "name": "fees",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "description": "Your own taker fees in percent by venue, such as Binance:0.02,OKX:0.03, or account for those saved on the page /account/fees; other venues keep the default of /exchanges. taker_fee_a_pct and taker_fee_b_pct show them; fee_pct_cycle, est_profit_pct and avg_profit_pct follow, for the same cycles: which cycles opened was decided at the usual fees, so cycles and confidence stay, and lower fees would have opened more."
      },
      {
        "name": "coin",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "coin"
        ],
        "description": "Tickers to keep, in any case; at most 20, separated by commas"
      },
      {
        "name": "exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "exchange_a",
          "exchange_b"
        ],
        "description": "Pairs with these venues, as /exchanges spells them; at most 20"
      },
      {
        "name": "exchange_match",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "any",
          "all"
        ],
        "columns": [
          "exchange_a",
          "exchange_b"
        ],
        "description": "any: either leg is in the exchange list; all: both are; default any"
      },
      {
        "name": "exclude_exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "exchange_a",
          "exchange_b"
        ],
        "description": "Drop pairs with any of these on either leg; at most 20"
      },
      {
        "name": "min_profit_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "est_profit_pct"
        ],
        "description": "Lowest est_profit_pct, in percent of a round trip after fees"
      },
      {
        "name": "max_profit_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "est_profit_pct"
        ],
        "description": "Highest est_profit_pct"
      },
      {
        "name": "min_avg_profit_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "avg_profit_pct"
        ],
        "description": "Lowest avg_profit_pct"
      },
      {
        "name": "min_cycles",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "columns": [
          "cycles"
        ],
        "description": "The spread opened and closed at least this often in the window"
      },
      {
        "name": "min_confidence",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "columns": [
          "confidence"
        ],
        "description": "Lowest confidence, 0 to 100"
      },
      {
        "name": "min_volume_usdt",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "volume_a_usdt",
          "volume_b_usdt"
        ],
        "description": "Both legs' 24 h volume is at least this, in USDT"
      },
      {
        "name": "active_within_hours",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "columns": [
          "last_cycle_at"
        ],
        "description": "The last cycle closed within this many hours before meta.as_of"
      },
      {
        "name": "sort",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "profit_desc",
          "profit_asc",
          "avg_profit_desc",
          "cycles_desc",
          "confidence_desc",
          "volume_desc",
          "spread_range_desc",
          "last_cycle_desc",
          "coin_asc"
        ],
        "description": "Order of the rows; default profit_desc; volume is that of the smaller leg"
      },
      {
        "name": "limit",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "description": "Rows on a page; default 100; on Demo 50, also the most"
      },
      {
        "name": "cursor",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "description": "meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes"
      },
      {
        "name": "fields",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "choices": [
          "symbol",
          "coin",
          "exchange_a",
          "exchange_b",
          "est_profit_pct",
          "avg_profit_pct",
          "fee_pct_cycle",
          "spread_range_pct",
          "cycles",
          "confidence",
          "volume_a_usdt",
          "volume_b_usdt",
          "last_cycle_at",
          "taker_fee_a_pct",
          "taker_fee_b_pct",
          "long_a_cycles"
        ],
        "description": "Keep only these fields on every row; meta is untouched"
      }
    ]
  },
  {
    "name": "arbitrage",
    "path": "/arbitrage",
    "summary": "Funding arbitrage: what a long on one venue and a short on another earn, net of fees",
    "description": "One row per coin and pair of venues, in the direction that earns at the running rates: hold a long on long_exchange and a short of the same size on short_exchange. Figures are percent of the size of one leg. carry_pct_day and gross_apr_pct are before costs; net_apr_pct is net of cost_pct_round_trip, for a position held hold_days: four taker fills, opening at the present tops and closing at them. The realised figures are what the pair really earned from settled prints; worst_day_30d_pct and max_drawdown_30d_pct are of funding only, and the price_gap fields say how far the prices moved. capacity_usd is the size that fits into both books; where capacity_is_lower_bound is true, at least that size. Linear contracts only, identified as in /spreads. Rates change, and a high figure of the running rates rarely lasts: choose pairs by expected_low_net_apr_pct (sort expected_low_net_desc), what they are likely to earn at least after costs; expected_net_apr_pct (sort expected_net_desc) is the expectation, whose highest values are most often too high, between expected_low_pct and expected_high_pct; median_hours_above_fee says how long such a carry lasted before; use net_apr_pct for what would be earned if the rates stayed, and the realised figures for what was earned. A forecast is an expectation with a stated error, not advice: /forecasts/accuracy has its score, and the page /developers/forecast its formula. Every formula is on the page /developers/arbitrage.",
    "isList": true,
    "rowsField": "pairs",
    "hasCsv": true,
    "shortRows": {
      "leading": [
        "coin",
        "long_exchange",
        "short_exchange",
        "net_apr_pct",
        "gross_apr_pct",
        "break_even_hours",
        "realised_30d_pct",
        "capacity_usd"
      ],
      "intervals": {
        "long_rate_pct": "long_interval_hours",
        "short_rate_pct": "short_interval_hours"
      },
      "names": [
        "coin",
        "long_exchange",
        "short_exchange"
      ]
    },
    "sortColumns": {
      "net_apr_desc": [
        "net_apr_pct"
      ],
      "net_apr_asc": [
        "net_apr_pct"
      ],
      "gross_apr_desc": [
        "gross_apr_pct"
      ],
      "gross_apr_asc": [
        "gross_apr_pct"
      ],
      "carry_day_desc": [
        "carry_pct_day"
      ],
      "carry_day_asc": [
        "carry_pct_day"
      ],
      "entry_spread_desc": [
        "entry_spread_pct"
      ],
      "entry_spread_asc": [
        "entry_spread_pct"
      ],
      "exit_spread_desc": [
        "exit_spread_pct"
      ],
      "exit_spread_asc": [
        "exit_spread_pct"
      ],
      "expected_1d_desc": [
        "expected_carry_1d_pct"
      ],
      "expected_1d_asc": [
        "expected_carry_1d_pct"
      ],
      "expected_7d_desc": [
        "expected_carry_7d_pct"
      ],
      "expected_7d_asc": [
        "expected_carry_7d_pct"
      ],
      "expected_30d_desc": [
        "expected_carry_30d_pct"
      ],
      "expected_30d_asc": [
        "expected_carry_30d_pct"
      ],
      "expected_low_desc": [
        "expected_low_pct"
      ],
      "expected_low_asc": [
        "expected_low_pct"
      ],
      "expected_high_desc": [
        "expected_high_pct"
      ],
      "expected_high_asc": [
        "expected_high_pct"
      ],
      "expected_low_net_desc": [
        "expected_low_net_apr_pct"
      ],
      "expected_low_net_asc": [
        "expected_low_net_apr_pct"
      ],
      "expected_net_desc": [
        "expected_net_apr_pct"
      ],
      "expected_net_asc": [
        "expected_net_apr_pct"
      ],
      "probability_desc": [
        "probability_net_positive"
      ],
      "probability_asc": [
        "probability_net_positive"
      ],
      "fee_desc": [
        "fee_pct_round_trip"
      ],
      "fee_asc": [
        "fee_pct_round_trip"
      ],
      "cost_desc": [
        "cost_pct_round_trip"
      ],
      "cost_asc": [
        "cost_pct_round_trip"
      ],
      "realised_1d_desc": [
        "realised_1d_pct"
      ],
      "realised_1d_asc": [
        "realised_1d_pct"
      ],
      "realised_7d_desc": [
        "realised_7d_pct"
      ],
      "realised_7d_asc": [
        "realised_7d_pct"
      ],
      "realised_30d_desc": [
        "realised_30d_pct"
      ],
      "realised_30d_asc": [
        "realised_30d_pct"
      ],
      "realised_90d_desc": [
        "realised_90d_pct"
      ],
      "realised_90d_asc": [
        "realised_90d_pct"
      ],
      "positive_hours_desc": [
        "positive_hours_30d_pct"
      ],
      "positive_hours_asc": [
        "positive_hours_30d_pct"
      ],
      "worst_day_desc": [
        "worst_day_30d_pct"
      ],
      "worst_day_asc": [
        "worst_day_30d_pct"
      ],
      "max_drawdown_desc": [
        "max_drawdown_30d_pct"
      ],
      "max_drawdown_asc": [
        "max_drawdown_30d_pct"
      ],
      "hours_above_fee_desc": [
        "median_hours_above_fee"
      ],
      "hours_above_fee_asc": [
        "median_hours_above_fee"
      ],
      "break_even_desc": [
        "break_even_hours"
      ],
      "break_even_asc": [
        "break_even_hours"
      ],
      "capacity_desc": [
        "capacity_usd"
      ],
      "capacity_asc": [
        "capacity_usd"
      ],
      "volume_desc": [
        "volume_usdt"
      ],
      "volume_asc": [
        "volume_usdt"
      ],
      "open_interest_desc": [
        "open_interest_usdt"
      ],
      "open_interest_asc": [
        "open_interest_usdt"
      ],
      "updated_desc": [
        "updated_at"
      ],
      "coin_asc": [
        "coin"
      ],
      "entry_cost_asc": [
        "entry_cost_pct"
      ],
      "entry_cost_desc": [
        "entry_cost_pct"
      ],
      "exit_cost_asc": [
        "exit_cost_pct"
      ],
      "exit_cost_desc": [
        "exit_cost_pct"
      ],
      "exit_cost_worst_asc": [
        "exit_cost_worst_pct"
      ],
      "exit_cost_worst_desc": [
        "exit_cost_worst_pct"
      ],
      "book_age_asc": [
        "book_age_seconds"
      ],
      "book_age_desc": [
        "book_age_seconds"
      ]
    },
    "parameters": [
      {
        "name": "hold_days",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "choices": [
          "7",
          "30",
          "90"
        ],
        "description": "Days over which net_apr_pct and expected_net_apr_pct spread cost_pct_round_trip, and which expected_low_pct and expected_high_pct are for; default 30. For 90 the forecast is three times that of 30"
      },
      {
        "name": "slippage_bp",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "choices": [
          "2",
          "5",
          "10"
        ],
        "description": "Basis points from the mid price within which capacity_usd fills; default 5"
      },
      {
        "name": "fees",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "description": "Your own taker fees in percent by venue, such as Binance:0.02,OKX:0.03, or account for those saved on the page /account/fees; other venues keep the default of /exchanges. long_taker_fee_pct and short_taker_fee_pct show them; fee_pct_round_trip, cost_pct_round_trip, break_even_hours, net_apr_pct, expected_net_apr_pct, expected_low_net_apr_pct and probability_net_positive follow."
      },
      {
        "name": "size_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "adds": [
          "entry_cost_pct",
          "exit_cost_pct",
          "exit_cost_worst_pct",
          "fills",
          "book_age_seconds"
        ],
        "description": "Size in USD, of each leg. It adds entry_cost_pct, exit_cost_pct, exit_cost_worst_pct, fills and book_age_seconds, and cost_pct_round_trip counts these costs instead of the widths of the best prices; break_even_hours, net_apr_pct, expected_net_apr_pct, expected_low_net_apr_pct and probability_net_positive follow. All are null where the books do not fill it."
      },
      {
        "name": "coin",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "coin"
        ],
        "description": "Tickers to keep, in any case; at most 20, separated by commas"
      },
      {
        "name": "exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "long_exchange",
          "short_exchange"
        ],
        "description": "Pairs with these venues, as /exchanges spells them; at most 20"
      },
      {
        "name": "exchange_match",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "any",
          "all"
        ],
        "columns": [
          "long_exchange",
          "short_exchange"
        ],
        "description": "any: either leg is in the exchange list; all: both are; default any"
      },
      {
        "name": "exclude_exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "long_exchange",
          "short_exchange"
        ],
        "description": "Drop pairs with any of these on either leg; at most 20"
      },
      {
        "name": "leg_closed",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "boolean",
        "columns": [
          "leg_closed"
        ],
        "description": "false = no pairs with a closed market; true = only these"
      },
      {
        "name": "asset_class",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "crypto",
          "stock",
          "commodity",
          "index",
          "forex"
        ],
        "columns": [
          "asset_class"
        ],
        "description": "Kind of underlying"
      },
      {
        "name": "same_interval",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "boolean",
        "columns": [
          "long_interval_hours",
          "short_interval_hours"
        ],
        "description": "true: both legs settle at the same interval; false: they differ"
      },
      {
        "name": "min_net_apr_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "net_apr_pct"
        ],
        "description": "Lowest net_apr_pct, in percent a year"
      },
      {
        "name": "max_net_apr_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "net_apr_pct"
        ],
        "description": "Highest net_apr_pct, in percent a year"
      },
      {
        "name": "min_gross_apr_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "gross_apr_pct"
        ],
        "description": "Lowest gross_apr_pct, in percent a year"
      },
      {
        "name": "max_gross_apr_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "gross_apr_pct"
        ],
        "description": "Highest gross_apr_pct, in percent a year"
      },
      {
        "name": "min_carry_pct_day",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "carry_pct_day"
        ],
        "description": "Lowest carry_pct_day, in percent a day"
      },
      {
        "name": "max_carry_pct_day",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "carry_pct_day"
        ],
        "description": "Highest carry_pct_day, in percent a day"
      },
      {
        "name": "min_entry_spread_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "entry_spread_pct"
        ],
        "description": "Lowest entry_spread_pct, in percent"
      },
      {
        "name": "max_entry_spread_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "entry_spread_pct"
        ],
        "description": "Highest entry_spread_pct, in percent"
      },
      {
        "name": "min_exit_spread_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "exit_spread_pct"
        ],
        "description": "Lowest exit_spread_pct, in percent"
      },
      {
        "name": "max_exit_spread_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "exit_spread_pct"
        ],
        "description": "Highest exit_spread_pct, in percent"
      },
      {
        "name": "min_expected_carry_1d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "expected_carry_1d_pct"
        ],
        "description": "Lowest expected_carry_1d_pct, in percent"
      },
      {
        "name": "max_expected_carry_1d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "expected_carry_1d_pct"
        ],
        "description": "Highest expected_carry_1d_pct, in percent"
      },
      {
        "name": "min_expected_carry_7d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "expected_carry_7d_pct"
        ],
        "description": "Lowest expected_carry_7d_pct, in percent"
      },
      {
        "name": "max_expected_carry_7d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "expected_carry_7d_pct"
        ],
        "description": "Highest expected_carry_7d_pct, in percent"
      },
      {
        "name": "min_expected_carry_30d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "expected_carry_30d_pct"
        ],
        "description": "Lowest expected_carry_30d_pct, in percent"
      },
      {
        "name": "max_expected_carry_30d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "expected_carry_30d_pct"
        ],
        "description": "Highest expected_carry_30d_pct, in percent"
      },
      {
        "name": "min_expected_low_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "expected_low_pct"
        ],
        "description": "Lowest expected_low_pct, in percent"
      },
      {
        "name": "max_expected_low_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "expected_low_pct"
        ],
        "description": "Highest expected_low_pct, in percent"
      },
      {
        "name": "min_expected_high_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "expected_high_pct"
        ],
        "description": "Lowest expected_high_pct, in percent"
      },
      {
        "name": "max_expected_high_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "expected_high_pct"
        ],
        "description": "Highest expected_high_pct, in percent"
      },
      {
        "name": "min_expected_low_net_apr_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "expected_low_net_apr_pct"
        ],
        "description": "Lowest expected_low_net_apr_pct, in percent a year"
      },
      {
        "name": "max_expected_low_net_apr_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "expected_low_net_apr_pct"
        ],
        "description": "Highest expected_low_net_apr_pct, in percent a year"
      },
      {
        "name": "min_expected_net_apr_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "expected_net_apr_pct"
        ],
        "description": "Lowest expected_net_apr_pct, in percent a year"
      },
      {
        "name": "max_expected_net_apr_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "expected_net_apr_pct"
        ],
        "description": "Highest expected_net_apr_pct, in percent a year"
      },
      {
        "name": "min_probability_net_positive",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "probability_net_positive"
        ],
        "description": "Lowest probability_net_positive, from 0 to 1"
      },
      {
        "name": "max_probability_net_positive",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "probability_net_positive"
        ],
        "description": "Highest probability_net_positive, from 0 to 1"
      },
      {
        "name": "min_fee_pct_round_trip",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "fee_pct_round_trip"
        ],
        "description": "Lowest fee_pct_round_trip, in percent"
      },
      {
        "name": "max_fee_pct_round_trip",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "fee_pct_round_trip"
        ],
        "description": "Highest fee_pct_round_trip, in percent"
      },
      {
        "name": "min_cost_pct_round_trip",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "cost_pct_round_trip"
        ],
        "description": "Lowest cost_pct_round_trip, in percent"
      },
      {
        "name": "max_cost_pct_round_trip",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "cost_pct_round_trip"
        ],
        "description": "Highest cost_pct_round_trip, in percent"
      },
      {
        "name": "min_realised_1d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "realised_1d_pct"
        ],
        "description": "Lowest realised_1d_pct, in percent"
      },
      {
        "name": "max_realised_1d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "realised_1d_pct"
        ],
        "description": "Highest realised_1d_pct, in percent"
      },
      {
        "name": "min_realised_7d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "realised_7d_pct"
        ],
        "description": "Lowest realised_7d_pct, in percent"
      },
      {
        "name": "max_realised_7d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "realised_7d_pct"
        ],
        "description": "Highest realised_7d_pct, in percent"
      },
      {
        "name": "min_realised_30d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "realised_30d_pct"
        ],
        "description": "Lowest realised_30d_pct, in percent"
      },
      {
        "name": "max_realised_30d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "realised_30d_pct"
        ],
        "description": "Highest realised_30d_pct, in percent"
      },
      {
        "name": "min_realised_90d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "realised_90d_pct"
        ],
        "description": "Lowest realised_90d_pct, in percent"
      },
      {
        "name": "max_realised_90d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "realised_90d_pct"
        ],
        "description": "Highest realised_90d_pct, in percent"
      },
      {
        "name": "min_positive_hours_30d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "positive_hours_30d_pct"
        ],
        "description": "Lowest positive_hours_30d_pct, in percent"
      },
      {
        "name": "max_positive_hours_30d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "positive_hours_30d_pct"
        ],
        "description": "Highest positive_hours_30d_pct, in percent"
      },
      {
        "name": "min_worst_day_30d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "worst_day_30d_pct"
        ],
        "description": "Lowest worst_day_30d_pct, in percent"
      },
      {
        "name": "max_worst_day_30d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "worst_day_30d_pct"
        ],
        "description": "Highest worst_day_30d_pct, in percent"
      },
      {
        "name": "min_max_drawdown_30d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "max_drawdown_30d_pct"
        ],
        "description": "Lowest max_drawdown_30d_pct, in percent"
      },
      {
        "name": "max_max_drawdown_30d_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "max_drawdown_30d_pct"
        ],
        "description": "Highest max_drawdown_30d_pct, in percent"
      },
      {
        "name": "min_median_hours_above_fee",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "median_hours_above_fee"
        ],
        "description": "Lowest median_hours_above_fee"
      },
      {
        "name": "max_median_hours_above_fee",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "median_hours_above_fee"
        ],
        "description": "Highest median_hours_above_fee"
      },
      {
        "name": "min_break_even_hours",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "break_even_hours"
        ],
        "description": "Lowest break_even_hours"
      },
      {
        "name": "max_break_even_hours",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "break_even_hours"
        ],
        "description": "Highest break_even_hours"
      },
      {
        "name": "min_capacity_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "capacity_usd"
        ],
        "description": "Lowest capacity_usd, in USD"
      },
      {
        "name": "max_capacity_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "capacity_usd"
        ],
        "description": "Highest capacity_usd, in USD"
      },
      {
        "name": "min_volume_usdt",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "volume_usdt"
        ],
        "description": "Lowest the smaller leg's 24 h volume, in USDT"
      },
      {
        "name": "max_volume_usdt",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "volume_usdt"
        ],
        "description": "Highest the smaller leg's 24 h volume, in USDT"
      },
      {
        "name": "min_open_interest_usdt",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "open_interest_usdt"
        ],
        "description": "Lowest the smaller leg's open interest, in USDT"
      },
      {
        "name": "max_open_interest_usdt",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "open_interest_usdt"
        ],
        "description": "Highest the smaller leg's open interest, in USDT"
      },
      {
        "name": "min_entry_cost_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "entry_cost_pct"
        ],
        "description": "Lowest entry_cost_pct, in percent"
      },
      {
        "name": "max_entry_cost_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "entry_cost_pct"
        ],
        "description": "Highest entry_cost_pct, in percent"
      },
      {
        "name": "min_exit_cost_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "exit_cost_pct"
        ],
        "description": "Lowest exit_cost_pct, in percent"
      },
      {
        "name": "max_exit_cost_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "exit_cost_pct"
        ],
        "description": "Highest exit_cost_pct, in percent"
      },
      {
        "name": "min_exit_cost_worst_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "exit_cost_worst_pct"
        ],
        "description": "Lowest exit_cost_worst_pct, in percent"
      },
      {
        "name": "max_exit_cost_worst_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "exit_cost_worst_pct"
        ],
        "description": "Highest exit_cost_worst_pct, in percent"
      },
      {
        "name": "min_book_age_seconds",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "book_age_seconds"
        ],
        "description": "Lowest book_age_seconds"
      },
      {
        "name": "max_book_age_seconds",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "book_age_seconds"
        ],
        "description": "Highest book_age_seconds"
      },
      {
        "name": "fills",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "full",
          "partial",
          "unknown"
        ],
        "columns": [
          "fills"
        ],
        "description": "full: leaves out pairs whose books do not take size_usd"
      },
      {
        "name": "min_possible_capacity_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "capacity_usd",
          "capacity_is_lower_bound"
        ],
        "description": "Lowest capacity_usd, in USD, that also keeps pairs where it is a lower bound: drops what is known to take less. min_capacity_usd is a bound on the stated figure"
      },
      {
        "name": "sort",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "net_apr_desc",
          "net_apr_asc",
          "gross_apr_desc",
          "gross_apr_asc",
          "carry_day_desc",
          "carry_day_asc",
          "entry_spread_desc",
          "entry_spread_asc",
          "exit_spread_desc",
          "exit_spread_asc",
          "expected_1d_desc",
          "expected_1d_asc",
          "expected_7d_desc",
          "expected_7d_asc",
          "expected_30d_desc",
          "expected_30d_asc",
          "expected_low_desc",
          "expected_low_asc",
          "expected_high_desc",
          "expected_high_asc",
          "expected_low_net_desc",
          "expected_low_net_asc",
          "expected_net_desc",
          "expected_net_asc",
          "probability_desc",
          "probability_asc",
          "fee_desc",
          "fee_asc",
          "cost_desc",
          "cost_asc",
          "realised_1d_desc",
          "realised_1d_asc",
          "realised_7d_desc",
          "realised_7d_asc",
          "realised_30d_desc",
          "realised_30d_asc",
          "realised_90d_desc",
          "realised_90d_asc",
          "positive_hours_desc",
          "positive_hours_asc",
          "worst_day_desc",
          "worst_day_asc",
          "max_drawdown_desc",
          "max_drawdown_asc",
          "hours_above_fee_desc",
          "hours_above_fee_asc",
          "break_even_desc",
          "break_even_asc",
          "capacity_desc",
          "capacity_asc",
          "volume_desc",
          "volume_asc",
          "open_interest_desc",
          "open_interest_asc",
          "updated_desc",
          "coin_asc",
          "entry_cost_asc",
          "entry_cost_desc",
          "exit_cost_asc",
          "exit_cost_desc",
          "exit_cost_worst_asc",
          "exit_cost_worst_desc",
          "book_age_asc",
          "book_age_desc"
        ],
        "description": "Order of the rows; default net_apr_desc, the running rates: what pays most this hour; expected_low_net_desc is for choosing pairs to hold, by what is likely to be earned at least after costs; expected_net_desc is by the expectation"
      },
      {
        "name": "limit",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "description": "Rows on a page; default 100; on Demo 50, also the most"
      },
      {
        "name": "cursor",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "description": "meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes"
      },
      {
        "name": "fields",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "choices": [
          "coin",
          "asset_class",
          "long_exchange",
          "short_exchange",
          "long_symbol",
          "short_symbol",
          "long_rate_pct",
          "short_rate_pct",
          "long_interval_hours",
          "short_interval_hours",
          "long_next_funding_at",
          "short_next_funding_at",
          "carry_pct_day",
          "gross_apr_pct",
          "fee_pct_round_trip",
          "entry_spread_pct",
          "break_even_hours",
          "net_apr_pct",
          "realised_1d_pct",
          "realised_7d_pct",
          "realised_30d_pct",
          "realised_90d_pct",
          "positive_hours_30d_pct",
          "worst_day_30d_pct",
          "max_drawdown_30d_pct",
          "capacity_usd",
          "volume_usdt",
          "open_interest_usdt",
          "updated_at",
          "long_taker_fee_pct",
          "short_taker_fee_pct",
          "long_covered_until",
          "short_covered_until",
          "capacity_is_lower_bound",
          "exit_spread_pct",
          "cost_pct_round_trip",
          "price_gap_pct",
          "price_gap_30d_low_pct",
          "price_gap_30d_high_pct",
          "price_gap_from",
          "expected_carry_1d_pct",
          "expected_carry_7d_pct",
          "expected_carry_30d_pct",
          "expected_low_pct",
          "expected_high_pct",
          "expected_net_apr_pct",
          "probability_net_positive",
          "median_hours_above_fee",
          "times_above_fee",
          "hours_above_fee_now",
          "expected_scale_pct_day",
          "leg_closed",
          "expected_low_net_apr_pct",
          "entry_cost_pct",
          "exit_cost_pct",
          "exit_cost_worst_pct",
          "fills",
          "book_age_seconds"
        ],
        "description": "Keep only these fields on every row; meta is untouched"
      }
    ]
  },
  {
    "name": "arbitrage-history",
    "path": "/arbitrage/history",
    "summary": "What a long on one venue and a short on another earned, day by day",
    "description": "Settled funding of a pair by UTC day: the short leg receives a positive rate, the long leg pays it. Figures are percent of the size of one leg, before fees, and include the prints that had settled by the end of the window. Up to 180 days a call; each leg is the contract that /arbitrage pairs, or the venue’s largest linear one on the coin, unless a symbol names another. For what pairs earn now use /arbitrage.",
    "isList": false,
    "rowsField": null,
    "hasCsv": true,
    "shortRows": {
      "leading": [
        "day",
        "net_pct",
        "cumulative_pct",
        "long_pct",
        "short_pct",
        "is_complete"
      ],
      "names": []
    },
    "parameters": [
      {
        "name": "coin",
        "isPath": false,
        "isRequired": true,
        "isList": false,
        "kind": "string",
        "description": "Ticker without multiplier, in any case"
      },
      {
        "name": "long_exchange",
        "isPath": false,
        "isRequired": true,
        "isList": false,
        "kind": "string",
        "description": "Venue of the long leg, spelled as /exchanges returns it"
      },
      {
        "name": "short_exchange",
        "isPath": false,
        "isRequired": true,
        "isList": false,
        "kind": "string",
        "description": "Venue of the short leg, spelled as /exchanges returns it"
      },
      {
        "name": "long_symbol",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "description": "Another contract of the long leg than the one that /arbitrage pairs: its symbol or the venue's own spelling of it"
      },
      {
        "name": "short_symbol",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "description": "Another contract of the short leg than the one that /arbitrage pairs: its symbol or the venue's own spelling of it"
      },
      {
        "name": "from",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "time",
        "description": "Start of the window, included; default 30 days before to, narrowed to the depth of the plan"
      },
      {
        "name": "to",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "time",
        "description": "End of the window; default now, and never later. Days that start before it are there: at midnight the last one is the day that ends at it"
      },
      {
        "name": "days",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "description": "Days before to at which the window starts; ignored when from is given, whatever its value"
      }
    ]
  },
  {
    "name": "depth",
    "path": "/depth",
    "summary": "Order-book depth of every linear contract: USD that rests near the mid price",
    "description": "One row per linear contract, from its newest order book. bid_5bp_usd is what can be sold, and ask_5bp_usd what can be bought, at prices within 5 basis points of mid_price (0.05 %), in USD; likewise for 1, 2, 10, 25 and 50. Null means unknown: the levels that the venue sent end before, and nothing is extrapolated; at least bid_received_usd or ask_received_usd rests there. buy_cost_pct and sell_cost_pct are what an order of size_usd costs now against mid_price, by walking the book; the 24h figures say what it cost through the last day. Books are fetched every period_seconds and published once a minute; book_age_seconds says how old one is. Contracts without a book of the last hour have no row. Every rule is on the page /developers/depth.",
    "isList": true,
    "rowsField": null,
    "hasCsv": true,
    "shortRows": {
      "leading": [
        "coin",
        "exchange",
        "symbol",
        "mid_price",
        "bid_ask_spread_pct",
        "bid_10bp_usd",
        "ask_10bp_usd",
        "book_age_seconds"
      ],
      "names": [
        "coin",
        "exchange",
        "symbol"
      ]
    },
    "sortColumns": {
      "volume_desc": [
        "volume_24h_usdt"
      ],
      "volume_asc": [
        "volume_24h_usdt"
      ],
      "depth_1bp_desc": [
        "bid_1bp_usd",
        "ask_1bp_usd"
      ],
      "depth_2bp_desc": [
        "bid_2bp_usd",
        "ask_2bp_usd"
      ],
      "depth_5bp_desc": [
        "bid_5bp_usd",
        "ask_5bp_usd"
      ],
      "depth_10bp_desc": [
        "bid_10bp_usd",
        "ask_10bp_usd"
      ],
      "depth_25bp_desc": [
        "bid_25bp_usd",
        "ask_25bp_usd"
      ],
      "depth_50bp_desc": [
        "bid_50bp_usd",
        "ask_50bp_usd"
      ],
      "buy_cost_asc": [
        "buy_cost_pct"
      ],
      "sell_cost_asc": [
        "sell_cost_pct"
      ],
      "bid_ask_spread_asc": [
        "bid_ask_spread_pct"
      ],
      "bid_ask_spread_desc": [
        "bid_ask_spread_pct"
      ],
      "age_asc": [
        "book_age_seconds"
      ],
      "age_desc": [
        "book_age_seconds"
      ],
      "coin_asc": [
        "coin"
      ],
      "exchange_asc": [
        "exchange"
      ]
    },
    "parameters": [
      {
        "name": "size_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "adds": [
          "buy_cost_pct",
          "sell_cost_pct"
        ],
        "description": "Size of the order in USD of which buy_cost_pct, sell_cost_pct and their 24h figures are the costs; default 20000"
      },
      {
        "name": "coin",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "coin"
        ],
        "description": "Tickers to keep, in any case; at most 20, separated by commas"
      },
      {
        "name": "exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "exchange"
        ],
        "description": "Venues to keep, as /exchanges spells them; at most 20"
      },
      {
        "name": "exclude_exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "exchange"
        ],
        "description": "Venues to leave out; at most 20"
      },
      {
        "name": "asset_class",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "crypto",
          "stock",
          "commodity",
          "index",
          "forex"
        ],
        "columns": [
          "asset_class"
        ],
        "description": "Kind of underlying"
      },
      {
        "name": "min_bid_1bp_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "bid_1bp_usd"
        ],
        "description": "Lowest bid_1bp_usd, in USD; drops rows where it is unknown"
      },
      {
        "name": "min_bid_2bp_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "bid_2bp_usd"
        ],
        "description": "Lowest bid_2bp_usd, in USD; drops rows where it is unknown"
      },
      {
        "name": "min_bid_5bp_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "bid_5bp_usd"
        ],
        "description": "Lowest bid_5bp_usd, in USD; drops rows where it is unknown"
      },
      {
        "name": "min_bid_10bp_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "bid_10bp_usd"
        ],
        "description": "Lowest bid_10bp_usd, in USD; drops rows where it is unknown"
      },
      {
        "name": "min_bid_25bp_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "bid_25bp_usd"
        ],
        "description": "Lowest bid_25bp_usd, in USD; drops rows where it is unknown"
      },
      {
        "name": "min_bid_50bp_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "bid_50bp_usd"
        ],
        "description": "Lowest bid_50bp_usd, in USD; drops rows where it is unknown"
      },
      {
        "name": "min_ask_1bp_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "ask_1bp_usd"
        ],
        "description": "Lowest ask_1bp_usd, in USD; drops rows where it is unknown"
      },
      {
        "name": "min_ask_2bp_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "ask_2bp_usd"
        ],
        "description": "Lowest ask_2bp_usd, in USD; drops rows where it is unknown"
      },
      {
        "name": "min_ask_5bp_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "ask_5bp_usd"
        ],
        "description": "Lowest ask_5bp_usd, in USD; drops rows where it is unknown"
      },
      {
        "name": "min_ask_10bp_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "ask_10bp_usd"
        ],
        "description": "Lowest ask_10bp_usd, in USD; drops rows where it is unknown"
      },
      {
        "name": "min_ask_25bp_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "ask_25bp_usd"
        ],
        "description": "Lowest ask_25bp_usd, in USD; drops rows where it is unknown"
      },
      {
        "name": "min_ask_50bp_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "ask_50bp_usd"
        ],
        "description": "Lowest ask_50bp_usd, in USD; drops rows where it is unknown"
      },
      {
        "name": "max_buy_cost_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "buy_cost_pct"
        ],
        "description": "Highest buy_cost_pct, in percent; drops rows where the levels do not fill size_usd"
      },
      {
        "name": "max_sell_cost_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "sell_cost_pct"
        ],
        "description": "Highest sell_cost_pct, in percent; drops rows where the levels do not fill size_usd"
      },
      {
        "name": "max_buy_cost_24h_worst_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "buy_cost_24h_worst_pct"
        ],
        "description": "Highest buy_cost_24h_worst_pct, in percent; drops rows where it is unknown"
      },
      {
        "name": "max_sell_cost_24h_worst_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "sell_cost_24h_worst_pct"
        ],
        "description": "Highest sell_cost_24h_worst_pct, in percent; drops rows where it is unknown"
      },
      {
        "name": "max_bid_ask_spread_pct",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "bid_ask_spread_pct"
        ],
        "description": "Highest bid_ask_spread_pct, in percent"
      },
      {
        "name": "min_volume_usdt",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "volume_24h_usdt"
        ],
        "description": "Lowest 24 h volume in USDT"
      },
      {
        "name": "max_volume_usdt",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "volume_24h_usdt"
        ],
        "description": "Highest 24 h volume in USDT"
      },
      {
        "name": "max_age_seconds",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "columns": [
          "book_at"
        ],
        "description": "The book was received within this many seconds before meta.as_of"
      },
      {
        "name": "sort",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "volume_desc",
          "volume_asc",
          "depth_1bp_desc",
          "depth_2bp_desc",
          "depth_5bp_desc",
          "depth_10bp_desc",
          "depth_25bp_desc",
          "depth_50bp_desc",
          "buy_cost_asc",
          "sell_cost_asc",
          "bid_ask_spread_asc",
          "bid_ask_spread_desc",
          "age_asc",
          "age_desc",
          "coin_asc",
          "exchange_asc"
        ],
        "description": "Order of the rows; default volume_desc; depth_5bp and the like are of the smaller side"
      },
      {
        "name": "limit",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "description": "Rows on a page; default 100; on Demo 50, also the most"
      },
      {
        "name": "cursor",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "description": "meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes"
      },
      {
        "name": "fields",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "choices": [
          "exchange",
          "symbol",
          "venue_symbol",
          "coin",
          "asset_class",
          "mid_price",
          "bid_ask_spread_pct",
          "bid_1bp_usd",
          "bid_2bp_usd",
          "bid_5bp_usd",
          "bid_10bp_usd",
          "bid_25bp_usd",
          "bid_50bp_usd",
          "bid_received_usd",
          "bid_reach_bp",
          "ask_1bp_usd",
          "ask_2bp_usd",
          "ask_5bp_usd",
          "ask_10bp_usd",
          "ask_25bp_usd",
          "ask_50bp_usd",
          "ask_received_usd",
          "ask_reach_bp",
          "buy_cost_pct",
          "sell_cost_pct",
          "buy_cost_24h_median_pct",
          "buy_cost_24h_worst_pct",
          "sell_cost_24h_median_pct",
          "sell_cost_24h_worst_pct",
          "volume_24h_usdt",
          "book_at",
          "book_age_seconds",
          "period_seconds"
        ],
        "description": "Keep only these fields on every row; meta is untouched"
      }
    ]
  },
  {
    "name": "depth-history",
    "path": "/depth/history",
    "summary": "What an order of your size cost against the book of a contract, every five minutes",
    "description": "For one contract: by how much the average price of an order of size_usd was worse than the mid price, to buy and to sell, every five minutes. Before fees. Costs are stored for six sizes from 100 to 250,000 USD in steps of 2 % and interpolated between them. A time without a new book has no entry; null means that the book was known and its levels did not fill the size, or did not reach the next larger stored size. For the depth now use /depth.",
    "isList": false,
    "rowsField": null,
    "hasCsv": true,
    "shortRows": {
      "leading": [
        "at",
        "buy_cost_pct",
        "sell_cost_pct"
      ],
      "names": []
    },
    "parameters": [
      {
        "name": "coin",
        "isPath": false,
        "isRequired": true,
        "isList": false,
        "kind": "string",
        "description": "Ticker without multiplier, in any case"
      },
      {
        "name": "exchange",
        "isPath": false,
        "isRequired": true,
        "isList": false,
        "kind": "string",
        "description": "Venue, spelled as /exchanges returns it"
      },
      {
        "name": "symbol",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "description": "Another contract than the venue's most traded linear one on the coin: its symbol or the venue's own spelling of it"
      },
      {
        "name": "from",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "time",
        "description": "Start of the window, included; default 7 days before to, narrowed to the depth of the plan"
      },
      {
        "name": "to",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "time",
        "description": "End of the window, included; default the newest sample, and never later"
      },
      {
        "name": "days",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "description": "Days before to at which the window starts; ignored when from is given, whatever its value"
      },
      {
        "name": "size_usd",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "description": "Size of the order in USD; default 20000"
      }
    ]
  },
  {
    "name": "forecast-accuracy",
    "path": "/forecasts/accuracy",
    "summary": "How right the forecasts of /arbitrage were",
    "description": "Every day the forecasts of all pairs are stored as they were published. Half a day after a horizon has ended they are compared with what settled, once, beside four simple guesses on the same pairs: the running rates, the means of the last 7 and 30 days, and nothing. Figures are of funding, before costs, in the direction of the row. Null where nothing is scored yet: the first scores of a new service are a day and a half old, those of 30 days a month. meta.as_of is when the last score was made; before the first one, the day of the weights. The weights are the present ones; the page /developers/forecast says how they are fitted and how to check them on prints of your own.",
    "isList": false,
    "rowsField": null,
    "hasCsv": false,
    "shortRows": {
      "leading": [
        "days",
        "observations",
        "mean_error_bp.expected",
        "mean_error_bp.now",
        "coverage_pct",
        "bias_bp",
        "mean_error_bp.mean_7d",
        "mean_error_bp.mean_30d",
        "mean_error_bp.zero"
      ],
      "names": []
    },
    "tableRows": [
      "horizons"
    ],
    "parameters": [
      {
        "name": "days",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "description": "Forecasts that were published in the last so many days count; default 90"
      }
    ]
  },
  {
    "name": "listings",
    "path": "/listings",
    "summary": "Calendar of announced and detected listings and delistings",
    "description": "One row per listing or delisting of a perpetual contract, from the notices of the venues (announcement), the status and time fields of their instrument lists (instruments) and the differences between successive lists (diff). effective_at is when trading starts or ends and may move; detected_at is when we first saw it and never does. To poll: sort=detected_asc with detected_after set to the previous meta.as_of gives every new row exactly once, and empty data means that nothing is new; follow next_cursor through all pages before polling on. Changes of status or date of known rows do not come again that way: read them with from, to or days_ahead.",
    "isList": true,
    "rowsField": null,
    "hasCsv": true,
    "shortRows": {
      "leading": [
        "exchange",
        "symbol",
        "kind",
        "status",
        "effective_at",
        "source"
      ],
      "names": [
        "exchange",
        "symbol",
        "kind",
        "status"
      ]
    },
    "sortColumns": {
      "nearest": [
        "effective_at"
      ],
      "effective_asc": [
        "effective_at"
      ],
      "effective_desc": [
        "effective_at"
      ],
      "detected_desc": [
        "detected_at"
      ],
      "detected_asc": [
        "detected_at"
      ],
      "coin_asc": [
        "coin"
      ]
    },
    "parameters": [
      {
        "name": "coin",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "coin"
        ],
        "description": "Tickers to keep, in any case; at most 20, separated by commas"
      },
      {
        "name": "exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "exchange"
        ],
        "description": "Venues to keep, as /exchanges spells them; at most 20"
      },
      {
        "name": "exclude_exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "exchange"
        ],
        "description": "Venues to leave out; at most 20"
      },
      {
        "name": "type",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "listing",
          "delisting"
        ],
        "columns": [
          "kind"
        ],
        "description": "Only this kind of row; both by default"
      },
      {
        "name": "status",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "columns": [
          "status"
        ],
        "description": "Only rows with exactly this status: preopen, newly listed, delisting, delisted, cancelled; another one gives an empty list"
      },
      {
        "name": "source",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "announcement",
          "instruments",
          "diff"
        ],
        "columns": [
          "source"
        ],
        "description": "Only rows that were first detected this way"
      },
      {
        "name": "from",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "time",
        "columns": [
          "effective_at"
        ],
        "description": "Rows effective at this time or later; drops rows without effective_at"
      },
      {
        "name": "to",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "time",
        "columns": [
          "effective_at"
        ],
        "description": "Rows effective before this time; drops rows without effective_at"
      },
      {
        "name": "days_ahead",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "columns": [
          "effective_at"
        ],
        "description": "Rows effective from meta.as_of on, up to this many days ahead; ignored when from or to is given, whatever its value"
      },
      {
        "name": "detected_after",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "time",
        "columns": [
          "detected_at"
        ],
        "description": "Rows first seen after this time. To poll, send the meta.as_of of the answer before, with sort=detected_asc"
      },
      {
        "name": "sort",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "nearest",
          "effective_asc",
          "effective_desc",
          "detected_desc",
          "detected_asc",
          "coin_asc"
        ],
        "description": "Order of the rows; default nearest: upcoming soonest first, then past most recent first, undated last"
      },
      {
        "name": "limit",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "description": "Rows on a page; default 100; on Demo 50, also the most"
      },
      {
        "name": "cursor",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "description": "meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes"
      },
      {
        "name": "fields",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "choices": [
          "exchange",
          "symbol",
          "coin",
          "kind",
          "status",
          "effective_at",
          "source",
          "announcement_url",
          "detected_at"
        ],
        "description": "Keep only these fields on every row; meta is untouched"
      }
    ]
  },
  {
    "name": "exchanges",
    "path": "/exchanges",
    "summary": "The trading venues that the service watches",
    "description": "One row per venue: default taker fee in percent, highest leverage, links. `exchange` is the exact spelling that exchange filters take.",
    "isList": true,
    "rowsField": null,
    "hasCsv": true,
    "shortRows": {
      "leading": [
        "exchange",
        "tracked_instruments",
        "taker_fee_pct",
        "max_leverage",
        "trading_enabled",
        "has_spot",
        "mirrors"
      ],
      "names": [
        "exchange"
      ]
    },
    "sortColumns": {
      "name_asc": [
        "exchange"
      ],
      "instruments_desc": [
        "tracked_instruments"
      ],
      "fee_asc": [
        "taker_fee_pct"
      ],
      "leverage_desc": [
        "max_leverage"
      ]
    },
    "parameters": [
      {
        "name": "q",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "columns": [
          "exchange",
          "name"
        ],
        "description": "Start of exchange or of name, in any case"
      },
      {
        "name": "trading_enabled",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "boolean",
        "columns": [
          "trading_enabled"
        ],
        "description": "true keeps venues open for trading"
      },
      {
        "name": "has_spot",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "boolean",
        "columns": [
          "has_spot"
        ],
        "description": "true keeps venues with a spot market"
      },
      {
        "name": "sort",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "name_asc",
          "instruments_desc",
          "fee_asc",
          "leverage_desc"
        ],
        "description": "Order of the rows; default name_asc"
      },
      {
        "name": "fields",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "choices": [
          "exchange",
          "name",
          "icon_url",
          "tracked_instruments",
          "max_leverage",
          "taker_fee_pct",
          "trading_enabled",
          "has_spot",
          "fee_url",
          "specs_url",
          "funding_url",
          "page_url",
          "depth_period_seconds",
          "no_history_reason",
          "no_book_reason",
          "quote_age_seconds",
          "mirrors"
        ],
        "description": "Keep only these fields on every row; meta is untouched"
      }
    ]
  },
  {
    "name": "coins",
    "path": "/coins",
    "summary": "Coins with a perpetual on any venue",
    "description": "Looks up tickers: which coins exist, on which venues a linear perpetual on them is quoted, their 24 h volume on all venues (USDT) and change of price. Tickers are free of contract multipliers: 1000PEPE and kPEPE are both PEPE. Use it first when a ticker is uncertain.",
    "isList": true,
    "rowsField": null,
    "hasCsv": true,
    "shortRows": {
      "leading": [
        "coin",
        "venue_count",
        "volume_24h_usdt",
        "change_24h_pct",
        "exchanges"
      ],
      "names": [
        "coin"
      ]
    },
    "sortColumns": {
      "volume_desc": [
        "volume_24h_usdt"
      ],
      "volume_asc": [
        "volume_24h_usdt"
      ],
      "change_desc": [
        "change_24h_pct"
      ],
      "change_asc": [
        "change_24h_pct"
      ],
      "venues_desc": [
        "venue_count"
      ],
      "venues_asc": [
        "venue_count"
      ],
      "coin_asc": [
        "coin"
      ]
    },
    "parameters": [
      {
        "name": "q",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "columns": [
          "coin"
        ],
        "description": "Text matched against the ticker, in any case; at most 24 characters"
      },
      {
        "name": "match",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "prefix",
          "contains"
        ],
        "columns": [
          "coin"
        ],
        "description": "How q is matched; default prefix"
      },
      {
        "name": "exchange",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "columns": [
          "exchanges"
        ],
        "description": "Coins quoted on any of these venues; at most 20"
      },
      {
        "name": "exchange_match",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "any",
          "all"
        ],
        "columns": [
          "exchanges"
        ],
        "description": "all requires every one of the venues; default any"
      },
      {
        "name": "min_venues",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "columns": [
          "venue_count"
        ],
        "description": "Quoted on at least this many venues"
      },
      {
        "name": "min_volume_usdt",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "number",
        "columns": [
          "volume_24h_usdt"
        ],
        "description": "Lowest 24 h perpetual volume over all venues in USDT"
      },
      {
        "name": "sort",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "choices": [
          "volume_desc",
          "volume_asc",
          "change_desc",
          "change_asc",
          "venues_desc",
          "venues_asc",
          "coin_asc"
        ],
        "description": "Order of the rows; default volume_desc"
      },
      {
        "name": "limit",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "integer",
        "description": "Rows on a page; default 100; on Demo 50, also the most"
      },
      {
        "name": "cursor",
        "isPath": false,
        "isRequired": false,
        "isList": false,
        "kind": "string",
        "description": "meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes"
      },
      {
        "name": "fields",
        "isPath": false,
        "isRequired": false,
        "isList": true,
        "kind": "string",
        "choices": [
          "coin",
          "venue_count",
          "exchanges",
          "volume_24h_usdt",
          "change_24h_pct",
          "funding_url"
        ],
        "description": "Keep only these fields on every row; meta is untouched"
      }
    ]
  },
  {
    "name": "usage",
    "path": "/usage",
    "summary": "Plan, windows and limits of the key that asks",
    "description": "How much of the minute and month windows this key has used, and what its plan includes. The request itself is counted. Never cached.",
    "isList": false,
    "rowsField": null,
    "hasCsv": false,
    "parameters": []
  }
];
