/** Systematic faults of the published rate, found by comparing it with settled prints. */
export const RATE_FAULTS = [
  'hundredfold',
  'hundredth',
  'eightfold',
  'eighth',
  'sign',
  'last_settled',
  'next_settled',
  'interval',
] as const;
/** Faults found by comparing venues, and a venue with its own past, on every snapshot. */
export const CHECK_FAULTS = ['frozen_row', 'price', 'volume'] as const;

export const AUDIT_FAULTS = [...RATE_FAULTS, ...CHECK_FAULTS] as const;

export type RateFault = (typeof RATE_FAULTS)[number];
export type CheckFault = (typeof CHECK_FAULTS)[number];
export type AuditFault = (typeof AUDIT_FAULTS)[number];

export function isRateFault(fault: AuditFault): fault is RateFault {
  return (RATE_FAULTS as readonly string[]).includes(fault);
}

interface FaultWords {
  /** What is wrong, after the venue's name. */
  finding: string;
  /** What an operator does about it. */
  advice: string;
}

const UNIT_ADVICE =
  'The unit of the rate is wrong. Compare the field that the adapter reads (docs/venues.md) with the venue’s page, record a reply (npm run venues:record), and fix the parser.';
const SHIFT_ADVICE =
  'The adapter reads the wrong field, or prints carry the time of another settlement. Compare both with the venue’s page just before and after a settlement.';

export const FAULT_WORDS: Readonly<Record<AuditFault, FaultWords>> = {
  hundredfold: {
    finding: 'published rates are 100 times the settled ones: a percent was taken for a fraction',
    advice: UNIT_ADVICE,
  },
  hundredth: {
    finding: 'published rates are a hundredth of the settled ones: a fraction was taken for a percent',
    advice: UNIT_ADVICE,
  },
  eightfold: {
    finding: 'published rates are 8 times the settled ones: a rate for 8 hours was taken for one hour’s',
    advice: UNIT_ADVICE,
  },
  eighth: {
    finding: 'published rates are an eighth of the settled ones: one hour’s rate was taken for 8 hours’',
    advice: UNIT_ADVICE,
  },
  sign: {
    finding: 'published rates have the opposite sign of the settled ones',
    advice:
      'The venue says who pays in another way than the adapter assumes. Check a contract with a large rate on the venue’s page, and turn the sign in the parser of the rate or of the history.',
  },
  last_settled: {
    finding: 'published rates are the settled ones of the settlement before',
    advice: SHIFT_ADVICE,
  },
  next_settled: {
    finding: 'published rates are the settled ones of the settlement after',
    advice: SHIFT_ADVICE,
  },
  interval: {
    finding: 'contracts settle at another interval than the published one',
    advice:
      'APR and all rates per hour are wrong. Compare interval_hours with the times of the last prints (/funding/history?resolution=settlement), and fix where the adapter takes the interval from.',
  },
  frozen_row: {
    finding:
      'rows stand still: their next settlement has passed, or nothing in them has changed for six hours',
    advice:
      'Look at the contract on the venue’s page. If it no longer trades, the adapter must read that from the list; if it trades, the venue repeats an old row and there is nothing to do here.',
  },
  price: {
    finding: 'prices differ from the other venues’ on the same coins',
    advice:
      'A price unit, a multiplier or the identity of coins is wrong. Compare one contract with the venue’s page; see price_outlier in /funding for those that count as other coins already.',
  },
  volume: {
    finding: 'the 24 h volume has jumped against the venue’s own last days',
    advice:
      'Compare the venue’s total with its own page or with another aggregator. Twice as much: the venue now counts both sides of a trade. A hundredth: contracts were taken for coins. If it is real, the alarm ends within days.',
  },
};
