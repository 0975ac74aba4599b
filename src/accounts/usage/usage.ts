import { isoTime } from '../../base/times.ts';
import type { Caller } from '../keys/directory.ts';
import type { WindowState, WindowStates } from '../windows/windows.ts';

interface UsageWindow {
  used: number;
  limit: number;
  remaining: number;
  resets_at: string;
}

/** The Usage object of the contract. */
export interface Usage {
  plan: string;
  key_prefix: string;
  scopes: readonly string[];
  month: UsageWindow;
  minute: UsageWindow;
  history_days: number | null;
  delay_seconds: number;
  commercial_use: boolean;
  upgrade_url: string;
}

export function usageOf(caller: Caller, states: WindowStates, baseUrl: string): Usage {
  const { plan } = caller;
  return {
    plan: plan.name,
    key_prefix: caller.keyPrefix,
    scopes: caller.scopes,
    month: usageWindow(states.month),
    minute: usageWindow(states.minute),
    history_days: plan.historyDays,
    delay_seconds: plan.delaySeconds,
    commercial_use: plan.commercialUse,
    upgrade_url: `${baseUrl.replace(/\/+$/, '')}/plans`,
  };
}

function usageWindow(state: WindowState): UsageWindow {
  return {
    used: state.used,
    limit: state.limit,
    remaining: state.remaining,
    resets_at: isoTime(state.resetsAtMs),
  };
}
