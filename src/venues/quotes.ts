import type { Batch, Contract } from './observations.ts';

/** Close enough to a dollar to count as one: USDT, USDC, USD, USDE, USD1, FDUSD and the like. */
export function isDollarQuote(quote: string): boolean {
  return quote.includes('USD');
}

/**
 * Parsers read the turnover and open interest of linear contracts in quote units. Where the quote is no dollar (ETHBTC),
 * this makes them USDT with the price of the quote in the same reply: that of the venue's own contract on it, BTC-USDT.
 * Without one the volume is left out, and the open interest is unknown.
 */
export function convertVolumes(batch: Batch, contracts: ReadonlyMap<string, Contract>): void {
  const isForeign = (contract: Contract | undefined): contract is Contract =>
    contract !== undefined && !contract.isInverse && !isDollarQuote(contract.quote);
  const isAnyForeign = (rows: readonly { venueSymbol: string }[]) =>
    rows.some(({ venueSymbol }) => isForeign(contracts.get(venueSymbol)));
  if (!isAnyForeign(batch.dayVolumes) && !isAnyForeign(batch.marketFigures)) return;
  const prices = dollarPrices(batch, contracts);
  batch.marketFigures = batch.marketFigures.map((figures) => {
    const contract = contracts.get(figures.venueSymbol);
    const { openInterestUsdt } = figures;
    if (openInterestUsdt === null || !isForeign(contract)) return figures;
    const price = prices.get(contract.quote);
    return { ...figures, openInterestUsdt: price === undefined ? null : openInterestUsdt * price };
  });
  batch.dayVolumes = batch.dayVolumes.flatMap((volume) => {
    const contract = contracts.get(volume.venueSymbol);
    if (!isForeign(contract)) return [volume];
    const price = prices.get(contract.quote);
    const { volume24hUsdt, volumeCount = volume24hUsdt } = volume;
    if (price !== undefined) return [{ ...volume, volume24hUsdt: volume24hUsdt * price, volumeCount }];
    const reason = `no price of the quote ${contract.quote}`;
    batch.rejected.push({ venueSymbol: volume.venueSymbol, reason });
    return [];
  });
}

/** The last price in dollars by base, from the most traded dollar contract on it; a mark price where no volume is given. */
function dollarPrices(batch: Batch, contracts: ReadonlyMap<string, Contract>): Map<string, number> {
  const prices = new Map<string, number>();
  for (const { venueSymbol, markPrice } of batch.marketFigures) {
    const contract = contracts.get(venueSymbol);
    if (contract && markPrice !== null && isDollarQuote(contract.quote)) prices.set(contract.base, markPrice);
  }
  for (const { venueSymbol, referencePrice } of batch.dayVolumes.toSorted(
    (a, b) => a.volume24hUsdt - b.volume24hUsdt,
  )) {
    const contract = contracts.get(venueSymbol);
    if (contract && referencePrice !== null && isDollarQuote(contract.quote))
      prices.set(contract.base, referencePrice);
  }
  return prices;
}
