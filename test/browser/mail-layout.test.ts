import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, findDarkModeIssues } from './faults.ts'
import { expectOpen, mailLink, mailRow } from './mailbox.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const SUBJECT = 'Minutes of the meeting about the new roof of the old boat house'
const TARGET_SIZE = { 'target-size': { enabled: true } }

withBrowser('mail layout', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page

  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
    visitor = await visit(browser, service.url, { width: 1440 })
    page = visitor.page
    await signUp(visitor, '/mail')
    for (const subject of [SUBJECT, 'Second'])
      await visitor.context.request.post('/api/emails', {
        data: { from: 'Bo <bo@example.org>', subject, text: 'Hello Ana.' },
      })
    await page.goto('/mail')
    await mailLink(page, SUBJECT).waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const separator = (name: string) => page.getByRole('separator', { name })
  const widthOf = async (selector: string): Promise<number> =>
    (await page.locator(selector).boundingBox())?.width ?? 0
  const choosePane = async (name: string) => {
    await page.getByRole('button', { name: 'Layout' }).click()
    await page.getByRole('menuitemradio', { name }).click()
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }
  const isCut = (selector: string): Promise<boolean> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => element.scrollWidth > element.clientWidth)

  it('shows whole subjects while no email is open', async () => {
    expect(await isCut('.mail-subject')).toBe(false)
    expect(await widthOf('.mail-list')).toBeGreaterThan(900)
  })

  it('does not move the list when the first email is selected', async () => {
    const rowTop = async () => (await mailRow(page, SUBJECT).boundingBox())?.y
    const before = await rowTop()
    await mailRow(page, SUBJECT).getByRole('checkbox').check()
    await page.getByRole('toolbar', { name: 'Selected emails' }).waitFor()
    expect(await rowTop()).toBe(before)
    await page.keyboard.press('Escape')
  })

  it('gives an email at least 640 px at 1440 px', async () => {
    await mailLink(page, SUBJECT).click()
    await expectOpen(page, SUBJECT)
    expect(await widthOf('.mail-reading')).toBeGreaterThanOrEqual(640)
    expect(await findAccessibilityIssues(page, TARGET_SIZE)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
  })

  it('resizes by keyboard and by dragging, remembers it, and resets with a double click', async () => {
    const divider = separator('Width of the list')
    await divider.focus()
    await page.keyboard.press('ArrowRight')
    expect(await divider.getAttribute('aria-valuenow')).toBe('344')
    const box = await divider.boundingBox()
    if (!box) throw new Error('The divider is not visible')
    const [x, y] = [box.x + box.width / 2, box.y + 200]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 56, y, { steps: 4 })
    await page.mouse.up()
    expect(await divider.getAttribute('aria-valuenow')).toBe('400')
    expect(Math.round(await widthOf('.mail-list'))).toBe(400)
    await page.reload()
    await divider.waitFor()
    expect(await divider.getAttribute('aria-valuenow')).toBe('400')
    await divider.dblclick()
    expect(await divider.getAttribute('aria-valuenow')).toBe('328')
  })

  it('shows the email below the list, or instead of it', async () => {
    await choosePane('Below')
    const list = await page.locator('.mail-list').boundingBox()
    const reading = await page.locator('.mail-reading').boundingBox()
    expect(reading?.y).toBeGreaterThanOrEqual((list?.y ?? 0) + (list?.height ?? 0) - 1)
    expect(reading?.width).toBeGreaterThan(900)
    await separator('Height of the list').press('ArrowDown')
    expect(await separator('Height of the list').getAttribute('aria-valuenow')).toBe('336')
    await choosePane('Off')
    await page.locator('.mail-list').waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')
    await page.locator('.mail-reading').waitFor({ state: 'hidden' })
    await choosePane('Right')
  })

  it('hides the folders and the navigation, also after a reload', async () => {
    await page.getByRole('button', { name: 'Layout' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Folder column' }).click()
    await page.locator('.folder-pane').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Collapse navigation' }).click()
    await page.reload()
    await mailLink(page, SUBJECT).waitFor()
    expect(await page.locator('.folder-pane').count()).toBe(0)
    expect(await widthOf('.side')).toBeLessThan(80)
    expect(await findAccessibilityIssues(page, TARGET_SIZE)).toEqual([])
    await page.getByRole('button', { name: 'Expand navigation' }).click()
    expect(await widthOf('.side')).toBeGreaterThan(240)
  })

  it('splits the page at 1024 px with the navigation collapsed', async () => {
    await page.setViewportSize({ width: 1024, height: 768 })
    await mailLink(page, SUBJECT).click()
    await expectOpen(page, SUBJECT)
    await page.locator('.mail-list').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Collapse navigation' }).click()
    await page.locator('.mail-list').waitFor()
    expect(await widthOf('.mail-reading')).toBeGreaterThan(500)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('tags the focused email with l', async () => {
    await mailLink(page, SUBJECT).focus()
    await page.keyboard.press('l')
    await page.keyboard.type('roof')
    await page.getByRole('dialog', { name: 'Add tag' }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('roof')
    await page.keyboard.press('Enter')
    await mailRow(page, SUBJECT).getByText('#roof').waitFor()
  })

  it('chooses a snooze time with a number', async () => {
    await mailLink(page, 'Second').focus()
    await page.keyboard.press('h')
    await page.getByRole('dialog', { name: 'Snooze' }).locator('button:focus').waitFor()
    await page.keyboard.press('2')
    await mailLink(page, 'Second').waitFor({ state: 'detached' })
  })

  it('lists the keys in the shortcut help', async () => {
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: /shortcuts/i })
    await help.getByText('Add tag').waitFor()
    await help.getByText('Snooze until a suggested time').waitFor()
    await page.keyboard.press('Escape')
    expect(visitor.browserErrors).toEqual([])
  })
})
