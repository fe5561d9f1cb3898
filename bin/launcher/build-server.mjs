// Bundles the server: `build-server.mjs <checkout> <output folder>`. Runs as a separate process on Node 24.
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { rolldown } from 'rolldown'

/**
 * Packages that Node loads from node_modules: those with native parts or files of their own, and large ones
 * that only some requests need. A release contains them beside the bundle.
 */
const OUTSIDE = JSON.parse(readFileSync(new URL('outside-packages.json', import.meta.url), 'utf8'))

const isOutside = (id) => OUTSIDE.some((name) => id === name || id.startsWith(`${name}/`))

/**
 * Resolves what the sources name relative to their own file. Each replacement stays on its line, so that the
 * source maps remain correct.
 */
const relativeFiles = {
  name: 'relative-files',
  transform: {
    filter: { id: /\.ts$/, code: /import\.meta\.url/ },
    handler(source, id) {
      const code = source
        // Without its own `require`, the packages that a file loads on first use can be bundled.
        .replace(/^const require = createRequire\(import\.meta\.url\)$/m, '')
        .replace(/new URL\('(\.{1,2}\/[^']+\.\w+)', import\.meta\.url\)/g, (_, path) => {
          const file = resolve(dirname(id), path)
          const reference = this.emitFile(
            file.endsWith('.ts')
              ? { type: 'chunk', id: file }
              : { type: 'asset', name: basename(file), source: readFileSync(file) },
          )
          return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`
        })
      return { code, map: null }
    },
  },
}

const [root, folder] = process.argv.slice(2)
const bundle = await rolldown({
  cwd: root,
  input: { program: join(root, 'src', 'program.ts') },
  platform: 'node',
  external: isOutside,
  plugins: [relativeFiles],
})
const { output } = await bundle.write({
  dir: folder,
  format: 'cjs',
  // The entry compiles the chunks as scripts, which cannot contain `import()`.
  dynamicImportInCjs: false,
  sourcemap: true,
  sourcemapExcludeSources: true,
  // The launcher moves the files from the output folder to the folder above it.
  sourcemapPathTransform: (source, map) => relative(dirname(folder), resolve(dirname(map), source)),
  entryFileNames: '[name]-[hash].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  // V8 keeps the text of a running script. Escapes for ASCII would halve it, but change `source` of expressions.
  comments: { legal: true, annotation: false, jsdoc: false },
  assetFileNames: '[name]-[hash][extname]',
})
await bundle.close()

const entry = readFileSync(new URL('bundle-entry.mjs', import.meta.url), 'utf8')
const first = output.find(({ isEntry, name }) => isEntry && name === 'program')
writeFileSync(join(folder, 'main.js'), entry.replace('program.cjs', first.fileName))
