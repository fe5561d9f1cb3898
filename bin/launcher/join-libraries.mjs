// Runs as a separate process on a Node that Vite supports: `join-libraries.mjs <checkout> <output folder>`.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LIBRARIES } from './libraries.mjs'

const [root, folder] = process.argv.slice(2)
const { resolve } = createRequire(join(root, 'web', 'package.json'))
const { build } = await import(pathToFileURL(resolve('vite')).href)
const names = Object.values(LIBRARIES).flat()

await build({
  root,
  configFile: false,
  envFile: false,
  publicDir: false,
  logLevel: 'error',
  ssr: { noExternal: Object.keys(LIBRARIES) },
  build: {
    ssr: true,
    target: 'node24',
    minify: false,
    outDir: folder,
    rolldownOptions: {
      input: Object.fromEntries(names.map((name) => [name, name])),
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[hash].mjs' },
    },
  },
})
