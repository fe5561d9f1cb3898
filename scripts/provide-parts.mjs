import { installFromDebian } from './debian.mjs'

/**
 * A part is a real server or program that tests use:
 *
 * - name            readable name
 * - debianPackages  the Debian packages that provide it
 * - isInstalled()   whether this machine has it
 * - provide()       `{ env, stop }`: the variables by which tests find it, and a function that ends it;
 *                   or `{ missing }`: a sentence that says what to install
 *
 * Tests skip if their variable is not set. A part that is installed and does not start throws: that is a
 * failure, not a reason to skip.
 */
export async function provideParts(parts) {
  installFromDebian(parts.filter((part) => !part.isInstalled()))
  const results = await Promise.allSettled(parts.map((part) => part.provide()))
  const provided = results.flatMap((result) => (result.value?.stop ? [result.value] : []))
  const stop = async () => {
    await Promise.all(provided.map((part) => part.stop()))
  }
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) {
    await stop()
    throw failure.reason
  }
  for (const [index, { value }] of results.entries()) {
    if (value.missing) {
      process.stderr.write(`Skipping the tests that need ${parts[index].name}: ${value.missing}\n`)
    }
  }
  return { env: Object.assign({}, ...provided.map((part) => part.env)), stop }
}
