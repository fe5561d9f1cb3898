import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ERROR_CATALOGUE } from '../../src/platform/docs/error-catalogue.ts'
import { type Instance, startInstance } from '../support/instance.ts'
import { findAccessibilityIssues } from './faults.ts'
import { openBrowser, pageWidth, type Visitor, visit, withBrowser } from './visitor.ts'

/** Markup of Scalar that no setting changes: two sections with one label, and a list that scrolls. */
const VENDOR_RULES = {
  'landmark-unique': { enabled: false },
  'scrollable-region-focusable': { enabled: false },
}

withBrowser('API reference', () => {
  let instance: Instance
  let browser: Browser
  let visitor: Visitor
  let page: Page
  const foreignRequests: string[] = []

  const openReference = async (): Promise<void> => {
    await page.goto('/docs')
    await page.getByRole('heading', { name: 'Factotum', level: 1 }).waitFor()
  }

  /** Repeats the check, because Scalar changes colors while it loads the next sections. */
  const expectAccessible = (): Promise<void> =>
    expect.poll(() => findAccessibilityIssues(page, VENDOR_RULES)).toEqual([])

  beforeAll(async () => {
    instance = await startInstance()
    browser = await openBrowser()
    visitor = await visit(browser, instance.url)
    page = visitor.page
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol.startsWith('http') && origin !== instance.url) foreignRequests.push(request.url())
    })
    await openReference()
  })
  afterAll(async () => {
    await browser?.close()
    await instance?.close()
  })

  it('has no accessibility issues', async () => {
    await expectAccessible()
  })

  it('has a heading for every error code', async () => {
    const headings = await page.getByRole('heading', { level: 3 }).allTextContents()
    expect(headings.map((text) => text.trim())).toEqual(
      expect.arrayContaining(ERROR_CATALOGUE.map(({ code }) => code)),
    )
  })

  it.each(['validation_failed', 'rate_limited', 'upstream_timeout'])(
    'shows the error that a problem document links to: %s',
    async (code) => {
      await page.goto(`/docs#error-${code}`)
      const heading = page.getByRole('heading', { name: code, exact: true })
      const top = async (): Promise<number> => (await heading.boundingBox())?.y ?? -1
      await expect.poll(async () => Math.abs((await top()) - 150)).toBeLessThan(150)
    },
  )

  it('finds an operation and sends a test request without optional parameters', async () => {
    await page.getByRole('button', { name: 'Search' }).first().click()
    await page.keyboard.type('create a task')
    await page.getByRole('option').filter({ hasText: 'Create a task ,' }).first().click()
    await page.getByRole('button').filter({ hasText: 'Test Request(post /api/tasks)' }).click()
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await page.getByRole('button', { name: /^Send/ }).first().click()
    const request = await sent
    expect(new URL(request.url()).pathname).toBe('/api/tasks')
    expect(request.headers()).not.toHaveProperty('idempotency-key')
    expect((await request.response())?.status()).toBe(201)
    await page.getByText('201 Created').first().waitFor()
  })

  it('fits a narrow screen, and has no accessibility issues in dark mode', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await openReference()
    expect(await pageWidth(page)).toBeLessThanOrEqual(390)
    expect(await page.locator('.dark-mode').count()).toBeGreaterThan(0)
    await expectAccessible()
  })

  it('requests nothing from other origins, and violates no policy', () => {
    expect(foreignRequests).toEqual([])
    expect(visitor.browserErrors).toEqual([])
  })
})
