import type { OperationContext } from './operation.ts';
import { unknownExchange } from './refusals.ts';

/** Throws for a venue name that is not served in exactly this spelling. */
export function checkExchanges(context: OperationContext, ...lists: (readonly string[] | undefined)[]): void {
  const { venues } = context.data;
  for (const list of lists) {
    for (const name of list ?? []) {
      if (venues.some(({ facts }) => facts.exchange === name)) continue;
      throw unknownExchange(
        name,
        venues.map(({ facts }) => facts.exchange),
      );
    }
  }
}
