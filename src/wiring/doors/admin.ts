import type { AddressInfo } from 'node:net';
import { type AdminOptions, createAdminServer } from '../../doors/http/admin.ts';
import { listenOnAllOf } from '../../doors/http/localhost.ts';
import type { Settings } from '../../settings.ts';
import { listening } from './listening.ts';

export interface AdminDoor {
  url: string;
  close(): Promise<void>;
}

/** Opens the admin port, which only operators may reach. */
export async function openAdminDoor(settings: Settings, options: AdminOptions): Promise<AdminDoor> {
  const admin = createAdminServer(options);
  await listening(
    new Promise<void>((resolve, reject) => {
      admin.once('error', reject);
      admin.listen(settings.adminPort, settings.adminHost, resolve);
    }),
    '--admin-host or --admin-port',
  );
  await listening(listenOnAllOf(settings.adminHost, admin), '--admin-host or --admin-port');
  const { port } = admin.address() as AddressInfo;
  return {
    url: `http://${settings.adminHost}:${port}`,
    close: () =>
      new Promise((resolve) => {
        admin.close(() => resolve());
        admin.closeAllConnections();
      }),
  };
}
