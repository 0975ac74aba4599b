import type { FastifyInstance, FastifyReply } from 'fastify';
import { Problem } from '../../../base/problems.ts';
import { parseFees } from '../../../operations/taker-fees.ts';
import { hasEnded } from '../../../venues/ended.ts';
import { feeGrid, feesIn, feesText, typedFees } from '../layout/fees/fee-grid.ts';
import { html } from '../markup/html.ts';
import { doneBanner, faultBanner, hidden, INVALID } from '../sign-in/form-parts.ts';
import { refusedForm, type Visit } from '../sign-in/visits.ts';
import { type AccountPage, type AccountPageOptions, signInFirst } from './account-page.ts';

const PATH = '/account/fees';

/** The owner's own taker fees, which pages and `fees=account` use. */
export const FEES_PAGE: AccountPage = { path: PATH, label: 'Trading fees', icon: 'fees', serve };

interface Sent {
  typed: ReadonlyMap<string, string>;
  /** The venues whose fee was refused. */
  refused: readonly string[];
}

function serve(server: FastifyInstance, { visits, accounts, data, clock, area }: AccountPageOptions): void {
  const venues = () => {
    const nowMs = clock.nowMs();
    return data.venues.map(({ facts }) => facts).filter((facts) => !hasEnded(facts, nowMs));
  };
  const show = async (
    visit: Visit,
    accountId: string,
    { sent, isSaved = false }: { sent?: Sent; isSaved?: boolean } = {},
  ): Promise<FastifyReply> => {
    const saved = (await accounts.accounts.find(accountId))?.takerFees ?? '';
    const refused = sent?.refused ?? [];
    const own = feesIn(saved).size;
    return visit.page({
      status: refused.length > 0 ? 400 : 200,
      ...area(
        PATH,
        {
          title: 'Your trading fees',
          lead: html`What you really pay as a taker. Every net figure on every page follows while you are signed in,
            new alerts too, and the API with <code>fees=account</code>.`,
        },
        html`${refused.length === 0 ? null : faultBanner(refusalWords(refused))}
          ${isSaved ? doneBanner(own === 0 ? 'The usual fees count again.' : `Saved: your fees at ${own} ${own === 1 ? 'venue' : 'venues'}.`) : null}
          <form class="own card" method="post" action="${PATH}" aria-labelledby="fees-title">
            ${hidden('csrf', visit.csrf)}
            <header>
              <h2 id="fees-title">Taker fees</h2>
              <small class="mut">in percent; an empty field keeps the usual fee, which is below the name</small>
            </header>
            ${feeGrid(venues(), sent?.typed ?? feesIn(saved), (exchange) => (refused.includes(exchange) ? INVALID : null))}
            <p class="acts">
              <button class="btn pri" type="submit">Save</button>
              <button class="btn" type="submit" name="forget" value="yes">Use the usual fees</button>
            </p>
          </form>
          <p class="mut mt">
            Usual fees are those of the base tier, with the day and source on the page of
            each <a class="lnk" href="/exchanges">venue</a>. Maker fees and tiers are shown where a source states them;
            figures count every fill as a taker’s.
          </p>`,
      ),
    });
  };
  server.get(PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const isSaved = new URL(request.raw.url ?? '', 'http://path').searchParams.has('saved');
    return visit.account
      ? await show(visit, visit.account.accountId, { isSaved })
      : visit.redirect(signInFirst(PATH));
  });
  server.post(PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const fields = visit.form();
    if (!fields || !visit.account) return refusedForm(visit);
    const { accountId } = visit.account;
    const typed = fields.has('forget') ? new Map<string, string>() : typedFees(fields);
    const names = venues().map(({ exchange }) => exchange);
    const refused = [...typed].filter(([name, fee]) => !names.includes(name) || !isFee(name, fee));
    if (refused.length > 0)
      return await show(visit, accountId, { sent: { typed, refused: refused.map(([name]) => name) } });
    await accounts.accounts.setTakerFees(
      accountId,
      typed.size === 0 ? null : parseFees(feesText(typed)).join(','),
    );
    return visit.redirect(`${PATH}?saved`);
  });
}

function isFee(exchange: string, fee: string): boolean {
  try {
    parseFees(`${exchange}:${fee}`);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

function refusalWords(refused: readonly string[]): string {
  return `${refused.join(', ')}: a fee is a percent from 0 to 5, such as 0.02. Nothing was saved.`;
}
