/** The Redis channels and keys of one deployment. The deployment's name is part of each, so several can use one Redis. */
export interface Channels {
  namespace: string;
  /** From the owners of venues to the engine. */
  observations: string;
  /** From the engine to every API process. */
  frames: string;
  /** From any process to the collectors. */
  calls: string;
  /** From a collector to the process that called it. */
  repliesTo(owner: string): string;
  /** A hash: the last report of each venue by its slug. */
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
