import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, findDarkModeIssues } from './faults.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const expectToast = (page: Page, text: string | RegExp) =>
  page.locator('.toast', { hasText: text }).first().waitFor()

withBrowser('console stream', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page
  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
    visitor = await visit(browser, service.url)
    page = visitor.page
    await signUp(visitor, '/tasks')
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const captions = () => page.getByRole('list', { name: 'Captions' }).getByRole('listitem')
  const preview = () => page.getByRole('img', { name: 'Overlay preview' })

  it('opens by keyboard, is empty and has no accessibility issues', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await page.getByRole('heading', { level: 1, name: 'Stream' }).waitFor()
    for (const nothing of ['No captions yet', 'No goals yet', 'No stream keys', 'No past streams'])
      await page.getByText(nothing).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
  })

  it('starts a stream with a title', async () => {
    await page.getByRole('textbox', { name: 'Title' }).fill('Bird table')
    await page.getByRole('textbox', { name: 'Scene' }).fill('Workbench')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Title and scene saved')
    await page.getByRole('button', { name: 'Go live' }).click()
    await expectToast(page, 'You are live')
    await page.getByRole('main').getByText('Live', { exact: true }).waitFor()
    await preview().getByText('Bird table').waitFor()
  })

  it('adds captions by typing and Enter, and edits them', async () => {
    const field = page.getByRole('textbox', { name: 'Caption' })
    await field.focus()
    for (const text of ['Welcome back.', 'Their is the roof.', '<b>no markup</b>']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await captions().filter({ hasText: text }).waitFor()
      expect(await field.inputValue()).toBe('')
    }
    await page.getByRole('button', { name: 'Edit “Their is the roof.”' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit caption' })
    await dialog.getByLabel('Text').fill('There is the roof.')
    await dialog.getByLabel('Speaker').fill('Ada')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await captions().filter({ hasText: 'Ada: There is the roof.' }).waitFor()
    await captions().getByText('Edited').waitFor()
    await preview().getByText('There is the roof.').waitFor()
    await preview().getByText('<b>no markup</b>').waitFor()
  })

  it('creates a goal, adds progress and shows when it is reached', async () => {
    await page.getByRole('button', { name: 'New goal' }).click()
    const dialog = page.getByRole('dialog', { name: 'New goal' })
    await dialog.getByLabel('Title').fill('Microphone')
    await dialog.getByLabel('Target').fill('10')
    await dialog.getByLabel('Unit').fill('€')
    await dialog.getByRole('button', { name: 'Add goal' }).click()
    const list = page.getByRole('list', { name: 'Goals' })
    await list.getByText('0 of 10 €').waitFor()
    await list.getByLabel('Amount to add to Microphone').fill('12')
    await page.keyboard.press('Enter')
    await list.getByText('12 of 10 €').waitFor()
    await list.getByText('Reached').waitFor()
    await preview().getByText('12 / 10 €').waitFor()
    await list.getByRole('button', { name: 'More for Microphone' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await list.getByText('12 of 10 €').waitFor({ state: 'detached' })
    // After the last row is deleted, the heading receives the focus.
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
    await page.keyboard.press('z')
    await list.getByText('12 of 10 €').waitFor()
  })

  it('hides the overlay, then shows it again', async () => {
    await page.getByRole('button', { name: 'Hide overlay' }).click()
    await page.getByText('The overlay is hidden.').waitFor()
    await preview().getByText('There is the roof.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Show overlay' }).click()
    await page.getByRole('button', { name: 'Hide overlay' }).waitFor()
    await expect.poll(() => captions().count()).toBe(3)
  })

  it('saves a stream key without showing it', async () => {
    await page.getByRole('button', { name: 'Add key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add stream key' })
    await dialog.getByLabel('Platform').fill('twitch')
    await dialog.getByLabel('Stream key', { exact: true }).fill('live_123456789_secret')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const list = page.getByRole('list', { name: 'Stream keys' })
    await list.getByText('…cret').waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain('live_123456789')
  })

  it('copies the overlay URL, with a token if needed', async () => {
    await page.getByText(`${service.url}/overlay`, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Create private link' }).click()
    const dialog = page.getByRole('dialog', { name: 'Private overlay link' })
    const address = await dialog.locator('code').textContent()
    expect(address).toMatch(/\/overlay\?token=[\w-]{40,}$/)
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
  })

  it('stops the stream and offers its captions as files', async () => {
    await page.getByRole('button', { name: 'End stream' }).click()
    await expectToast(page, 'Stream ended')
    // By keyboard: a menu opened by mouse closes if its row moves before the button is released.
    await page.getByRole('button', { name: 'More for Bird table' }).press('Enter')
    const choice = page.getByRole('menuitem', { name: 'Captions in English (.vtt)' })
    await choice.waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), choice.click()])
    expect(file.suggestedFilename()).toMatch(/^stream-\d+\.en.*\.vtt$/)
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(visitor.browserErrors).toEqual([])
  })
})
