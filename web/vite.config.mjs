import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

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
      built = `/${this.getFileName(file)}`
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

export default defineConfig({
  plugins: [react(), themeInHead()],
  build: { rollupOptions: { input: ['index.html', 'overlay.html'] } },
  server: {
    // The API rejects requests from other origins, so the proxy sends the API's own origin.
    proxy: Object.fromEntries(
      ['/api', '/api-docs', '/docs', '/console'].map((path) => [
        path,
        { target: service, changeOrigin: true, headers: { origin: service } },
      ]),
    ),
  },
})
