import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Instance, startInstance } from '../support/instance.ts'
import { openBrowser, PASSWORD, signUp, visit, withBrowser } from './visitor.ts'

const consoleDirectory = fileURLToPath(new URL('../../web/dist', import.meta.url))

withBrowser('first run of the console', () => {
  let instance: Instance
  let browser: Browser
  beforeAll(async () => {
    instance = await startInstance({ deps: { consoleDirectory } })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await instance?.close()
  })

  it('does not show the sign-in form before the first account exists', async () => {
    const { page, context } = await visit(browser, instance.url)
    let answer = () => {}
    const asked = new Promise<void>((resolve) => {
      void page.route('**/console/options', async (route) => {
        resolve()
        await new Promise<void>((go) => {
          answer = go
        })
        await route.continue()
      })
    })
    await page.goto('/login')
    await asked
    await page.locator('.loading-screen').waitFor({ state: 'attached' })
    expect(await page.getByLabel('Email').count()).toBe(0)
    answer()
    await page
      .getByText('Create the first account before you connect an agent. It owns this instance.')
      .waitFor()
    await context.close()
  })

  it('shows the progress of the first sync instead of an empty inbox', async () => {
    const visitor = await visit(browser, instance.url)
    await signUp(visitor, '/')
    const login = { email: 'ana@example.org', password: PASSWORD }
    const { token } = (await instance.post('/api/auth/login', login)).body
    const server = { host: 'mail.example.org', port: 993, tls: 'implicit' }
    const account = { address: 'ana@example.org', password: 'x', imap: server, smtp: server }
    expect((await instance.post('/api/settings/mail-accounts', account, { token })).status).toBe(201)
    await visitor.page.goto('/mail')
    await visitor.page.getByText('Fetching your mail…').waitFor()
    expect(await visitor.page.getByText('Inbox is empty').count()).toBe(0)
    await visitor.context.close()
  })
})
