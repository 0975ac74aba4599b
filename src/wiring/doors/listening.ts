import { type AddressInfo, createServer } from 'node:net';
import { SettingError } from '../../settings.ts';

/** Waits until a server listens; on failure the error names the setting to change. */
export async function listening(
  attempt: Promise<unknown>,
  flags: '--host or --port' | '--admin-host or --admin-port',
): Promise<void> {
  try {
    await attempt;
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new SettingError(`cannot listen: ${cause}; choose another ${flags}`);
  }
}

/** Finds a free port before the doors open, because the port is part of every link. */
export async function freePort(host: string): Promise<number> {
  const probe = createServer();
  await listening(
    new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen(0, host, resolve);
    }),
    '--host or --port',
  );
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
