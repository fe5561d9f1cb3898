import { refusal } from '../bin/launcher/refusal.mjs'
import { canInstall, installFromDebian } from './debian.mjs'

/**
 * A part is a real server or program that tests use:
 *
 * - name            readable name
 * - debianPackages  the Debian packages that provide it
 * - isInstalled()   whether this machine has it
 * - provide()       `{ env, stop }`: the variables by which tests find it, and a function that ends it;
 *                   or `{ missing }`: a sentence that says what to install
 *
 * Tests skip if their variable is not set. Two cases are failures, not a reason to skip: a part that is installed and
 * does not start, and a part that root on Debian could not install.
 */
export async function provideParts(parts, installer = { canInstall, install: installFromDebian }) {
  const isRoot = installer.canInstall()
  const absent = parts.filter((part) => !part.isInstalled())
  if (isRoot && absent.length > 0) installer.install(absent)
  const results = await Promise.allSettled(parts.map((part) => part.provide()))
  const provided = results.flatMap((result) => (result.value?.stop ? [result.value] : []))
  const stop = async () => {
    await Promise.all(provided.map((part) => part.stop()))
  }
  const failure = results.find((result) => result.status === 'rejected')?.reason
  const missing = results.flatMap(({ value }, index) =>
    value?.missing ? [`${parts[index].name}: ${value.missing}`] : [],
  )
  if (failure || (isRoot && missing.length > 0)) {
    await stop()
    throw failure ?? refusal(`Could not install the programs of these tests:\n${missing.join('\n')}`)
  }
  for (const line of missing) process.stderr.write(`Skipping the tests that need ${line}\n`)
  return { env: Object.assign({}, ...provided.map((part) => part.env)), stop }
}
