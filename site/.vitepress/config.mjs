import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { listSections } from '../pages.mjs'

const folder = fileURLToPath(new URL('..', import.meta.url))

/** Lists the packages whose code is in the built site, because the release contains their licences. */
const listPackages = () => ({
  name: 'list-packages',
  apply: 'build',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk')
    const modules = chunks.flatMap(({ moduleIds }) => moduleIds.map((id) => id.replaceAll('\0', '')))
    const folders = modules.flatMap((id) => {
      const path = relative(folder, id.split('?')[0]).replaceAll('\\', '/')
      return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []
    })
    const source = JSON.stringify([...new Set(folders)].sort())
    this.emitFile({ type: 'asset', fileName: '.packages.json', source })
  },
})

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Without colors: Shiki chose different ones in two builds, and a release must have the same bytes again. */
const toPlainCode = (code) =>
  `<pre class="plain-code" v-pre><code>${code.replaceAll(/[&<>"]/g, (char) => ENTITIES[char])}</code></pre>`

export default defineConfig({
  title: 'Factotum',
  description: 'Documentation of Factotum, a self-hosted personal operations assistant',
  lang: 'en',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  // The server replaces this prefix if PUBLIC_URL has a path.
  base: '/help/',
  cleanUrls: true,
  // Otherwise a change of the color scheme adds a style element, which the policy blocks.
  appearance: { disableTransition: false },
  // The Content-Security-Policy allows inline scripts by hash. This one would differ from page to page.
  metaChunk: true,
  // Builds of the same sources must be identical.
  lastUpdated: false,
  // One page at a time: the search index numbers them in the order in which they are read.
  buildConcurrency: 1,
  markdown: { highlight: toPlainCode },
  vite: { plugins: [listPackages()] },
  themeConfig: {
    nav: [
      { text: 'Tour', link: '/tour' },
      { text: 'Install', link: '/install' },
      { text: 'Operate', link: '/operating' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar: listSections(),
    search: { provider: 'local' },
    outline: [2, 3],
  },
})
