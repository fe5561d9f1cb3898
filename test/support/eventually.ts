/**
 * Polls with growing intervals until the result is truthy, and returns it. The limit is that of the test, because a
 * shorter one would fail on a busy machine.
 */
export const eventually = async <T>(
  look: () => T | undefined | false | null | Promise<T | undefined | false | null>,
  longestWaitMs = 300,
): Promise<T> => {
  for (let waitMs = 10; ; waitMs = Math.min(waitMs * 1.3, longestWaitMs)) {
    const found = await look()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}
