/** So often a few seconds pass before an answer counts as too old. */
const ATTEMPTS = 12;
/** Real time before the second attempt; before each further one it is this much longer, four seconds in all. */
const LONGER_BY_MS = 50;

/**
 * Asks again while the answer is too old, and lets time pass in between. Connections, threads and,
 * through Redis and the database, other processes take real time, which on a busy machine may be longer than a tick lasts. What has really stopped stays too
 * old, however often it is requested.
 */
export async function freshAnswer<Answer>(
  ask: () => Promise<Answer>,
  isTooOld: (answer: Answer) => boolean,
  letTimePass: (realMs: number) => Promise<void>,
): Promise<Answer> {
  let answer = await ask();
  for (let attempt = 0; attempt < ATTEMPTS && isTooOld(answer); attempt++) {
    await letTimePass((attempt + 1) * LONGER_BY_MS);
    answer = await ask();
  }
  return answer;
}
