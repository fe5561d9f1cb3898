import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, findDarkModeIssues } from './faults.ts'
import { expectToast, openMailbox, undo } from './mailbox.ts'
import { type Service, startService } from './service.ts'
import {
  browserPath,
  openBrowser,
  openPage,
  pageWidth,
  signUp,
  type Visitor,
  visit,
  withBrowser,
} from './visitor.ts'

const HOUR_MS = 3_600_000

withBrowser('promises in the console', () => {
  let browser: Browser
  let service: Service
  let visitor: Visitor
  let page: Page
  const rows = () => page.locator('.commitment')

  beforeAll(async () => {
    if (!browserPath) return
    browser = await openBrowser()
    service = await startService()
    visitor = await visit(browser, service.url)
    page = visitor.page
    await signUp(visitor, '/promises')
    await page.getByText('No open promises of yours').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    const { put } = openMailbox(service)
    const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()
    await put({
      folder: 'sent',
      from: 'ana@example.org',
      to: ['Ines Falk <ines@falk.example>'],
      subject: 'Drawings',
      date: at(-80),
      text: 'Hi Ines,\n\nthanks for the call. I will send you the drawings tomorrow, and you get me the plan.\n\nAna',
    })
    await put({
      from: 'Ines Falk <ines@falk.example>',
      subject: 'Model',
      messageId: 'model@falk.example',
      date: at(-3),
      text: 'I will get back to you about the model tomorrow.',
    })
    await put({
      from: 'Ines Falk <ines@falk.example>',
      subject: 'Re: Model',
      inReplyTo: 'model@falk.example',
      date: at(-2),
      text: 'The model is made of oak and stands in the office now.',
    })
  })
  afterAll(async () => {
    await visitor?.context.close()
    await service?.stop()
    await browser?.close()
  })

  it('lists own promises with due date, quote and person, and closes them with undo', async () => {
    await page.goto('/promises')
    await expect.poll(() => rows().count()).toBe(1)
    const row = rows().first()
    expect(await row.innerText()).toMatch(/I will send you the drawings tomorrow/)
    expect(await row.getByText(/^Overdue since/).isVisible()).toBe(true)
    expect(await row.locator('blockquote').innerText()).toContain('and you get me the plan')
    await row.getByRole('link', { name: 'To Ines Falk' }).waitFor()
    await row.getByRole('link', { name: 'Open email' }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    await row.getByRole('button', { name: /^Done/ }).click()
    await expectToast(page, 'Promise done')
    await expect.poll(() => rows().count()).toBe(0)
    await undo(page, 'Promise done')
    await expect.poll(() => rows().count()).toBe(1)
  })

  it('creates a task, whose completion closes the promise', async () => {
    await rows()
      .first()
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await page.getByRole('menuitem', { name: 'Create task' }).click()
    await expectToast(page, 'Task created')
    await undo(page, 'Task created')
    await expect.poll(() => rows().first().getByRole('link', { name: 'Open task' }).count()).toBe(0)
    await rows()
      .first()
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await page.getByRole('menuitem', { name: 'Dismiss' }).click()
    await expectToast(page, 'Promise dismissed')
    await undo(page, 'Promise dismissed')
    await expect.poll(() => rows().count()).toBe(1)
  })

  it('edits the text and the due date, with undo', async () => {
    const openMenu = () =>
      rows()
        .first()
        .getByRole('button', { name: /^Actions for/ })
        .click()
    await openMenu()
    await page.getByRole('menuitem', { name: 'Edit…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit promise' })
    expect(await findAccessibilityIssues(page)).toEqual([])
    await dialog.getByLabel('Promise', { exact: true }).fill('Send the drawings to Ines')
    await dialog.getByLabel('Due date', { exact: true }).fill('3/1/2040')
    await dialog.getByLabel('Due time', { exact: true }).fill('9:30')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Promise saved')
    await rows().first().getByText('Send the drawings to Ines').waitFor()
    await rows()
      .first()
      .getByText(/^Due Mar 1, 2040, 9:30/)
      .waitFor()
    await undo(page, 'Promise saved')
    await rows()
      .first()
      .getByText(/^Overdue since/)
      .waitFor()
  })

  it('keeps dismissed promises, which can be reopened', async () => {
    await rows()
      .first()
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await page.getByRole('menuitem', { name: 'Dismiss' }).click()
    await page.getByRole('radio', { name: 'Dismissed' }).check()
    await rows()
      .first()
      .getByRole('button', { name: /^Reopen/ })
      .click()
    await page.getByText('Nothing dismissed').waitFor()
    await page.getByRole('radio', { name: 'I promised' }).check()
    await expect.poll(() => rows().count()).toBe(1)
  })

  it('opens the email at the quote', async () => {
    await rows().first().getByRole('link', { name: 'Open email' }).click()
    await page.getByRole('heading', { level: 2, name: 'Drawings' }).waitFor()
    const marked = () =>
      page.evaluate("[...(CSS.highlights.get('mail-search') ?? [])].map((range) => range.toString())")
    await expect.poll(marked).toEqual([expect.stringContaining('I will send you the drawings tomorrow')])
    await page.goBack()
    await expect.poll(() => rows().count()).toBe(1)
  })

  it('filters by person', async () => {
    await openPage(page, '/promises?person=nobody@example.org')
    await page.getByText('No promises with this person').waitFor()
    await page.getByRole('combobox', { name: 'Person' }).selectOption({ label: 'Ines Falk' })
    await expect.poll(() => rows().count()).toBe(1)
    expect(new URL(page.url()).searchParams.get('person')).toBe('ines@falk.example')
    await page.getByRole('combobox', { name: 'Person' }).selectOption('')
    await expect.poll(() => new URL(page.url()).search).toBe('')
  })

  it('asks about a doubtful email, and shows promises on the page of the person', async () => {
    await page.getByRole('radio', { name: 'Promised to me' }).check()
    await expect.poll(() => rows().count()).toBe(1)
    await page.getByText('May be done:').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.getByRole('button', { name: /^Not yet/ }).click()
    await expectToast(page, 'Kept open')
    await expect.poll(() => page.getByText('May be done:').count()).toBe(0)
    await rows().first().getByRole('link', { name: 'From Ines Falk' }).click()
    const section = page.getByRole('region', { name: 'Promises' })
    await expect.poll(() => section.getByRole('listitem').count()).toBe(2)
    await section.getByRole('button', { name: /^Done: I will send you the drawings/ }).click()
    await expectToast(page, 'Promise done')
    await undo(page, 'Promise done')
    await expect.poll(() => section.getByRole('listitem').count()).toBe(2)
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await page.getByRole('heading', { name: 'Promises', level: 1 }).waitFor()
  })

  it('fits on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await openPage(page, '/promises')
    await expect.poll(() => rows().count()).toBe(1)
    expect(await pageWidth(page)).toBeLessThanOrEqual(390)
  })
})
