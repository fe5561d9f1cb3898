import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'

/** Base URL of the API for `npm run dev`. */
const service = process.env.FACTOTUM ?? 'http://127.0.0.1:3000'

/**
 * Adds head/theme.js to the page as a classic script. A module would run after the first paint, and the
 * Content-Security-Policy blocks inline scripts. The file name contains a hash because built files are cached
 * forever.
 */
const themeInHead = () => {
  const source = () => readFileSync(new URL('head/theme.js', import.meta.url), 'utf8')
  const path = '/theme.js'
  let built = ''
  return {
    name: 'theme-in-head',
    configureServer(server) {
      server.middlewares.use(path, (_request, response) => {
        response.setHeader('content-type', 'text/javascript').end(source())
      })
    },
    generateBundle() {
      const file = this.emitFile({ type: 'asset', name: 'theme.js', source: source() })
      built = `./${this.getFileName(file)}`
    },
    transformIndexHtml: {
      order: 'post',
      // The overlay is transparent and does not use the console theme.
      handler: (_html, { path: page }) =>
        page === '/overlay.html'
          ? []
          : [{ tag: 'script', attrs: { src: built || path }, injectTo: 'head-prepend' }],
    },
  }
}

/**
 * Fills the texts of the HTML pages from locales/<language>/pages.ts, and names the pages of other languages
 * index.<language>.html. The server selects the page for each request.
 */
const localizedPages = (language) => ({
  name: 'localized-pages',
  transformIndexHtml: {
    order: 'pre',
    async handler(html) {
      const texts = await import(new URL(`src/locales/${language}/pages.ts`, import.meta.url).href)
      return html
        .replace('lang="en"', `lang="${language}"`)
        .replaceAll(/\{\{(\w+)\}\}/g, (_match, name) => texts[name])
    },
  },
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      if (language === 'en') return
      for (const file of Object.values(bundle))
        file.fileName = file.fileName.replace(/^(\w+)\.html$/, `$1.${language}.html`)
    },
  },
})

/**
 * Groups the modules that are loaded together, because each file is a request. The pages are in the order of their
 * use: a module that several pages need is in the group of the first one. Modules of a group import only modules of
 * their own group or of an earlier one, so chunks never import each other in a circle.
 */
const PAGES = [
  ['shell', ['main.tsx', 'shell/frame.tsx']],
  ['shared-mail', ['features/mail/mail.tsx']],
  ['shared-calendar', ['features/calendar/calendar.tsx']],
  ['shared-tasks', ['features/tasks/tasks.tsx']],
  ['shared-auth', ['features/auth/login.tsx']],
  ['shared-settings', ['features/settings/settings.tsx']],
]

const chunkGroups = () => {
  let groups
  const findGroups = (context) => {
    const found = new Map()
    for (const [name, entries] of PAGES) {
      const visit = (id) => {
        if (found.has(id)) return
        found.set(id, name)
        context.getModuleInfo(id)?.importedIds.forEach(visit)
      }
      for (const entry of entries) visit(new URL(`src/${entry}`, import.meta.url).pathname)
    }
    return found
  }
  const groupOf = (id, context) => {
    groups ??= findGroups(context)
    return groups.get(id)
  }
  return {
    groups: [
      ...PAGES.map(([name], n) => ({
        name: (id, context) => (groupOf(id, context) === name ? name : null),
        minShareCount: name === 'shell' ? 1 : 2,
        priority: 9 - n,
      })),
    ],
  }
}

/** The mode is the language: `npm run dev -- --mode de` serves the German console. */
export default defineConfig(({ mode }) => {
  const language = mode === 'de' ? 'de' : 'en'
  return {
    // Relative addresses, because PUBLIC_URL may have a path. The server completes those of the HTML pages.
    base: './',
    plugins: [react(), themeInHead(), localizedPages(language)],
    resolve: { conditions: [language, ...defaultClientConditions] },
    build: {
      chunkSizeWarningLimit: 600,
      // All browsers of the build target support it.
      modulePreload: { polyfill: false },
      rollupOptions: {
        input: ['index.html', 'overlay.html'],
        output: {
          codeSplitting: chunkGroups(),
        },
      },
    },
    server: {
      // The API rejects requests from other origins, so the proxy sends the API's own origin.
      proxy: Object.fromEntries(
        ['/api', '/api-docs', '/docs', '/console'].map((path) => [
          path,
          { target: service, changeOrigin: true, headers: { origin: service } },
        ]),
      ),
    },
  }
})
