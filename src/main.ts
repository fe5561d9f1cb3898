import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Runs before anything else is loaded, so that a second start finds every file compiled.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/factotum', import.meta.url)))

const { runProgram } = await import('./program.ts')
await runProgram(fileURLToPath(import.meta.url), flushCompileCache)
