import type { AddressInfo } from 'node:net';
import { type AdminOptions, createAdminServer } from '../../doors/http/admin.ts';
import { listenOnAllOf } from '../../doors/http/localhost.ts';
import type { PartContext } from '../part.ts';
import { listening } from './listening.ts';

interface AdminDoor {
  url: string;
  close(): Promise<void>;
}

/** Opens the admin port, which only operators may reach. */
export async function openAdminDoor(
  { settings, log }: Pick<PartContext, 'settings' | 'log'>,
  options: AdminOptions,
): Promise<AdminDoor> {
  const admin = createAdminServer(options);
  const close = () =>
    new Promise<void>((resolve) => {
      admin.close(() => resolve());
      admin.closeAllConnections();
    });
  await listening(
    new Promise<void>((resolve, reject) => {
      admin.once('error', reject);
      admin.listen(settings.adminPort, settings.adminHost, resolve);
    }),
    '--admin-host or --admin-port',
  );
  await using opening = new AsyncDisposableStack();
  opening.defer(close);
  await listening(listenOnAllOf(settings.adminHost, admin), '--admin-host or --admin-port');
  opening.move();
  // As for the public port: a connection that the system does not accept must not end the process.
  admin.on('error', (error) => log.error({ err: error }, 'could not accept a connection to the admin port'));
  const { port } = admin.address() as AddressInfo;
  return { url: `http://${settings.adminHost}:${port}`, close };
}
