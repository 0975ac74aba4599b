import { isPlanName, PLAN_NAMES } from '../accounts/plans.ts';
import { type Command, UsageError } from './command.ts';
import { flagsOf, table, timeText } from './flags.ts';
import { STORAGE_HELP, STORE_OPTIONS, type StoreFlags, withStores } from './stores.ts';

const HELP = `perpwire accounts create --name NAME [--email ADDRESS] [--plan PLAN] [--host-tier TIER]
perpwire accounts set-plan ACCOUNT --plan PLAN
perpwire accounts list

  --name       who it is
  --email      for signing in on the web pages
  --plan       ${PLAN_NAMES.join(', ')} (default demo)
  --host-tier  tier of the host product, which may include a plan
  ACCOUNT      the id or e-mail address
${STORAGE_HELP}`;

export const accountsCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, {
      ...STORE_OPTIONS,
      name: { type: 'string' },
      email: { type: 'string' },
      plan: { type: 'string' },
      'host-tier': { type: 'string' },
    });
    const [action, reference] = positionals;
    const plan = values.plan;
    if (plan !== undefined && !isPlanName(plan))
      throw new UsageError(`--plan takes ${PLAN_NAMES.join(', ')}; it is "${plan}"`);
    await withStores(values, async ({ accounts }) => {
      if (action === 'create') {
        if (values.name === undefined) throw new UsageError('accounts create needs --name');
        const account = await accounts.create({
          name: values.name,
          email: values.email ?? null,
          hostTier: values['host-tier'] ?? null,
          ...(plan === undefined ? {} : { plan }),
        });
        const tier = account.hostTier === null ? '' : `, with the host tier ${account.hostTier}`;
        console.log(`account ${account.id} on the ${account.plan} plan${tier}`);
        console.log(
          `Create its key with: npm run perpwire -- keys create --account ${account.id}${sameStore(values)}`,
        );
      } else if (action === 'set-plan') {
        if (reference === undefined || plan === undefined)
          throw new UsageError('accounts set-plan needs an account and --plan');
        const found = await accounts.find(reference);
        if (!found) throw new UsageError(`there is no account "${reference}"`);
        const account = await accounts.setPlan(found.id, plan);
        console.log(`account ${account.id} is on the ${account.plan} plan now`);
      } else if (action === 'list') {
        const rows = (await accounts.list()).map((a) => [
          a.id,
          a.name,
          a.email ?? '-',
          a.plan,
          a.hostTier ?? '-',
          timeText(a.createdAtMs),
        ]);
        console.log(table(['id', 'name', 'e-mail', 'plan', 'host tier', 'created'], rows));
      } else {
        throw new UsageError(`accounts has create, set-plan and list\n\n${HELP}`);
      }
    });
  },
};

/** The next command must find the same database. Its address may hold a password, so that is not repeated. */
function sameStore(flags: StoreFlags): string {
  if (flags['database-url'] !== undefined) return ' --database-url ...';
  return flags['data-dir'] === undefined ? '' : ` --data-dir ${flags['data-dir']}`;
}
