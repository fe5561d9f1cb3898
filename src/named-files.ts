import { type RegisterHooksOptions, registerHooks } from 'node:module'
import { findJoinedLibraries } from './joined-libraries.ts'

type Resolve = NonNullable<RegisterHooksOptions['resolve']>

/** TypeScript there is in our own tree alone, and that is all of modules. */
const FORMATS = new Map([
  ['.ts', 'module-typescript'],
  ['.mjs', 'module'],
])

/**
 * A start imports some 900 files, nearly all by a name that says which: beside the one that asks, with its ending.
 * Node still looks whether each is there, is a link, and what the package.json above it says of it: a fifth of a start.
 * Here such a name is taken at its word. What `.js` means in a folder is asked once, and only modules are told apart
 * so: what is loaded by `require` goes its own ways. A library that was joined into few files is found there.
 */
export const createResolve = (joined: ReadonlyMap<string, string> = new Map()): Resolve => {
  const foldersOfModules = new Set<string>()
  return (name, context, next) => {
    const file = joined.get(name)
    if (file !== undefined) return { url: file, format: 'module', shortCircuit: true }
    const ending = name.startsWith('.') ? name.slice(name.lastIndexOf('.')) : ''
    const format = FORMATS.get(ending)
    if ((format === undefined && ending !== '.js') || context.parentURL === undefined)
      return next(name, context)
    const url = new URL(name, context.parentURL).href
    if (format !== undefined) return { url, format, shortCircuit: true }
    const folder = url.slice(0, url.lastIndexOf('/'))
    if (foldersOfModules.has(folder)) return { url, format: 'module', shortCircuit: true }
    const found = next(name, context)
    if (found.format === 'module') foldersOfModules.add(folder)
    return found
  }
}

export const takeNamesAtTheirWord = (modules: URL): void =>
  void registerHooks({ resolve: createResolve(findJoinedLibraries(modules)) })
