import type { PlanName } from './plans.ts';

/** How people get a plan on this installation, as its operator has set it. */
export interface PlanOffers {
  /** A price in the operator's words, such as "$29 a month". */
  prices: ReadonlyMap<PlanName, string>;
  /** Where people ask for a plan: an address of a page or of mail; null if the operator has set none. */
  contact: string | null;
  isSignUpOpen: boolean;
}

export const NO_OFFERS: PlanOffers = { prices: new Map(), contact: null, isSignUpOpen: true };
