export type PlanName = 'demo' | 'developer' | 'pro' | 'business';

export interface Plan {
  name: PlanName;
  title: string;
  requestsPerMonth: number;
  requestsPerMinute: number;
  keyCount: number;
  /** Null: all stored history. */
  historyDays: number | null;
  delaySeconds: number;
  commercialUse: boolean;
  maxPageRows: number;
  /** Open streams of each key at the same time. */
  streamCount: number;
  /** Alert rules of an account. */
  alertCount: number;
}

export const PLANS: Readonly<Record<PlanName, Plan>> = {
  demo: {
    name: 'demo',
    title: 'Demo',
    requestsPerMonth: 3_000,
    requestsPerMinute: 20,
    keyCount: 1,
    historyDays: 7,
    delaySeconds: 900,
    commercialUse: false,
    maxPageRows: 50,
    streamCount: 1,
    alertCount: 1,
  },
  developer: {
    name: 'developer',
    title: 'Developer',
    requestsPerMonth: 100_000,
    requestsPerMinute: 120,
    keyCount: 3,
    historyDays: 90,
    delaySeconds: 0,
    commercialUse: false,
    maxPageRows: 500,
    streamCount: 3,
    alertCount: 10,
  },
  pro: {
    name: 'pro',
    title: 'Pro',
    requestsPerMonth: 500_000,
    requestsPerMinute: 300,
    keyCount: 10,
    historyDays: 730,
    delaySeconds: 0,
    commercialUse: true,
    maxPageRows: 500,
    streamCount: 10,
    alertCount: 50,
  },
  business: {
    name: 'business',
    title: 'Business',
    requestsPerMonth: 2_000_000,
    requestsPerMinute: 600,
    keyCount: 25,
    historyDays: null,
    delaySeconds: 0,
    commercialUse: true,
    maxPageRows: 500,
    streamCount: 50,
    alertCount: 500,
  },
};

/** From the lowest to the highest. */
export const PLAN_NAMES: readonly PlanName[] = ['demo', 'developer', 'pro', 'business'];

/** The plan that each tier of the host product includes. */
export type TierGrants = ReadonlyMap<string, PlanName>;

export function isPlanName(text: string): text is PlanName {
  return (PLAN_NAMES as readonly string[]).includes(text);
}

/** A plan unknown to this version, such as one of a newer version, counts as the lowest. */
export function storedPlan(text: string): PlanName {
  return isPlanName(text) ? text : 'demo';
}

/** The higher of the account's plan and the plan that its host tier includes. */
export function effectivePlan(accountPlan: PlanName, hostTier: string | null, grants: TierGrants): Plan {
  const granted = hostTier === null ? undefined : grants.get(hostTier);
  const higher =
    granted !== undefined && PLAN_NAMES.indexOf(granted) > PLAN_NAMES.indexOf(accountPlan)
      ? granted
      : accountPlan;
  return PLANS[higher];
}
