import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { PLAN_NAMES, PLANS, type Plan, type PlanName } from '../../accounts/plans.ts';
import { type Fields, fieldsOf, jsonOf } from '../../base/parsing.ts';
import type { Serving } from '../../wiring/serving.ts';

export type DemoKeys = Readonly<Record<PlanName, string>>;

/** No secret: the demo listens on the loopback address only. */
export const DEMO_PASSWORD = 'perpwire-demo';
const KEY_NAME = 'demo';

/**
 * One account and key per plan. The keys are stored in a file, so that what a user has set up works after a restart: the
 * database has only their hashes. Keys that the user has created stay as they are.
 */
export async function demoKeys(
  service: Pick<Serving, 'accounts' | 'people'>,
  file: string,
): Promise<DemoKeys> {
  const stored = storedKeys(file);
  const keys: Partial<Record<PlanName, string>> = {};
  for (const plan of PLAN_NAMES) {
    const accountId = await demoAccount(service, PLANS[plan]);
    keys[plan] = (await usable(service, accountId, stored[plan])) ?? (await newKey(service, accountId));
  }
  const complete = keys as DemoKeys;
  writeFileSync(file, `${JSON.stringify(complete, null, 2)}\n`, { mode: 0o600 });
  return complete;
}

async function demoAccount(
  service: Pick<Serving, 'accounts' | 'people'>,
  { name, title }: Plan,
): Promise<string> {
  const { accounts } = service.accounts;
  const email = `${name}@demo.perpwire.invalid`;
  const known = await accounts.find(email);
  if (known) return known.id;
  const { id } = await accounts.create({ name: `Demo of ${title}`, email, plan: name });
  await service.people.users.setPassword(id, DEMO_PASSWORD);
  return id;
}

async function usable(
  service: Pick<Serving, 'accounts' | 'people'>,
  accountId: string,
  text: unknown,
): Promise<string | null> {
  if (typeof text !== 'string') return null;
  const key = await service.accounts.keys.find(text);
  return key?.accountId === accountId && key.state === 'active' ? text : null;
}

/** The demo's former key is revoked first, because a plan allows few. */
async function newKey(service: Pick<Serving, 'accounts' | 'people'>, accountId: string): Promise<string> {
  const { keys } = service.accounts;
  for (const { id, name, revokedAtMs } of await keys.list(accountId))
    if (name === KEY_NAME && revokedAtMs === null) await keys.revoke(id);
  return (await keys.create({ accountId, name: KEY_NAME, kind: 'test' })).text;
}

/** Nothing if the file is missing or damaged. */
function storedKeys(file: string): Fields {
  return existsSync(file) ? fieldsOf(jsonOf(readFileSync(file, 'utf8'))) : {};
}
