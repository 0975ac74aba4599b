import { inTurnsIfLong, type Steps } from '../../../base/async/in-turns.ts';
import type { AnyMarketPage, PageContext, PageView } from '../market-page.ts';

/** The content of a page. The first one of a snapshot makes rows that later ones reuse, which is too much for one turn. */
export function viewInTurns(page: AnyMarketPage, loaded: unknown, context: PageContext): Promise<PageView> {
  return inTurnsIfLong(viewSteps(page, loaded, context));
}

function* viewSteps(page: AnyMarketPage, loaded: unknown, context: PageContext): Steps<PageView> {
  if (page.prepare) {
    yield* page.prepare(loaded, context);
    yield;
  }
  return page.view(loaded, context);
}
