/** Waits for something that real sockets will make true. Gives up after a time that only a hang reaches. */
export async function until(isTrue: () => boolean | Promise<boolean>, what = 'the condition'): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`${what} did not come true within a minute`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
