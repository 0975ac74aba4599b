import type { SimVenue } from '../venue.ts';
import { binance } from './binance.ts';

/** Every simulated venue, one line each; a test holds this list to the service's own registry. */
export const SIM_VENUES: readonly SimVenue[] = [binance];
