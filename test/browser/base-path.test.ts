import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPort, type Nginx, nginxPath, startNginx } from '../support/nginx.ts'
import { type Service, startPackagedService } from './service.ts'
import { openBrowser, PASSWORD, type Visitor, visit, withBrowser } from './visitor.ts'

const BASE = '/factotum'

describe.skipIf(!nginxPath)('behind nginx', () => {
  withBrowser('console below a path', () => {
    let service: Service
    let browser: Browser
    let visitor: Visitor
    let page: Page
    let nginx: Nginx
    let port: number
    let token = ''

    const restartNginx = async (keepsPath: boolean) => {
      // The page must not request anything while nginx restarts.
      await page?.goto('about:blank')
      await nginx?.stop()
      nginx = await startNginx({
        port,
        location: `${BASE}/`,
        upstream: keepsPath ? service.url : `${service.url}/`,
      })
    }
    const addTask = async (title: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${BASE}/api/tasks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ title }),
      })
      expect(response.status).toBe(201)
    }

    beforeAll(async () => {
      port = await findPort()
      service = await startPackagedService({
        PUBLIC_URL: `http://127.0.0.1:${port}${BASE}`,
        TRUST_PROXY: '127.0.0.1',
        REGISTRATION: 'open',
      })
      await restartNginx(true)
      browser = await openBrowser()
      visitor = await visit(browser, `http://127.0.0.1:${port}`, {
        expected: [{ status: 401, path: /\/api\/events$/ }],
      })
      page = visitor.page
    })
    afterAll(async () => {
      await browser?.close()
      await nginx?.stop()
      await service?.stop()
    })

    const signIn = async (email: string) => {
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    }

    it('registers, opens pages by links, and keeps a deep page after a reload', async () => {
      await page.goto(`${BASE}/register`)
      await page.getByRole('textbox', { name: 'Your name' }).fill('Ana')
      await page.getByLabel('Email').fill('ana@example.org')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByRole('heading', { level: 1, name: 'Ana' }).waitFor()
      expect(new URL(page.url()).pathname).toMatch(/^\/factotum\/?$/)
      await page.getByRole('link', { name: 'Tasks', exact: true }).first().click()
      await page.waitForURL(`**${BASE}/tasks`)
      await page.goto(`${BASE}/settings/profile`)
      await page.reload()
      await page.getByRole('textbox', { name: 'Your name' }).waitFor()
      expect(new URL(page.url()).pathname).toBe(`${BASE}/settings/profile`)
      const cookies = await visitor.context.cookies(`http://127.0.0.1:${port}${BASE}/api/auth/refresh`)
      expect(cookies.map(({ path }) => path)).toContain(`${BASE}/api/auth`)
    })

    it.each([
      ['keeps', true],
      ['removes', false],
    ])('updates live through a proxy that %s the path', async (_does, keepsPath) => {
      await restartNginx(keepsPath)
      const login = await fetch(`http://127.0.0.1:${port}${BASE}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ana@example.org', password: PASSWORD }),
      })
      token = ((await login.json()) as { token: string }).token
      await page.goto(`${BASE}/tasks`)
      await page.locator('.live-sign[data-state="live"]').waitFor()
      await addTask(`Live ${keepsPath}`)
      await page.getByRole('checkbox', { name: `Done: Live ${keepsPath}` }).waitFor()
    })

    it('signs out, and after a new sign-in returns to the page', async () => {
      await page.getByRole('button', { name: /^Account:/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForURL(`**${BASE}/login`)
      await page.reload()
      await page.goto(`${BASE}/settings/profile#picture`)
      await page.waitForURL(/login\?next=/)
      await signIn('ana@example.org')
      await page.waitForURL(/\/factotum\/settings\/profile#picture$/)
      await page.getByRole('textbox', { name: 'Your name' }).waitFor()
    })

    it('opens the API reference and an unknown page', async () => {
      const described = page.waitForResponse(`**${BASE}/api-docs`)
      await page.goto(`${BASE}/docs`)
      expect((await described).status()).toBe(200)
      expect(visitor.browserErrors).toEqual([])
      const missing = await page.goto(`${BASE}/nonsense`)
      expect(missing?.status()).toBe(404)
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    })
  })
})
