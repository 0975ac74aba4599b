import { SIM_VENUES } from '../../sim/venues/registry.ts';
import { Deployment, untilServing } from '../../test/cluster/deployment.ts';

export interface ApiProcess {
  baseUrl: string;
  key: string;
  pid: number;
  stop(): Promise<void>;
}

const COINS = 120;

/** An API process of a deployment of the demo's size. A collector on the same machine computes what it serves. */
export async function startApiProcess(environment: Record<string, string>): Promise<ApiProcess> {
  const settings = { SNAPSHOT_SECONDS: '10', SPREADS_SECONDS: '5', ...environment };
  const venues = SIM_VENUES.map(({ profile }) => profile.slug);
  const deployment = await Deployment.start({ venues, coins: COINS, settings });
  await deployment.add('collector');
  const member = await deployment.add('api');
  const key = await deployment.key('business');
  await untilServing(member, key);
  return {
    baseUrl: member.baseUrl,
    key,
    pid: member.process.child.pid ?? 0,
    stop: () => deployment.stop(),
  };
}
