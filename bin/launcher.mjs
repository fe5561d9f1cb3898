// Prepares a fresh clone: packages, Node 24, the builds of the server and the console. Plain JavaScript for
// Node 18 without dependencies, because it runs before there are any.
import { spawn } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import module from 'node:module'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { hasSiteBuild, isServerReady, isWebReady, serverEntry } from './launcher/builds.mjs'
import { arePackagesReady } from './launcher/packages.mjs'
import { stopWithShell } from './launcher/parent.mjs'
import { findNode } from './launcher/runtime.mjs'

/**
 * By default V8 uses up to 128 MB for new objects. With 16 MB, importing 10,000 emails takes 100 MB less and
 * no longer.
 */
const nodeFlag = '--max-semi-space-size=16'

/**
 * By default glibc keeps freed buffers of up to 32 MB: after large messages the process held 250 MB of unused
 * memory. glibc reads these settings only at process start.
 */
const memorySettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Prepares the checkout and returns the Node to run it with. If nothing is missing it only reads a few files,
 * so it is fast and also works on a read-only checkout.
 */
export async function prepare({ packages, web, site = false }) {
  const node = findNode(root)
  if (node && !site && arePackagesReady(root, packages) && isServerReady(root) && (!web || isWebReady(root)))
    return node
  const { setUp } = await import('./launcher/set-up.mjs')
  return setUp({ root, packages, web, site })
}

/**
 * Runs the server's entry with these arguments. The server, and any command on another Node, replaces this process:
 * the process id stays the same. Where Node cannot do that, the entry runs in this process or in a child.
 */
export async function launch(args) {
  stopWithShell()
  const node = await prepareOrExit(args)
  if (args[0] === 'serve' && process.env.npm_lifecycle_event === 'start') buildSiteLater(node)
  const main = serverEntry(root)
  // Compiling takes much of the startup time. The cache keeps the result, keyed by content.
  const cache = join(root, 'node_modules', '.cache', 'factotum')
  const env = { NODE_COMPILE_CACHE: cache, ...memorySettings, ...process.env }
  const isOtherNode = node !== process.execPath
  const needsSettings = args[0] === 'serve' && !('MALLOC_ARENA_MAX' in process.env)
  if (process.execve && (isOtherNode || needsSettings)) {
    const watch = new URL('launcher/watch-shell.mjs', import.meta.url).href
    const preload = process.env.npm_lifecycle_event ? ['--import', watch] : []
    process.execve(node, [node, ...process.execArgv, nodeFlag, ...preload, main, ...args], env)
  }
  if (isOtherNode) {
    const { runInChild } = await import('./launcher/child.mjs')
    const { code, signal } = await runInChild(node, [nodeFlag, main, ...args], { env })
    if (signal) process.kill(process.pid, signal)
    process.exitCode = code ?? 1
    return
  }
  module.enableCompileCache?.(cache)
  process.argv.splice(1, process.argv.length, main, ...args)
  await import(pathToFileURL(main).href)
}

/**
 * Builds the documentation in the background, after `npm start` in a clone. The start does not wait for it. `/help` shows
 * the log until the build is there.
 */
function buildSiteLater(node) {
  const script = join(root, 'scripts', 'site.mjs')
  if (!existsSync(script) || hasSiteBuild(root)) return
  try {
    const log = openSync(join(root, 'site', 'build.log'), 'w')
    const build = spawn(node, [script], { cwd: root, detached: true, stdio: ['ignore', log, log] })
    build.on('error', () => {})
    if (build.pid !== undefined) setPriority(build.pid, constants.priority.PRIORITY_LOW)
    build.unref()
  } catch {
    // A read-only checkout, or no such process any more: the page says how to build it.
  }
}

/** Prepares the checkout for a command. After an error, explains it and ends the process. */
export async function prepareOrExit(args) {
  try {
    return await prepare({ packages: 'production', web: args[0] === 'serve' })
  } catch (error) {
    const { explain } = await import('./launcher/refusal.mjs')
    return explain(error)
  }
}
