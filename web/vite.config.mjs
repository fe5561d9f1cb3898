import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm run dev` finds the API. */
const service = process.env.FACTOTUM ?? 'http://127.0.0.1:3000'

/**
 * Puts head/theme.js into the page as a classic script: a module would run after the first paint, and the pages'
 * policy refuses inline ones. Under a name with its hash, because built files are cached for good.
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
      built = `/${this.getFileName(file)}`
    },
    transformIndexHtml: {
      order: 'post',
      // The overlay lies over a picture: it has no colours of the desk.
      handler: (_html, { path: page }) =>
        page === '/overlay.html'
          ? []
          : [{ tag: 'script', attrs: { src: built || path }, injectTo: 'head-prepend' }],
    },
  }
}

export default defineConfig({
  plugins: [react(), themeInHead()],
  build: { rollupOptions: { input: ['index.html', 'overlay.html'] } },
  server: {
    // The API refuses pages of other origins, so that is what it must not see here.
    proxy: Object.fromEntries(
      ['/api', '/api-docs', '/docs', '/console'].map((path) => [
        path,
        { target: service, changeOrigin: true, headers: { origin: service } },
      ]),
    ),
  },
})
