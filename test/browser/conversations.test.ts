import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../../src/database/all-accounts.ts'
import { type Instance, startInstance } from '../support/instance.ts'
import { scaled } from '../support/scale.ts'
import { findAccessibilityIssues } from './faults.ts'
import { expectOpen, expectToast, mailLink, mailRow, subjects, undo } from './mailbox.ts'
import { openBrowser, openPage, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const consoleDirectory = fileURLToPath(new URL('../../web/dist', import.meta.url))
const MANY = scaled({ full: 100_000, short: 10_000 })
/** More pages than a refresh reads. */
const SCROLLED = scaled({ full: 2_000, short: 1_000 })

withBrowser('conversations', () => {
  let instance: Instance
  let browser: Browser
  let visitor: Visitor
  let page: Page

  const put = (email: Record<string, unknown>) =>
    visitor.context.request.post('/api/emails', { data: { to: ['ana@example.org'], ...email } })
  const read = async (path: string) => (await visitor.context.request.get(path)).json()
  const hoursAgo = (hours: number) =>
    new Date(instance.clock.now().getTime() - hours * 3_600_000).toISOString()

  beforeAll(async () => {
    instance = await startInstance({ environment: { TZ_DEFAULT: 'UTC' }, deps: { consoleDirectory } })
    browser = await openBrowser()
    visitor = await visit(browser, instance.url)
    page = visitor.page
    await signUp(visitor, '/mail')
    await put({
      from: 'Ines Falk <ines@falk.example>',
      subject: 'Plan',
      text: 'The staircase is steep.',
      messageId: 'a@x',
      date: hoursAgo(9),
      tags: ['house'],
      read: true,
    })
    await put({
      from: 'Ben Okafor <ben@example.org>',
      subject: 'Re: Plan',
      text: 'Turn the staircase.',
      inReplyTo: 'a@x',
      date: hoursAgo(1),
      tags: ['work'],
    })
    await put({ from: 'Bank <bank@example.org>', subject: 'Statement', text: 'Here.', date: hoursAgo(2) })
    await put({
      from: 'Choir <choir@example.org>',
      subject: 'Rehearsal',
      text: 'At eight.',
      date: hoursAgo(3),
    })
  })
  afterAll(async () => {
    await browser?.close()
    await instance?.close()
  })

  it('shows one row with its people, its number of emails and its tags', async () => {
    await page.goto('/mail')
    await expect.poll(() => subjects(page)).toEqual(['Re: Plan', 'Statement', 'Rehearsal'])
    const row = mailRow(page, 'Re: Plan')
    await row.getByText('Ines, Ben').waitFor()
    await row.getByText('2 emails').waitFor()
    await row.getByText('#house').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  it('archives a whole conversation, opens the next one, and leaves that unread at first', async () => {
    await mailLink(page, 'Re: Plan').click()
    await expectOpen(page, 'Re: Plan')
    await expect.poll(() => mailRow(page, 'Re: Plan').getAttribute('data-read')).toBe('true')
    await page.keyboard.press('e')
    await expectOpen(page, 'Statement')
    expect(await mailRow(page, 'Statement').getAttribute('data-read')).toBe('false')
    await expectToast(page, '“Re: Plan” archived')
    expect((await read('/api/threads?folder=archive')).threads[0].messageCount).toBe(2)
    await expect.poll(() => mailRow(page, 'Statement').getAttribute('data-read')).toBe('true')
    await undo(page, '“Re: Plan” archived')
    await expect.poll(() => subjects(page)).toEqual(['Re: Plan', 'Statement', 'Rehearsal'])
    // The list takes the focus only from the closed thread, not from the button of the toast.
    await page.locator('.toast', { hasText: '“Re: Plan” archived' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate('document.activeElement.className')).toContain('mail-link')
  })

  it('opens with o, selects with x, shift and select all, and removes a tag with undo', async () => {
    await mailLink(page, 'Statement').focus()
    await page.keyboard.press('o')
    await expectOpen(page, 'Statement')
    await page.keyboard.press('Escape')
    await mailLink(page, 'Re: Plan').focus()
    await page.keyboard.press('x')
    await page.getByRole('checkbox', { name: /^Select Rehearsal/ }).click({ modifiers: ['Shift'] })
    await page.getByText('3 selected').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.getByText('3 selected').waitFor()
    await page.getByRole('button', { name: 'Remove tag' }).click()
    await page.getByRole('menuitem', { name: '#house' }).click()
    await expectToast(page, '#house removed from 1 email')
    await expect.poll(() => mailRow(page, 'Re: Plan').getByText('#house').count()).toBe(0)
    await undo(page, '#house removed from 1 email')
    await mailRow(page, 'Re: Plan').getByText('#house').waitFor()
    await page.getByRole('button', { name: 'Move to' }).click()
    await page.getByRole('menuitem', { name: 'Trash' }).click()
    await page.getByText('Inbox is empty').or(page.getByText('No email account yet')).waitFor()
    await undo(page, '3 emails moved to trash')
    await expect.poll(async () => (await subjects(page)).length).toBe(3)
  })

  it('has actions in a row under the pointer', async () => {
    await mailRow(page, 'Rehearsal').hover()
    await mailRow(page, 'Rehearsal').getByRole('button', { name: 'Archive' }).click()
    await expectToast(page, '“Rehearsal” archived')
    await undo(page, '“Rehearsal” archived')
    await mailRow(page, 'Rehearsal').waitFor()
  })

  it('lists starred conversations of all folders', async () => {
    await mailRow(page, 'Statement').getByRole('button', { name: /^Star/ }).click()
    await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Starred' }).click()
    await expect.poll(() => subjects(page)).toEqual(['Statement'])
    await page.goBack()
    await expect.poll(async () => (await subjects(page)).length).toBe(3)
  })

  it('suggests senders and recent searches, and marks the words that were found', async () => {
    const field = page.getByRole('searchbox')
    await field.click()
    await page.getByRole('button', { name: 'has:attachment' }).waitFor()
    await field.fill('in')
    await page.getByRole('button', { name: /^Ines Falk/ }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => field.inputValue()).toBe('from:ines@falk.example ')
    await expect.poll(() => subjects(page)).toEqual(['Plan'])
    // The last word counts as the beginning of a word, until a space ends it.
    await field.fill('stairc ')
    await expect.poll(() => subjects(page)).toEqual([])
    await field.fill('stairc')
    await expect.poll(() => page.locator('.mail-snippet mark').allInnerTexts()).toEqual(['staircase'])
    await field.fill('staircase')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.mail-snippet mark').allInnerTexts()).toEqual(['staircase'])
    await mailLink(page, 'Re: Plan').click()
    await page.locator('.message-text').getByText('Turn the staircase.').waitFor()
    await expect.poll(() => page.evaluate("CSS.highlights.get('mail-search')?.size")).toBe(1)
  })

  it('saves a search, runs, renames and deletes it', async () => {
    await page.getByRole('button', { name: 'Save search' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Stairs')
    await page.keyboard.press('Enter')
    await expectToast(page, 'Search saved')
    await openPage(page, '/mail')
    const open = () => page.getByRole('button', { name: 'Saved searches' }).click()
    await open()
    await page.getByRole('button', { name: 'Stairs', exact: true }).click()
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('staircase')
    await open()
    await page.getByRole('button', { name: 'Actions for Stairs' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Steps')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await open()
    await page.getByRole('button', { name: 'Actions for Steps' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Saved searches' }).waitFor({ state: 'hidden' })
  })

  it('shows 20 rows, and scrolls through many conversations without a growing page', async () => {
    const { db } = instance.database
    const names = Object.keys(
      await db.selectFrom('emails').selectAll().limit(1).modifyEnd(ALL_ACCOUNTS).executeTakeFirstOrThrow(),
    ).filter((name) => !['id', 'position', 'threadId', 'subject', 'messageId', 'date'].includes(name))
    const columns = sql.join(names.map((name) => sql.ref(name)))
    await sql`insert into emails (position, "threadId", subject, "messageId", date, ${columns})
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(MANY)})
      select position - 2048 * n * 1000, 1000000 + n, 'Letter ' || n, null,
        strftime('%Y-%m-%dT%H:%M:%fZ', date, '-' || n || ' seconds'), ${columns}
      from emails cross join numbers where subject = 'Rehearsal' ${ALL_ACCOUNTS}`.execute(db)
    await page.goto('/mail')
    await mailRow(page, 'Letter 5').first().waitFor()
    const countVisible = () =>
      page.evaluate(`(() => {
        const { top, bottom } = document.querySelector('.mail-scroll').getBoundingClientRect()
        return [...document.querySelectorAll('.mail-row')].filter((row) => {
          const box = row.getBoundingClientRect()
          return box.top >= top - 1 && box.bottom <= bottom + 1
        }).length
      })()`)
    expect(await countVisible()).toBeGreaterThanOrEqual(20)
    const countElements = () => page.evaluate<number>("document.querySelectorAll('.mail-list *').length")
    const before = await countElements()
    const last = page.locator('.mail-row').last()
    const position = async () => Number(await last.getAttribute('aria-posinset'))
    const scroll = async () => {
      await page.evaluate("document.querySelector('.mail-scroll').scrollBy(0, 8000)")
      return position()
    }
    // Each page of the list has its own time limit.
    for (let reached = await position(); reached <= SCROLLED; reached = await position())
      await expect.poll(scroll).toBeGreaterThan(reached)
    expect(await page.locator('.mail-row').count()).toBeLessThan(50)
    expect(await countElements()).toBeLessThan(before * 1.6)
    // At the end of the loaded rows, one more page is loaded, and the list stays where it is.
    await expect.poll(position).toBeLessThan(SCROLLED + 600)
    // New mail refreshes only the beginning of a long list, and moves nothing.
    const middle = page.locator('.mail-row').nth(10)
    const [subject = ''] = await middle.locator('.mail-subject').allInnerTexts()
    const place = async () =>
      (await page.locator('.mail-row', { hasText: subject }).first().boundingBox())?.y ?? 0
    const y = await place()
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/threads?')) requests.push(request.url())
    })
    await put({ from: 'New <new@example.org>', subject: 'Just in', text: 'x', date: hoursAgo(0) })
    await expect.poll(() => requests.length).toBeGreaterThan(0)
    expect(Math.abs((await place()) - y)).toBeLessThan(2)
    await page.evaluate("document.querySelector('.mail-scroll').scrollTo(0, 0)")
    await mailRow(page, 'Just in').waitFor()
    expect(requests.length).toBeLessThan(4)
  })

  it('causes no browser errors', () => {
    expect(visitor.browserErrors).toEqual([])
  })
})
