import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Instance, startInstance } from '../support/instance.ts'
import { createLoopbackWorld } from '../support/loopback-world.ts'
import { findAccessibilityIssues } from './faults.ts'
import { takeScreenshots } from './screenshots.ts'
import { openBrowser, openPage, pageWidth, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const consoleDirectory = fileURLToPath(new URL('../../web/dist', import.meta.url))

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Chairs from Graz</title></head>
<body><h1>Chairs</h1><img src="/oak.jpg"><a href="/oak">Oak chairs</a></body></html>`

withBrowser('console audit', () => {
  const world = createLoopbackWorld()
  let instance: Instance
  let browser: Browser
  let visitor: Visitor
  let page: Page
  let port: number
  let answerNow: (() => void) | undefined
  beforeAll(async () => {
    const site = await world.serve(async (request, response) => {
      if (request.url === '/slow') await new Promise<void>((resolve) => (answerNow = resolve))
      if (request.url === '/gone') return response.writeHead(404).end()
      return response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
    })
    port = site.port
    instance = await startInstance({
      environment: { TZ_DEFAULT: 'UTC' },
      deps: { outbound: world.client(), consoleDirectory },
    })
    browser = await openBrowser()
    visitor = await visit(browser, instance.url, { expected: [{ status: 400, path: /digital-audit$/ }] })
    page = visitor.page
    await signUp(visitor, '/')
  })
  afterAll(async () => {
    await browser?.close()
    await instance?.close()
    await world.end()
  })

  it('validates the address and audits a page', async () => {
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor()
    await page.getByText('No page checked yet').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.getByRole('button', { name: 'Check page' }).click()
    await page.getByText('Web address is required.').waitFor()
    await page.getByLabel('Web address').fill(`http://chairs.test:${port}/slow`)
    await page.getByLabel('Company').fill('Chairs Ltd')
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor()
    await expect.poll(() => answerNow).toBeDefined()
    answerNow?.()
    await page.getByRole('heading', { level: 2, name: 'Digital audit of Chairs Ltd' }).waitFor()
    await expect
      .poll(() => page.evaluate('document.activeElement.textContent'))
      .toBe('Digital audit of Chairs Ltd')
    await page.getByText('<img src="/oak.jpg">').first().waitFor()
    await page.getByText('The page is not encrypted.').first().waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await takeScreenshots(page, 'audit')
  })

  it('copies the report as Markdown', async () => {
    await page.getByRole('button', { name: 'Copy as Markdown' }).click()
    await page.getByText('Copied', { exact: true }).first().waitFor({ state: 'attached' })
    const copied = (await page.evaluate('navigator.clipboard.readText()')) as string
    expect(copied).toContain('# Digital audit of Chairs Ltd')
    expect(copied).toContain('<img src="/oak.jpg">')
  })

  it('shows an error beside the address of an unavailable page', async () => {
    await page.getByLabel('Web address').fill(`http://chairs.test:${port}/gone`)
    await page.getByRole('button', { name: 'Check page' }).click()
    await page
      .getByText(`Could not fetch the page (status): chairs.test:${port} responded with status 404.`)
      .waitFor()
    await page.getByLabel('Web address').fill('http://127.0.0.1/')
    await page.getByRole('button', { name: 'Check page' }).click()
    await page.getByText(/127\.0\.0\.1 is not a public address/).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  it('reports in German for a German account', async () => {
    const german = await visit(browser, instance.url, { locale: 'de-DE' })
    await signUp(german, '/audit', { name: 'Jana', email: 'jana@example.org', locale: 'de-DE' })
    await german.page.getByLabel('Webadresse').fill(`http://chairs.test:${port}/`)
    await german.page.getByLabel('Firma').fill('Stuhl AG')
    await german.page.getByRole('button', { name: 'Seite prüfen' }).click()
    await german.page.getByRole('heading', { level: 2, name: 'Website-Audit von Stuhl AG' }).waitFor()
    await german.page.getByText('Die Seite ist nicht verschlüsselt.').first().waitFor()
    await german.page.getByText('So wird die Punktzahl berechnet').click()
    await german.page.getByText('Jeder Bereich beginnt mit 100 Punkten').waitFor()
    const text = (await german.page.locator('.audit-report').innerText()).replace(/<[^>]*>/g, '')
    expect(text).not.toMatch(/\b(?:the|is|are|has|have|no|page|points|finding|add|without)\b/i)
    await takeScreenshots(german.page, 'audit-de')
    expect(german.browserErrors).toEqual([])
    await german.context.close()
  })

  it('fits a phone screen', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await openPage(page, '/audit')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => pageWidth(page)).toBe(360)
    await takeScreenshots(page, 'audit-small')
    expect(visitor.browserErrors).toEqual([])
  })
})
