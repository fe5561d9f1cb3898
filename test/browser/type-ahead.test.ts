import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sampleOf } from '../support/scale.ts'
import { expectOpen, mailLink } from './mailbox.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, pathOf, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const SUBJECT = 'Plums from the garden'
/** Every letter is a shortcut of a page: unread, delete, archive, spam, new email, select, star, help. */
const TEXT = 'u#e!cxsv?gm milk'
/** The assistant keeps the unsent text of an earlier test. */
const EARLY_TEXT = `early ${TEXT}`
const KEY_DELAY_MS = 20

withBrowser('keys typed before a field has loaded', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page
  /** Releases the responses that are held back. */
  let release: () => void

  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
    visitor = await visit(browser, service.url)
    page = visitor.page
    await signUp(visitor, '/tasks')
    await visitor.context.request.post('/api/emails', {
      data: { from: 'Bo <bo@example.org>', subject: SUBJECT, text: 'Hello Ana.' },
    })
  })
  beforeEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const readEmails = async () => {
    const answer = await visitor.context.request.get('/api/emails?folder=inbox')
    const { emails } = (await answer.json()) as { emails: Record<string, unknown>[] }
    return emails.map(({ read, folder, starred, tags }) => ({ read, folder, starred, tags }))
  }
  /** Loads a page anew. Every file and response that it has not loaded yet is held back until `release`. */
  const openOnSlowLine = async (path: string, ready: () => Promise<unknown>): Promise<void> => {
    await page.goto(path)
    await ready()
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/assets\/|\/api\/(?!events)/, async (route) => {
      await gate
      await route.continue().catch(() => {})
    })
  }
  const openEmail = async () => {
    await mailLink(page, SUBJECT).click()
    await expectOpen(page, SUBJECT)
    await page.getByText('Hello Ana.').last().waitFor()
    // An opened email becomes read, and `u` of the last test marked it unread.
    await expect.poll(async () => (await readEmails())[0]?.read).toBe(true)
  }
  const openMail = () => openOnSlowLine('/mail', openEmail)
  const type = (text: string) => page.keyboard.type(text, { delay: KEY_DELAY_MS })
  const typed = (): Promise<string> =>
    page.evaluate('document.activeElement.value ?? document.activeElement.innerText')

  const openers = [
    { name: 'quick add', press: ['q'], field: () => page.getByLabel('New task') },
    { name: 'the command palette', press: ['Control+k'], field: () => page.locator('.palette input') },
    { name: 'the assistant', press: ['Control+j'], field: () => page.locator('.assistant-panel textarea') },
    { name: 'a new email', press: ['c'], field: () => page.getByRole('combobox', { name: 'To' }) },
    { name: 'a reply', press: ['r'], field: () => page.locator('.rich-text-content') },
    { name: 'a folder to move to', press: ['v'], field: () => page.getByLabel('Find folder') },
  ] as const

  for (const { name, press, field } of openers)
    it(`reach ${name} in order, and change nothing on the page`, async () => {
      await openMail()
      const before = await readEmails()
      for (const key of press) await page.keyboard.press(key, { delay: KEY_DELAY_MS })
      await type(`${TEXT}lk`)
      await page.keyboard.press('Backspace', { delay: KEY_DELAY_MS })
      await page.keyboard.press('Backspace', { delay: KEY_DELAY_MS })
      release()
      await field().waitFor()
      await expect.poll(typed).toContain(TEXT)
      expect(await typed()).not.toContain(`${TEXT}l`)
      expect(await field().evaluate((element) => element.matches(':focus'))).toBe(true)
      expect(await page.locator('.dialog').count()).toBeLessThanOrEqual(1)
      expect(await readEmails()).toEqual(before)
    })

  it('reach the search of the settings from a page without a search', async () => {
    await openOnSlowLine('/audit', () => page.getByRole('heading', { level: 1 }).waitFor())
    await page.keyboard.press('/', { delay: KEY_DELAY_MS })
    await type('webhook')
    release()
    await page.getByRole('searchbox').waitFor()
    await expect.poll(typed).toBe('webhook')
    expect(pathOf(page)).toBe('/settings')
  })

  it('reach a new event of the calendar', async () => {
    await openOnSlowLine('/calendar', () => page.locator('.hours-column').first().waitFor())
    await page.keyboard.press('c', { delay: KEY_DELAY_MS })
    await type('Tennis 1234')
    release()
    await expect.poll(typed).toBe('Tennis 1234')
    expect(new URL(page.url()).search).toBe('')
  })

  it('Enter submits the text that was typed before it', async () => {
    await openMail()
    await page.keyboard.press('q', { delay: KEY_DELAY_MS })
    await type('Buy cheese')
    await page.keyboard.press('Enter')
    release()
    await page.locator('.toast', { hasText: 'Task “Buy cheese” added' }).waitFor()
    await page.locator('.dialog').waitFor({ state: 'detached' })
  })

  it('Enter runs the command whose name was typed', async () => {
    await openMail()
    await page.keyboard.press('Control+k', { delay: KEY_DELAY_MS })
    await type('calendar')
    await page.keyboard.press('Enter')
    release()
    await expect.poll(() => pathOf(page)).toBe('/calendar')
  })

  it('umlauts and dead keys arrive', async () => {
    await openMail()
    await page.keyboard.press('q', { delay: KEY_DELAY_MS })
    await type('Brötchen für ')
    const input = await visitor.context.newCDPSession(page)
    await input.send('Input.imeSetComposition', { text: '´', selectionStart: 1, selectionEnd: 1 })
    await input.send('Input.insertText', { text: 'é' })
    await type('lo')
    release()
    await page.getByLabel('New task').waitFor()
    await expect.poll(typed).toBe('Brötchen für élo')
  })

  it('Escape cancels, and the next key acts on the page again', async () => {
    await openMail()
    const [before] = await readEmails()
    expect(before?.read).toBe(true)
    await page.keyboard.press('q', { delay: KEY_DELAY_MS })
    await type('s#e')
    await page.keyboard.press('Escape', { delay: KEY_DELAY_MS })
    const isFocused = "document.activeElement.closest('.mail') !== null"
    expect(await page.evaluate(isFocused)).toBe(true)
    release()
    await page.keyboard.press('u', { delay: KEY_DELAY_MS })
    await expect.poll(async () => (await readEmails())[0]).toEqual({ ...before, read: false })
    expect(await page.locator('.dialog').count()).toBe(0)
  })

  it('Escape returns the focus to the row after the dialog has opened too', async () => {
    await openOnSlowLine('/mail', () => mailLink(page, SUBJECT).focus())
    await page.keyboard.press('q', { delay: KEY_DELAY_MS })
    await type('milk')
    release()
    await expect.poll(typed).toBe('milk')
    await page.keyboard.press('Escape')
    await page.locator('.dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toContain(SUBJECT)
    expect(visitor.browserErrors).toEqual([])
  })

  // The keys are held by the same code for each field. The tests above prove that each field gets its keys.
  for (const { name, press, field } of sampleOf(openers.slice(0, 3), 1))
    it(`reach ${name} before the page itself has loaded`, async () => {
      await page.goto('/api/health')
      const gate = new Promise<void>((resolve) => {
        release = resolve
      })
      const isStarted = page.waitForRequest('**/api/auth/refresh')
      await page.route(/\/api\/auth\/refresh|\/assets\/frame-/, async (route) => {
        await gate
        await route.continue().catch(() => {})
      })
      const opened = page.goto('/mail')
      await isStarted
      for (const key of press) await page.keyboard.press(key, { delay: KEY_DELAY_MS })
      await type(EARLY_TEXT.slice(0, 8))
      release()
      await type(EARLY_TEXT.slice(8))
      await field().waitFor()
      await expect.poll(typed).toContain(EARLY_TEXT)
      await opened
      expect(pathOf(page)).toBe('/mail')
      expect(await page.locator('.dialog').count()).toBeLessThanOrEqual(1)
      if (name === 'the assistant') await page.keyboard.press('Control+j')
    })

  it('do not reach the sign-in form of an expired session', async () => {
    const guest = await visit(browser, service.url, { expected: [{ status: 401, path: /auth\/refresh/ }] })
    await guest.page.goto('/api/health')
    await guest.page.evaluate("localStorage.setItem('factotum.signed-in', 'yes')")
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const isStarted = guest.page.waitForRequest('**/api/auth/refresh')
    await guest.page.route('**/api/auth/refresh', async (route) => {
      await gate
      await route.continue().catch(() => {})
    })
    const opened = guest.page.goto('/mail')
    await isStarted
    await guest.page.keyboard.press('q', { delay: KEY_DELAY_MS })
    await guest.page.keyboard.type('milk', { delay: KEY_DELAY_MS })
    release()
    await opened
    await guest.page.getByLabel('Email').waitFor()
    expect(await guest.page.getByLabel('Email').inputValue()).toBe('')
    await guest.context.close()
  })

  it('loads quick add and the palette before they are used', async () => {
    const loaded = new Set<string>()
    page.on('response', (response) => {
      const [, name] = /\/(palette|quick-add)-[\w-]{8}\.js$/.exec(response.url()) ?? []
      if (name) loaded.add(name)
    })
    await page.goto('/audit')
    await expect.poll(() => [...loaded].sort()).toEqual(['palette', 'quick-add'])
  })
})
