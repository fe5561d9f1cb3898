import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findFaults, findFaultsInDark } from './faults.ts'
import { type Service, startService } from './service.ts'
import { arrive, openBrowser, type Visitor, visit, withBrowser } from './visitor.ts'

const said = (page: Page, text: string | RegExp) =>
  page.locator('.toast', { hasText: text }).first().waitFor()

withBrowser('the stream in the console', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page
  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
    visitor = await visit(browser, service.url)
    page = visitor.page
    await arrive(visitor, '/tasks')
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const captions = () => page.getByRole('list', { name: 'Captions' }).getByRole('listitem')
  const preview = () => page.getByRole('img', { name: 'What the overlay shows' })

  it('is reached by a key, begins empty, and is in nobody’s way', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await page.getByRole('heading', { level: 1, name: 'Stream' }).waitFor()
    for (const nothing of ['No captions yet', 'No milestones yet', 'No keys yet', 'No streams yet'])
      await page.getByText(nothing).waitFor()
    expect(await findFaults(page)).toEqual([])
    expect(await findFaultsInDark(page)).toEqual([])
  })

  it('goes live under a title', async () => {
    await page.getByRole('textbox', { name: 'Title' }).fill('Bird table')
    await page.getByRole('textbox', { name: 'Scene' }).fill('Workbench')
    await page.getByRole('button', { name: 'Save' }).click()
    await said(page, 'Title and scene are saved.')
    await page.getByRole('button', { name: 'Go live' }).click()
    await said(page, 'You are live.')
    await page.getByRole('main').getByText('Live', { exact: true }).waitFor()
    await preview().getByText('Bird table').waitFor()
  })

  it('takes captions by typing and Enter, and corrects them', async () => {
    const field = page.getByRole('textbox', { name: 'Say' })
    await field.focus()
    for (const text of ['Welcome back.', 'Their is the roof.', '<b>no markup</b>']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await captions().filter({ hasText: text }).waitFor()
      expect(await field.inputValue()).toBe('')
    }
    await page.getByRole('button', { name: 'Correct “Their is the roof.”' }).click()
    const dialog = page.getByRole('dialog', { name: 'Correct the caption' })
    await dialog.getByLabel('Text').fill('There is the roof.')
    await dialog.getByLabel('Speaker').fill('Ada')
    await dialog.getByRole('button', { name: 'Correct' }).click()
    await captions().filter({ hasText: 'Ada: There is the roof.' }).waitFor()
    await captions().getByText('corrected').waitFor()
    await preview().getByText('There is the roof.').waitFor()
    await preview().getByText('<b>no markup</b>').waitFor()
  })

  it('sets a milestone, adds to it, and says when it is reached', async () => {
    await page.getByRole('button', { name: 'New milestone' }).click()
    const dialog = page.getByRole('dialog', { name: 'New milestone' })
    await dialog.getByLabel('Title').fill('Microphone')
    await dialog.getByLabel('Target').fill('10')
    await dialog.getByLabel('Unit').fill('€')
    await dialog.getByRole('button', { name: 'Set milestone' }).click()
    const list = page.getByRole('list', { name: 'Milestones' })
    await list.getByText('0 of 10 €').waitFor()
    await list.getByLabel('How much to add to Microphone').fill('12')
    await page.keyboard.press('Enter')
    await list.getByText('12 of 10 €').waitFor()
    await list.getByText('reached').waitFor()
    await preview().getByText('12 / 10 €').waitFor()
    await list.getByRole('button', { name: 'More for Microphone' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await list.getByText('12 of 10 €').waitFor({ state: 'detached' })
    // With the last row gone, whoever types goes on at the top of the page.
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
    await page.keyboard.press('z')
    await list.getByText('12 of 10 €').waitFor()
  })

  it('clears the overlay at once, holds it, and shows again', async () => {
    await page.getByRole('button', { name: /^Panic/ }).click()
    await page.getByText('The overlay is held empty.').waitFor()
    await preview().getByText('There is the roof.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Show again' }).click()
    await page.getByRole('button', { name: /^Panic/ }).waitFor()
    await expect.poll(() => captions().count()).toBe(3)
  })

  it('keeps a key without ever showing it', async () => {
    await page.getByRole('button', { name: 'Add a key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Keep a stream key' })
    await dialog.getByLabel('Platform').fill('twitch')
    await dialog.getByLabel('Stream key', { exact: true }).fill('live_123456789_secret')
    await dialog.getByRole('button', { name: 'Keep key' }).click()
    const list = page.getByRole('list', { name: 'Platforms' })
    await list.getByText('…cret').waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain('live_123456789')
  })

  it('offers the overlay’s address to copy, with a token where one is needed', async () => {
    await page.getByText(`${service.url}/overlay`, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Make an address with a token' }).click()
    const dialog = page.getByRole('dialog', { name: 'The overlay’s address' })
    const address = await dialog.locator('code').textContent()
    expect(address).toMatch(/\/overlay\?token=[\w-]{40,}$/)
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
  })

  it('ends, and keeps what was said as files', async () => {
    await page.getByRole('button', { name: 'Stop' }).click()
    await said(page, 'The stream has ended.')
    // By a key: a menu that is opened by the mouse closes when its row moves before the button is let go.
    await page.getByRole('button', { name: 'More for Bird table' }).press('Enter')
    const choice = page.getByRole('menuitem', { name: 'Captions in en, .vtt' })
    await choice.waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), choice.click()])
    expect(file.suggestedFilename()).toMatch(/^stream-\d+\.en.*\.vtt$/)
    expect(await findFaults(page)).toEqual([])
    expect(visitor.troubles).toEqual([])
  })
})
