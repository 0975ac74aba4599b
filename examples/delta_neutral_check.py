"""Checks that a portfolio of perpetuals is delta-neutral, and what its funding earns.

    python delta_neutral_check.py positions.csv --tolerance-pct 2

positions.csv has the columns exchange, venue_symbol and size. The venue's own symbol names one contract; symbol does not, because
Kraken and OKX have a linear and an inverse BTC-USD. The size is in units of the contract's own base, negative for a short
position. The exit code is 1 if the net position of a coin is larger than the tolerance, in percent of its larger side, and 2 if
a position has no contract or no price.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import pandas

from perpwire import Perpwire


def valued_positions(perpwire: Perpwire, positions: Any) -> Any:
    """The positions with their value in USDT and the funding of a day; positive is received."""
    contracts = perpwire.funding.all(
        exchange=sorted(set(positions["exchange"])),
        fields=["exchange", "venue_symbol", "coin", "rate_pct", "interval_hours", "mark_price", "index_price"],
    ).to_pandas()
    valued = positions.merge(contracts, on=["exchange", "venue_symbol"], how="left", validate="many_to_one")
    price = valued["mark_price"].fillna(valued["index_price"])
    valued["value_usdt"] = valued["size"] * price
    settlements_a_day = 24 / valued["interval_hours"].astype("float64")
    # Longs pay shorts when the rate is positive.
    valued["funding_usdt_day"] = -valued["value_usdt"] * valued["rate_pct"] / 100 * settlements_a_day
    return valued


def by_coin(valued: Any) -> Any:
    table = valued.assign(
        long_usdt=valued["value_usdt"].clip(lower=0), short_usdt=-valued["value_usdt"].clip(upper=0)
    )
    coins = table.groupby("coin")[["long_usdt", "short_usdt", "value_usdt", "funding_usdt_day"]].sum()
    coins = coins.rename(columns={"value_usdt": "net_usdt"})
    coins["net_pct"] = 100 * coins["net_usdt"] / coins[["long_usdt", "short_usdt"]].max(axis=1)
    return coins.sort_values("net_pct", key=abs, ascending=False)


def main() -> int:
    arguments = argparse.ArgumentParser(description="Checks that a portfolio of perpetuals is delta-neutral.")
    arguments.add_argument("positions", help="CSV file with exchange, venue_symbol and size")
    arguments.add_argument("--tolerance-pct", type=float, default=2.0)
    options = arguments.parse_args()

    positions = pandas.read_csv(options.positions)
    missing = [name for name in ("exchange", "venue_symbol", "size") if name not in positions.columns]
    if missing:
        print(f"{options.positions} has no column {', '.join(missing)}; it needs exchange, venue_symbol and size")
        return 2
    with Perpwire() as perpwire:
        valued = valued_positions(perpwire, positions)
    unknown = valued[valued["value_usdt"].isna()]
    if len(unknown) > 0:
        print("no contract or no price:", unknown[["exchange", "venue_symbol"]].to_string(index=False, header=False))
        return 2

    coins = by_coin(valued)
    print(coins.round(2).to_string())
    print(f"funding of a day at the current rates: {coins['funding_usdt_day'].sum():.2f} USDT")
    off = coins[coins["net_pct"].abs() > options.tolerance_pct]
    for coin, row in off.iterrows():
        side = "sell" if row["net_usdt"] > 0 else "buy"
        print(f"{coin} is {row['net_pct']:+.1f} % off: {side} {abs(row['net_usdt']):.0f} USDT")
    return 1 if len(off) > 0 else 0


if __name__ == "__main__":
    sys.exit(main())
