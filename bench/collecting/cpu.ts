/** Runs something, and says what CPU time it took. */
export function cpuMsOf<Made>(run: () => Made): { made: Made; cpuMs: number } {
  const before = process.cpuUsage();
  const made = run();
  const { user, system } = process.cpuUsage(before);
  return { made, cpuMs: (user + system) / 1000 };
}
