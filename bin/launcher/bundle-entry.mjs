// The entry of the bundle. `build-server.mjs` copies it to `dist/main.js` with the name of the first chunk.
//
// V8 compiles a function at its first call. The compile cache of Node contains only functions that were compiled before
// their file ran. With it alone, each start would compile more than a thousand functions again. This loader stores the
// code of the chunks after the start, with all functions that a start calls.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, enableCompileCache, flushCompileCache, getCompileCacheDir, Module } from 'node:module'
import { basename, join } from 'node:path'
import { Script } from 'node:vm'

const firstChunk = 'program.cjs'
const folder = import.meta.dirname
// The packages outside the bundle use the cache of Node.
enableCompileCache(join(folder, '..', 'node_modules', '.cache', 'factotum'))

const nodeRequire = createRequire(import.meta.url)
const scripts = new Map()

/** The folder depends on the version of Node, and the name of a chunk on its content. */
const codeFile = (file) => join(getCompileCacheDir() ?? '', `${basename(file)}.code`)

function readCode(file) {
  try {
    return readFileSync(codeFile(file))
  } catch {
    return undefined
  }
}

const requireFromChunk = (id) => (id.startsWith('./') ? loadChunk(join(folder, id)) : nodeRequire(id))

function runChunk(module) {
  const script = new Script(Module.wrap(readFileSync(module.filename, 'utf8')), {
    filename: module.filename,
    cachedData: readCode(module.filename),
  })
  scripts.set(module.filename, script)
  script.runInThisContext()(module.exports, requireFromChunk, module, module.filename, folder)
  module.loaded = true
}

/** Loads a chunk as a CommonJS module. It is in the cache of Node too: an `import` returns the same module. */
function loadChunk(file) {
  const loaded = nodeRequire.cache[file]
  if (loaded) return loaded.exports
  // Node finds the source map of a module, but not of a script.
  if (process.sourceMapsEnabled) return nodeRequire(file)
  const module = new Module(file)
  module.filename = file
  nodeRequire.cache[file] = module
  try {
    runChunk(module)
  } catch (error) {
    delete nodeRequire.cache[file]
    throw error
  }
  return module.exports
}

/** Stores the code of chunks without valid stored code. If the folder is not writable, every start compiles. */
function storeCode() {
  flushCompileCache()
  if (getCompileCacheDir() === undefined) return
  for (const [file, script] of scripts) {
    if (script.cachedDataRejected === false) continue
    const draft = `${codeFile(file)}.${process.pid}`
    try {
      writeFileSync(draft, script.createCachedData())
      renameSync(draft, codeFile(file))
    } catch {
      rmSync(draft, { force: true })
    }
  }
  scripts.clear()
}

await loadChunk(join(folder, firstChunk)).runProgram(import.meta.filename, storeCode)
