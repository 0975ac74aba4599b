import { minuteOf } from '../../src/history/samples/model.ts';
import { storeMarket } from '../backtest/stored-market.ts';
import { collectOnce, type Running } from '../support/service.ts';

const SAMPLED_MINUTES = 900;

/** Data for every operation: a snapshot, a print, the calendar, and a backtest over some hours. */
export async function collectEverything(running: Running): Promise<void> {
  const { service, clock } = running;
  await collectOnce(running);
  await service.listings.publish(clock.nowMs());
  const minute = minuteOf(clock.nowMs());
  await storeMarket(service.samples.store, ['Binance', 'Bybit'], minute - SAMPLED_MINUTES, minute);
  await service.backtest.catchUp();
}
