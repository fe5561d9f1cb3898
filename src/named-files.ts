import { type RegisterHooksOptions, registerHooks } from 'node:module'

type Resolve = NonNullable<RegisterHooksOptions['resolve']>

/** TypeScript there is in our own tree alone, and that is all of modules. */
const FORMATS = new Map([
  ['.ts', 'module-typescript'],
  ['.mjs', 'module'],
])

/**
 * A start imports some 1,500 files, nearly all by a name that says which: beside the one that asks, with its ending.
 * Node still looks whether each is there, is a link, and what the package.json above it says of it: a fifth of a start.
 * Here such a name is taken at its word. What `.js` means in a folder is asked once, and only modules are told apart
 * so: what is loaded by `require` goes its own ways.
 */
export const createResolve = (): Resolve => {
  const foldersOfModules = new Set<string>()
  return (name, context, next) => {
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

export const takeNamesAtTheirWord = (): void => void registerHooks({ resolve: createResolve() })
