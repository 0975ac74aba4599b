/** Where the processes of one deployment meet. Its name keeps deployments on the same Redis apart. */
export interface Channels {
  namespace: string;
  /** Owners of venues to the engine's owner. */
  observations: string;
  /** The engine's owner to every API process. */
  frames: string;
  /** Anybody to the collectors. */
  calls: string;
  /** A collector to the process that called. */
  repliesTo(owner: string): string;
  /** The last report of each venue, by its slug. */
  reports: string;
}

export function channelsOf(deployment: string): Channels {
  const namespace = `perpwire:${deployment}`;
  return {
    namespace,
    observations: `${namespace}:observations`,
    frames: `${namespace}:frames`,
    calls: `${namespace}:calls`,
    repliesTo: (owner) => `${namespace}:replies:${owner}`,
    reports: `${namespace}:reports`,
  };
}
