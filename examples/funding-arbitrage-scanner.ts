/**
 * Ranks the pairs of venues that earn most from funding, and checks each against what was really paid.
 *
 *   node funding-arbitrage-scanner.ts [position in USD, default 10000] [net percent a year, default 10]
 */
import { Perpwire } from 'perpwire';

const perpwire = new Perpwire({
  apiKey: process.env.PERPWIRE_API_KEY ?? '',
  baseUrl: process.env.PERPWIRE_BASE_URL ?? '',
});
const positionUsd = Number(process.argv[2] ?? 10_000);
const minNetAprPct = Number(process.argv[3] ?? 10);
const MOST_SHOWN = 20;

/** A pair is worth a look if the position fits into both books and the pair has not lost money in the last week. */
const found: {
  pair: string;
  netAprPct: number;
  usdPerDay: number;
  breakEvenHours: number;
  paid7dPct: string;
}[] = [];
for await (const row of perpwire.arbitrage.all({
  min_net_apr_pct: minNetAprPct,
  min_capacity_usd: positionUsd,
  asset_class: 'crypto',
  fields: [
    'coin',
    'long_exchange',
    'short_exchange',
    'net_apr_pct',
    'carry_pct_day',
    'break_even_hours',
    'realised_7d_pct',
  ],
})) {
  if (row.realised_7d_pct !== null && row.realised_7d_pct <= 0) continue;
  found.push({
    pair: `${row.coin}: long ${row.long_exchange}, short ${row.short_exchange}`,
    netAprPct: Number((row.net_apr_pct ?? 0).toFixed(1)),
    usdPerDay: Number(((positionUsd * row.carry_pct_day) / 100).toFixed(2)),
    breakEvenHours: Math.ceil(row.break_even_hours ?? Number.POSITIVE_INFINITY),
    paid7dPct: row.realised_7d_pct === null ? 'unknown' : row.realised_7d_pct.toFixed(3),
  });
  if (found.length === MOST_SHOWN) break;
}

if (found.length === 0)
  console.log(`No pair earns ${minNetAprPct} % a year with ${positionUsd} USD on each leg.`);
else console.table(found);
