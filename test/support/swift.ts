import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { freePort } from './free-port.ts';
import { findOrInstall, launch, makeFolder, type OrReason, onPath, stop } from './servers.ts';
import { until } from './until.ts';

const PACKAGES = 'swift-proxy swift-account swift-container swift-object';
const STORES = ['account', 'container', 'object'] as const;

export const S3_KEY = {
  accessKeyId: 'test:tester',
  secretAccessKey: 'testing',
  region: 'us-east-1',
} as const;

/** A longer list is sent in several answers. */
export const S3_LIST_LENGTH = 40;

/** An S3 server with a bucket `lake`. */
export interface S3Server {
  url: string;
  stop(): Promise<void>;
}

/**
 * OpenStack Swift with its S3 interface, on one device: the object store that Debian has. It checks signatures, regions and
 * the hashes of uploads.
 */
export async function startSwift(): Promise<OrReason<S3Server>> {
  const find = () => onPath('swift-proxy-server');
  const program = await findOrInstall('OpenStack Swift', PACKAGES, find, { isLean: true });
  if (program.path === null) return program.reason;
  const folder = makeFolder('perpwire-swift-');
  mkdirSync(join(folder, 'devices/d1'), { recursive: true });
  const ports = await Promise.all(STORES.map(() => freePort()));
  makeRings(folder, ports);
  const port = await freePort();
  const configure = (name: string, ownPort: number, rest: string) => {
    const file = join(folder, `${name}.conf`);
    const common = `bind_ip = 127.0.0.1\nbind_port = ${ownPort}\nworkers = 0\nuser = ${userInfo().username}\nswift_dir = ${folder}`;
    writeFileSync(file, `[DEFAULT]\n${common}\n${rest}`);
    return launch(`${program.path?.replace('proxy', name)}`, [file], {}, folder);
  };
  const children = STORES.map((name, i) =>
    configure(
      name,
      ports[i] ?? 0,
      `devices = ${folder}/devices\nmount_check = false\n[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`,
    ),
  );
  children.push(configure('proxy', port, PROXY));
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await put(`${url}/lake`)) === 200, 'OpenStack Swift ready');
  return {
    url,
    stop: async () => {
      for (const child of children) await stop(child, 'SIGKILL', folder);
    },
  };
}

const PROXY = `
[pipeline:main]
pipeline = catch_errors cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
max_bucket_listing = ${S3_LIST_LENGTH}
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
`;

/** Where each store is. Debian's Python has the module. */
function makeRings(folder: string, ports: readonly number[]): void {
  const program = `
import sys
from swift.common.ring import RingBuilder
for name, port in zip(("account", "container", "object"), sys.argv[1:]):
    ring = RingBuilder(4, 1, 1)
    ring.add_dev({"region": 1, "zone": 1, "ip": "127.0.0.1", "port": int(port), "device": "d1", "weight": 1})
    ring.rebalance()
    ring.get_ring().save(name + ".ring.gz")
`;
  execFileSync('/usr/bin/python3', ['-c', program, ...ports.map(String)], { cwd: folder, stdio: 'pipe' });
}

async function put(url: string): Promise<number> {
  const { accessKeyId, secretAccessKey, region } = S3_KEY;
  const signer = new AwsV4Signer({ method: 'PUT', url, service: 's3', region, accessKeyId, secretAccessKey });
  const { headers } = await signer.sign();
  return await fetch(url, { method: 'PUT', headers }).then(
    ({ status }) => status,
    () => 0,
  );
}
