/** So often a few seconds pass before an answer counts as too old. */
const ATTEMPTS = 12;

/**
 * Asks again while the answer is too old, and lets time pass in between. Processes hear of each other in real time: through
 * Redis and the database, which a busy machine may delay for longer than a tick lasts. What has really stopped stays too
 * old, however often it is asked.
 */
export async function freshAnswer<Answer>(
  ask: () => Promise<Answer>,
  isTooOld: (answer: Answer) => boolean,
  letTimePass: () => Promise<void>,
): Promise<Answer> {
  let answer = await ask();
  for (let attempt = 0; attempt < ATTEMPTS && isTooOld(answer); attempt++) {
    await letTimePass();
    answer = await ask();
  }
  return answer;
}
