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

interface ReservedPort {
  port: number;
  release(): Promise<void>;
}

/** Takes a free port before the doors open, because the port is part of every link. No program gets it until it is released. */
export async function reservePort(host: string): Promise<ReservedPort> {
  // An open connection would keep the port from being released.
  const holder = createServer((socket) => socket.destroy());
  await listening(
    new Promise<void>((resolve, reject) => {
      holder.once('error', reject);
      holder.listen(0, host, resolve);
    }),
    '--host or --port',
  );
  const { port } = holder.address() as AddressInfo;
  return { port, release: () => new Promise((resolve) => holder.close(() => resolve())) };
}
