// What stands between a fresh clone and a running Factotum: packages, a Node that runs TypeScript, the console's
// build. Plain JavaScript that Node 18 understands, and no dependency, because it runs before there are any.
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { arePackagesReady } from './launcher/packages.mjs'
import { stopWithShell } from './launcher/parent.mjs'
import { findNode } from './launcher/runtime.mjs'
import { isWebReady } from './launcher/web.mjs'

/**
 * Where there is much memory V8 lets the room for new objects grow to 128 MB: ten thousand e-mails are brought in with
 * 100 MB less without it, and as fast. `npm start` says the same for a Node that needs no child.
 */
const frugal = '--max-semi-space-size=16'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Makes the checkout ready and returns the Node to run it with. When nothing is missing this only reads a few files,
 * so it also works on a read-only checkout and costs a start next to nothing.
 */
export async function prepare({ packages, web }) {
  const node = findNode(root)
  if (node && arePackagesReady(root, packages) && (!web || isWebReady(root))) return node
  const { setUp } = await import('./launcher/set-up.mjs')
  return setUp({ root, packages, web })
}

/** Runs `src/main.ts` with these arguments, in this process when its Node is new enough and in a child when not. */
export async function launch(args) {
  stopWithShell()
  const node = await prepareOrExit(args)
  const main = join(root, 'src', 'main.ts')
  // Type stripping and compiling are most of a start; the cache keeps both results, keyed by content.
  const cache = join(root, 'node_modules', '.cache', 'factotum')
  if (node !== process.execPath) {
    const { runInChild } = await import('./launcher/child.mjs')
    const env = { NODE_COMPILE_CACHE: cache, ...process.env }
    const { code, signal } = await runInChild(node, [frugal, main, ...args], { env })
    if (signal) process.kill(process.pid, signal)
    process.exitCode = code ?? 1
    return
  }
  module.enableCompileCache?.(cache)
  process.argv.splice(1, process.argv.length, main, ...args)
  await import(pathToFileURL(main).href)
}

async function prepareOrExit(args) {
  try {
    return await prepare({ packages: 'production', web: args[0] === 'serve' })
  } catch (error) {
    const { explain } = await import('./launcher/refusal.mjs')
    return explain(error)
  }
}
