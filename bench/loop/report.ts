import type { LongTurn, Share } from './turn-profile.ts';

const SHARES_SHOWN_FROM_MS = 0.5;

/** The longest turns as text: one paragraph each. */
export function longTurnsText(turns: readonly LongTurn[]): string {
  return turns
    .map((turn) =>
      [
        `  ${turn.cpuMs.toFixed(1)} ms of CPU time, ${(turn.endMs - turn.startMs).toFixed(1)} ms by the clock, at ${(turn.endMs / 1000).toFixed(2)} s`,
        `    collections: ${sharesText(turn.collections)}`,
        `    functions:   ${sharesText(turn.itself)}`,
        `    with calls:  ${sharesText(turn.withCalls)}`,
      ].join('\n'),
    )
    .join('\n');
}

function sharesText(shares: readonly Share[]): string {
  const shown = shares.filter(({ ms }) => ms >= SHARES_SHOWN_FROM_MS);
  return shown.map(({ name, ms }) => `${name} ${ms.toFixed(1)}`).join(', ') || 'none';
}
