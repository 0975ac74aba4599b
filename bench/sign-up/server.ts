import { createLog } from '../../src/base/log.ts';
import { collectOnce, runService } from '../../test/support/service.ts';

/** The whole service in a process of its own, with enough keys for the load. */
const KEYS = 40;

const running = await runService({
  coins: 300,
  settings: { TRUSTED_PROXIES: 'loopback' },
  serviceOptions: { log: createLog('silent') },
});
await collectOnce(running);
const { accounts, baseUrl } = running.service;
const keys: string[] = [];
for (let i = 0; i < KEYS; i++) {
  const account = await accounts.accounts.create({ name: `bench ${i}`, plan: 'business' });
  keys.push((await accounts.keys.create({ accountId: account.id, name: 'bench', kind: 'test' })).text);
}
process.send?.({ baseUrl, keys });
process.on('disconnect', () => void running.stop().then(() => process.exit(0)));
