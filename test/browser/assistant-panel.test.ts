import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startOpenAi } from '../support/providers/openai.ts'
import type { Provider } from '../support/providers/provider.ts'
import { findAccessibilityIssues, findDarkModeIssues } from './faults.ts'
import { expectToast, undo } from './mailbox.ts'
import { type Service, startService } from './service.ts'
import {
  navigate,
  openBrowser,
  openPage,
  pageWidth,
  pathOf,
  signUp,
  type Visitor,
  visit,
  withBrowser,
} from './visitor.ts'

const KEY = 'sk-panel-0123456789-wxyz'

withBrowser('assistant panel', () => {
  let service: Service
  let provider: Provider
  let browser: Browser
  let visitor: Visitor
  let page: Page
  let emailId: number
  beforeAll(async () => {
    provider = await startOpenAi()
    service = await startService({ MODEL_A: 'openai:gpt-4.1', OPENAI_BASE_URL: provider.url })
    browser = await openBrowser()
    visitor = await visit(browser, service.url, { expected: [{ status: 502, path: /chat$/ }] })
    page = visitor.page
    await signUp(visitor, '/tasks')
    const mail = {
      from: 'Bob <bob@example.org>',
      subject: 'The offer',
      text: 'Can you send the offer by Friday?',
    }
    emailId = (await post('/api/emails', mail)).id
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    await provider?.close()
  })

  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    expect(answer.ok).toBe(true)
    return answer.json() as Promise<{ id: number }>
  }
  const panel = (where = page) => where.locator('.assistant-panel')
  const field = (where = page) => where.getByLabel('Message', { exact: true })
  const messages = (where = page) => where.getByRole('list', { name: 'Conversation', exact: true })
  const isIdle = () => page.locator('.chat-messages[aria-busy="false"]').waitFor()
  const say = async (text: string) => {
    await field().fill(text)
    await page.keyboard.press('Enter')
  }

  it('opens with a key on every page, keeps its state, and returns the focus', async () => {
    const button = page.getByRole('button', { name: 'Assistant panel' })
    expect(await button.getAttribute('aria-expanded')).toBe('false')
    await page.getByRole('textbox', { name: 'New task' }).focus()
    await page.keyboard.press('Control+j')
    await field().waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('chat-message')
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('INPUT')
    await button.click()
    await field().fill('A long th')
    await navigate(page, '/calendar')
    expect(await field().inputValue()).toBe('A long th')
    await page.reload()
    await expect.poll(() => field().inputValue()).toBe('A long th')
    await field().fill('')
    // Suggestions fit the page.
    await panel().getByRole('button', { name: 'When am I free this week?' }).waitFor()
    expect(await pageWidth(page)).toBe(1280)
  })

  it('shows cards with actions for what the answer names', async () => {
    await say('Remind me to water the plants tomorrow at 10')
    const card = panel().locator('.chat-card')
    await card.getByRole('link', { name: 'water the plants' }).waitFor()
    await panel().getByText('Built-in rules · 1 step').waitFor()
    await card.getByRole('checkbox', { name: 'Done: water the plants' }).check()
    await card.getByText(/^Done · Due/).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await card.getByRole('link', { name: 'water the plants' }).click()
    await page.getByRole('complementary', { name: 'Task', exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('task')).not.toBeNull()
    await page.keyboard.press('Escape')
    await page.getByRole('complementary', { name: 'Task', exact: true }).waitFor({ state: 'detached' })
    // The same conversation as a page.
    await panel().getByRole('button', { name: 'Open as page' }).click()
    await page.getByRole('heading', { level: 1, name: 'Assistant' }).waitFor()
    await messages().getByRole('link', { name: 'water the plants' }).waitFor()
    expect(await panel().count()).toBe(0)
    await page.goBack()
  })

  it('acts on the open email, and confirms inside the message also after a reload', async () => {
    await openPage(page, `/mail/inbox/${emailId}`)
    await panel().getByRole('button', { name: 'New conversation' }).click()
    await panel().getByText('The offer').waitFor()
    await panel().getByRole('button', { name: 'Draft a reply to this' }).click()
    const draft = panel().locator('.chat-card').filter({ hasText: 'Draft' })
    await draft.getByRole('link', { name: 'Edit' }).waitFor()
    await isIdle()
    await say('delete this')
    await panel().getByRole('button', { name: 'Delete email', exact: true }).waitFor()
    await page.reload()
    await panel().getByRole('button', { name: 'Delete email', exact: true }).click()
    await panel()
      .getByText(/^Done, /)
      .waitFor()
    await page.reload()
    await panel()
      .getByText(/^Done, /)
      .waitFor()
    expect(await panel().getByRole('button', { name: 'Delete email', exact: true }).count()).toBe(0)
    await panel().getByRole('button', { name: 'Undo: Delete email' }).click()
    await panel().getByText('Delete email: undone').waitFor()
  })

  it('keeps the answer of a question visible', async () => {
    for (const title of ['Paint the fence', 'Paint the door']) await post('/api/tasks', { title })
    await openPage(page, '/tasks')
    await panel().getByRole('button', { name: 'New conversation' }).click()
    await say('mark the task paint as done')
    const option = panel().getByRole('button', { name: 'Paint the door' })
    await option.click()
    await expect.poll(() => option.getAttribute('aria-pressed')).toBe('true')
    await isIdle()
    await page.reload()
    await expect.poll(() => option.getAttribute('aria-pressed')).toBe('true')
    expect(await option.isDisabled()).toBe(true)
  })

  it('searches and renames conversations', async () => {
    await panel().getByRole('button', { name: 'Conversations', exact: true }).click()
    const list = panel().getByRole('navigation', { name: 'Conversations' })
    await list.getByRole('searchbox', { name: 'Search conversations' }).fill('plants')
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
    await list.getByRole('button', { name: /^More: Remind me/ }).click()
    await page.getByRole('menuitem', { name: 'Rename…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename conversation' })
    await dialog.getByLabel('Title').fill('Garden')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await list.getByRole('button', { name: 'Garden', exact: true }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    const found = page.waitForResponse(/[?&]q=garden/)
    await list.getByRole('searchbox').fill('garden')
    await found
    await list.getByRole('button', { name: 'Garden', exact: true }).click()
    await messages().getByRole('link', { name: 'water the plants' }).waitFor()
  })

  it('shows priorities and events as cards with undo, and opens the event itself', async () => {
    await post('/api/tasks', { title: 'Pay the rent', priority: 'urgent', dueAt: '2026-01-02' })
    const start = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 86_400_000)
    const end = new Date(start.getTime() + 3_600_000)
    const event = { title: 'Choir practice', start: start.toISOString(), end: end.toISOString() }
    await post('/api/calendar/events', event)
    await openPage(page, '/')
    await panel().getByRole('button', { name: 'New conversation' }).click()
    await panel().getByRole('button', { name: 'What needs my attention today?' }).click()
    const rent = panel().locator('.chat-card').filter({ hasText: 'Pay the rent' })
    await rent.getByText(/^Overdue for .* · Urgent/).waitFor()
    await isIdle()
    await rent.getByRole('checkbox', { name: 'Done: Pay the rent' }).press('Space')
    await expectToast(page, '“Pay the rent” completed')
    await rent.getByText(/^Done/).waitFor()
    await undo(page, '“Pay the rent” completed')
    await expect.poll(() => rent.getByText(/^Done/).count()).toBe(0)
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    await say('What do I have tomorrow?')
    await panel().getByRole('link', { name: 'Choir practice' }).click()
    await page.getByRole('dialog', { name: 'Choir practice' }).waitFor()
    expect(new URL(page.url()).searchParams.get('event')).toBeNull()
    await page.keyboard.press('Escape')
  })

  it('asks about a plan with its blocks, which can be unticked before they are booked', async () => {
    await openPage(page, '/tasks')
    await panel().getByRole('button', { name: 'New conversation' }).click()
    await say('Plan my tasks for next week')
    await panel().getByRole('heading', { level: 3 }).first().waitFor()
    expect(await panel().getByText('taskId').count()).toBe(0)
    await panel().getByRole('button', { name: 'Edit…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit action' })
    const boxes = dialog.getByRole('checkbox')
    const count = await boxes.count()
    await boxes.first().uncheck()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    const outcome = panel().getByText(/^Done, /)
    await outcome.waitFor()
    // The outcome has the focus, and Undo is next to it.
    await expect.poll(() => page.evaluate('document.activeElement.id')).toMatch(/^action-/)
    await page.keyboard.press('Tab')
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('Undo: Book plan')
    const answer = await fetch(`${service.url}/api/calendar/events?limit=200`)
    const { events } = (await answer.json()) as { events: { title: string }[] }
    expect(events.filter(({ title }) => title !== 'Choir practice').length).toBe(count - 1)
    await page.keyboard.press('Enter')
    await panel().getByText('Book plan: undone').waitFor()
  })

  it('stops, retries and edits, renders markdown, and keeps text that was not sent', async () => {
    await openPage(page, '/settings/ai')
    await page.getByRole('button', { name: 'Add key for OpenAI' }).click()
    provider.key = KEY
    await page.getByLabel('Key', { exact: true }).fill(KEY)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Verified', { exact: true }).waitFor()
    await page.getByRole('radio', { name: /gpt-4\.1/ }).check()
    await panel().getByRole('button', { name: 'New conversation' }).click()
    provider.script = [{ say: 'word '.repeat(400) }]
    provider.paceMs = 50
    await say('Tell me a story')
    await messages().getByText('word word').waitFor()
    await panel().getByRole('button', { name: 'Stop' }).click()
    await messages().getByText('This answer is incomplete.').waitFor()
    await expect.poll(() => provider.asked.at(-1)?.isAborted).toBe(true)
    provider.paceMs = 0
    provider.script = [
      {
        say: '# Plan\n\n- **one**\n- [two](https://example.org)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<b>x</b> [bad](javascript:alert(1))',
      },
    ]
    await panel().getByRole('button', { name: 'Retry this answer' }).click()
    const answer = messages().locator('[data-role="assistant"]')
    await answer.getByRole('link', { name: 'two' }).waitFor()
    expect(await answer.getByRole('link', { name: 'two' }).getAttribute('rel')).toContain('noopener')
    expect(await answer.getByRole('link', { name: 'bad' }).count()).toBe(0)
    await answer.getByText('<b>x</b>').waitFor()
    await answer.getByRole('columnheader', { name: 'a' }).waitFor()
    await panel().getByText('gpt-4.1', { exact: true }).waitFor()
    expect(await answer.count()).toBe(1)
    await panel().getByRole('button', { name: 'Edit your last message' }).click()
    expect(await field().inputValue()).toBe('Tell me a story')
    provider.script = [{ say: 'A poem.' }]
    await say('Tell me a poem')
    await answer.getByText('A poem.').waitFor()
    await expect.poll(() => messages().getByText('Tell me a story').count()).toBe(0)
    await page.route('**/api/ai/chat', (route) => route.abort())
    await say('Are you there?')
    await page.getByRole('alert').getByText('Could not reach Factotum. Check your connection.').waitFor()
    await expect.poll(() => field().inputValue()).toBe('Are you there?')
    await page.unroute('**/api/ai/chat')
    provider.script = [{ say: 'I am here.' }]
    await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click()
    await answer.getByText('I am here.').waitFor()
    await expect.poll(() => field().inputValue()).toBe('')
    const { browserErrors } = visitor
    expect(browserErrors.filter((error) => !/ERR_FAILED/.test(error))).toEqual([])
  })

  it('is resized by keyboard and remembers its width', async () => {
    const edge = panel().getByRole('separator', { name: 'Width of the assistant panel' })
    const width = async () => Math.round((await panel().boundingBox())?.width ?? 0)
    await edge.press('End')
    await expect.poll(width).toBe(320)
    await page.reload()
    await expect.poll(width).toBe(320)
    await edge.press('ArrowLeft')
    await expect.poll(width).toBe(336)
    await edge.dblclick()
    await expect.poll(width).toBe(388)
  })

  it('covers a narrow window, and Escape or a press beside it closes it', async () => {
    await page.setViewportSize({ width: 1024, height: 768 })
    await page.goto('/tasks')
    const button = page.getByRole('button', { name: 'Assistant panel' })
    await button.click()
    await page.getByRole('dialog', { name: 'Assistant' }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'detached' })
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('Assistant panel')
    await button.click()
    await panel().waitFor()
    await page.mouse.click(300, 400)
    await panel().waitFor({ state: 'detached' })
  })

  it('covers the page of a phone and opens the target of a link', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto('/tasks')
    await page.getByRole('button', { name: 'Assistant panel' }).click()
    await page.getByRole('dialog', { name: 'Assistant' }).waitFor()
    expect(await pageWidth(page)).toBe(320)
    await panel().getByRole('button', { name: 'Conversations', exact: true }).click()
    await panel().getByRole('button', { name: 'Garden', exact: true }).click()
    await panel().getByRole('link', { name: 'water the plants' }).click()
    await panel().waitFor({ state: 'detached' })
    expect(pathOf(page)).toBe('/tasks')
  })
})
