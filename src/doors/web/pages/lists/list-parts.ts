import { Problem } from '../../../../base/problems.ts';
import { rowObjects } from '../../../../operations/answer/answer.ts';
import { csvText, flatObjects } from '../../../../operations/answer/flat-rows.ts';
import type { PageList } from '../../layout/visitor.ts';
import type { MarketPage, PageView } from '../market-page.ts';
import type { PageContext } from '../page-context.ts';

const FILTER_PROBLEMS: ReadonlySet<string> = new Set(['invalid-parameter', 'unknown-exchange', 'plan-limit']);

interface ListParts<Loaded> {
  load(context: PageContext): Promise<Loaded>;
  view(loaded: Loaded, context: PageContext): PageView;
  refused(problem: Problem, context: PageContext): PageView;
  markdown(loaded: Loaded, context: PageContext): string;
}

/** The parts of a page of a list. A wrong filter is shown on the page, which keeps its form; the files of the page refuse it. */
export function listParts<Loaded extends { list: PageList }>({
  load,
  view,
  refused,
  markdown,
}: ListParts<Loaded>): Pick<MarketPage<Loaded | Problem>, 'load' | 'view' | 'markdown' | 'files'> {
  const known = (loaded: Loaded | Problem): Loaded => {
    if (loaded instanceof Problem) throw loaded;
    return loaded;
  };
  return {
    load: async (context) => {
      try {
        return await load(context);
      } catch (problem) {
        if (problem instanceof Problem && FILTER_PROBLEMS.has(problem.code)) return problem;
        throw problem;
      }
    },
    view: (loaded, context) => (loaded instanceof Problem ? refused(loaded, context) : view(loaded, context)),
    markdown: (loaded, context) => markdown(known(loaded), context),
    files: {
      '.csv': {
        type: 'text/csv; charset=utf-8',
        write: (loaded) => {
          const { rows } = known(loaded).list;
          return csvText(flatObjects(rows.table.spec.columns, rowObjects(rows)));
        },
      },
    },
  };
}
