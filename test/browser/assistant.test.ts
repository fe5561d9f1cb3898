import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LOCAL_SERVERS } from '../../src/features/models/local-servers.ts'
import type { Answer } from '../support/instance.ts'
import { type OddServer, startOddServer } from '../support/providers/odd-server.ts'
import { startOpenAi } from '../support/providers/openai.ts'
import type { Provider } from '../support/providers/provider.ts'
import { findAccessibilityIssues } from './faults.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, openPage, PASSWORD, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const KEY = 'sk-console-0123456789-wxyz'

/** Starts a model server at the first free default address. Other runs may use the others. */
const startLocalServer = async (): Promise<OddServer> => {
  for (const { baseUrl } of LOCAL_SERVERS) {
    const server = await startOddServer(Number(new URL(baseUrl).port)).catch(() => undefined)
    if (server) return server
  }
  throw new Error('All default ports of model servers are in use.')
}

withBrowser('console assistant', () => {
  let service: Service
  let provider: Provider
  let browser: Browser
  let visitor: Visitor
  let page: Page
  beforeAll(async () => {
    provider = await startOpenAi()
    service = await startService({ MODEL_A: 'openai:gpt-4.1', OPENAI_BASE_URL: provider.url })
    browser = await openBrowser()
    // The card of an undone task finds that it no longer exists.
    visitor = await visit(browser, service.url, { expected: [{ status: 404, path: /^\/api\/tasks\/\d+$/ }] })
    page = visitor.page
    await signUp(visitor, '/tasks')
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    await provider?.close()
  })

  const say = async (text: string) => {
    await page.getByLabel('Message', { exact: true }).fill(text)
    await page.getByRole('button', { name: 'Send' }).click()
  }
  const messages = (where: Page) => where.getByRole('list', { name: 'Conversation', exact: true })

  it('answers without a model and says so', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await page.getByRole('heading', { level: 1, name: 'Assistant' }).waitFor()
    await say('Write a poem about ducks')
    await messages(page).getByText('Try: “add a task').waitFor()
    await messages(page).getByText('Built-in rules').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await say('Write a poem about geese')
    await expect.poll(() => messages(page).getByText('Try: “add a task').count()).toBe(2)
  })

  it('shows the newest message after each answer and after a reload', async () => {
    await page.setViewportSize({ width: 1280, height: 500 })
    const isAtEnd = () =>
      page.evaluate('document.documentElement.scrollHeight - innerHeight - scrollY < 2') as Promise<boolean>
    const answers = () => messages(page).getByText('Try: “add a task').count()
    for (const [index, bird] of ['swans', 'gulls', 'terns'].entries()) {
      await say(`Write a poem about ${bird}`)
      await expect.poll(answers).toBe(3 + index)
      await expect.poll(isAtEnd).toBe(true)
    }
    await page.mouse.wheel(0, -10_000)
    await expect.poll(() => page.evaluate('scrollY')).toBe(0)
    await page.reload()
    await expect.poll(answers).toBe(5)
    await expect.poll(isAtEnd).toBe(true)
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('saves and verifies a key in the settings without showing it', async () => {
    await openPage(page, '/settings/ai')
    await page.getByText('gpt-4.1').waitFor()
    await page.getByRole('button', { name: 'Add key for OpenAI' }).click()
    provider.key = 'sk-another-0123456789'
    await page.getByLabel('Key', { exact: true }).fill(KEY)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Not verified').waitFor()
    await page.getByText('OpenAI refused the key (401).').first().waitFor()
    provider.key = KEY
    await page.getByRole('button', { name: 'Verify key for OpenAI' }).click()
    await page.getByText('Verified', { exact: true }).waitFor()
    await page.getByText('…wxyz').waitFor()
    expect(await page.content()).not.toContain(KEY)
    await page.getByRole('radio', { name: /gpt-4\.1/ }).check()
  })

  it('streams an answer, shows the tool calls and undoes them', async () => {
    provider.script = [
      { calls: [{ name: 'create_task', input: { title: 'Feed the ducks' } }] },
      { say: 'I added it to your tasks.' },
    ]
    await openPage(page, '/assistant')
    await say('Remind me to feed the ducks')
    await messages(page).getByText('I added it to your tasks.').waitFor()
    // The engine is displayed when the answer is stored. Buttons of the running answer are replaced then.
    await messages(page).getByText('gpt-4.1 · 1 step').waitFor()
    await messages(page).getByRole('link', { name: 'Feed the ducks' }).waitFor()
    await page.getByRole('button', { name: 'Undo: Create task' }).click()
    await messages(page).getByText('Create task: undone').waitFor()
    await messages(page).getByText('No longer exists').waitFor()
    await openPage(page, '/tasks')
    await page.getByText('No tasks').waitFor()
  })

  it('asks before it deletes: reject, confirm', async () => {
    await openPage(page, '/tasks')
    for (const title of ['One', 'Two']) {
      await page.getByRole('textbox', { name: 'New task' }).fill(title)
      await page.keyboard.press('Enter')
      await page.getByRole('checkbox', { name: `Done: ${title}` }).waitFor()
    }
    await openPage(page, '/assistant')
    const deleting = async (id: number) => {
      provider.script = [{ calls: [{ name: 'delete_task', input: { id } }] }, { say: 'It waits for you.' }]
      const answers = messages(page).getByText('It waits for you.')
      const before = await answers.count()
      await say('Delete it')
      await expect.poll(() => answers.count()).toBe(before + 1)
      await page.getByRole('button', { name: 'Delete task', exact: true }).waitFor()
    }
    await deleting(2)
    expect(await findAccessibilityIssues(page)).toEqual([])
    // The buttons are in the message that asked, and that message says what was decided.
    const asking = messages(page).getByRole('listitem').filter({ hasText: 'It waits for you.' })
    await asking.getByRole('button', { name: 'Reject' }).click()
    await asking.getByText(/^Rejected, /).waitFor()
    expect(await asking.getByRole('button', { name: 'Delete task' }).count()).toBe(0)
    await expect.poll(() => page.evaluate('document.activeElement.id')).toMatch(/^action-/)
    await deleting(3)
    // The request names only its task, so there is nothing to edit.
    expect(await page.getByRole('button', { name: 'Edit…' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Delete task', exact: true }).click()
    await messages(page)
      .getByText(/^Done, /)
      .waitFor()
    await deleting(2)
    await page.getByRole('button', { name: 'Delete task', exact: true }).click()
    await expect
      .poll(() =>
        messages(page)
          .getByText(/^Done, /)
          .count(),
      )
      .toBe(2)
    // The outcomes stay after a reload.
    await page.reload()
    await expect
      .poll(() =>
        messages(page)
          .getByText(/^Done, /)
          .count(),
      )
      .toBe(2)
    await messages(page)
      .getByText(/^Rejected, /)
      .waitFor()
    await openPage(page, '/tasks')
    await page.getByText('No tasks').waitFor()
  })

  it('shows an email before it is sent and lets the user edit it', async () => {
    provider.script = [
      {
        calls: [
          {
            name: 'send_email',
            input: { to: ['bob@example.org'], subject: 'Offer', text: 'Hello Bob,\n\nhere it is.' },
          },
        ],
      },
      { say: 'It waits for you.' },
    ]
    await openPage(page, '/assistant')
    await say('Write to Bob about the offer')
    const payload = page.locator('.chat-payload')
    await payload.getByText('bob@example.org').waitFor()
    expect(await payload.getByRole('definition').allInnerTexts()).toEqual([
      'bob@example.org',
      'Offer',
      'Hello Bob,\n\nhere it is.',
    ])
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.getByRole('button', { name: 'Edit…' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Text').inputValue()).toBe('Hello Bob,\n\nhere it is.')
    expect(await dialog.getByLabel('To', { exact: true }).inputValue()).toBe('bob@example.org')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Reject' }).click()
    await payload.waitFor({ state: 'detached' })
    await messages(page)
      .getByText(/^Rejected, /)
      .waitFor()
  })

  const call = async (path: string, body?: object, token?: string): Promise<Omit<Answer, 'headers'>> => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const answer = await fetch(`${service.url}${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', ...authorization },
    })
    return { status: answer.status, body: await answer.json() }
  }

  it('asks before it moves an event with guests, and names them', async () => {
    const start = '2030-03-01T12:00:00Z'
    const event = { title: 'Lunch with Li', start, attendees: ['li@example.org'] }
    const { id } = (await call('/api/calendar/events', event)).body
    const input = { id, start: '2030-03-02T12:00:00Z' }
    provider.script = [{ calls: [{ name: 'move_event', input }] }, { say: 'It waits for you.' }]
    await openPage(page, '/assistant')
    await say('Move it by a day')
    const notice = page.getByText('guests may be notified: li@example.org')
    await notice.waitFor()
    // Dates are shown and edited in the format of the account.
    await page
      .locator('.chat-payload')
      .getByText(/^Mar 2, 2030, 12:00\sPM$/)
      .waitFor()
    await page.getByRole('button', { name: 'Edit…' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Start', { exact: true }).inputValue()).toBe('03/02/2030')
    await dialog.getByLabel('Start: time').fill('1:30 pm')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await messages(page)
      .getByText(/^Done, /)
      .waitFor()
    const moved = await call(`/api/calendar/events/${id}`)
    expect(moved.body.start).toBe('2030-03-02T13:30:00.000Z')
  })

  it('keeps what an answer did, from before to after, when the item changes again', async () => {
    const event = { title: 'Yoga', start: '2030-03-01T12:00:00Z', location: 'Room 1' }
    const { id } = (await call('/api/calendar/events', event)).body
    const { id: task } = (await call('/api/tasks', { title: 'Sweep', priority: 'low' })).body
    provider.script = [
      {
        calls: [
          { name: 'move_event', input: { id, start: '2030-03-02T12:00:00Z' } },
          { name: 'update_event', input: { id, location: 'Room 2' } },
          { name: 'update_task', input: { id: task, title: 'Sweep the yard', priority: 'high' } },
        ],
      },
      { say: 'I changed both.' },
    ]
    await openPage(page, '/assistant')
    await say(
      'Move Yoga by a day, set its place to Room 2, and rename Sweep to “Sweep the yard”, high priority',
    )
    const card = (name: string) => messages(page).locator('.chat-card').filter({ hasText: name })
    const expectChanges = async () => {
      await card('Yoga').getByText('Mar 1, 2030 → Mar 2, 2030').waitFor()
      await card('Yoga').getByText('Room 1 → Room 2').waitFor()
      await card('Sweep').getByText('Sweep → Sweep the yard').waitFor()
      await card('Sweep').getByText('Low → High').waitFor()
    }
    await expectChanges()
    const patched = await fetch(`${service.url}/api/calendar/events/${id}`, {
      method: 'PATCH',
      body: JSON.stringify({ start: '2030-03-09T12:00:00Z', title: 'Pilates' }),
      headers: { 'content-type': 'application/json' },
    })
    expect(patched.status).toBe(200)
    await page.reload()
    await expectChanges()
    expect(await card('Yoga').innerText()).not.toMatch(/Mar 9|Pilates/)
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  it('shows the draft that a mail:draft token wants to send, and sends it after confirmation', async () => {
    const { token } = (await call('/api/auth/login', { email: 'ana@example.org', password: PASSWORD })).body
    const server = { host: '127.0.0.1', port: 9, tls: 'none' }
    const account = { address: 'ana@example.org', password: 'secret', imap: server, smtp: server }
    expect((await call('/api/settings/mail-accounts', account, token)).status).toBe(201)
    const tokenInput = { password: PASSWORD, name: 'drafts', scopes: ['mail:draft'] }
    const drafting = (await call('/api/settings/tokens', tokenInput, token)).body.token
    const email = { to: ['bob@example.org'], subject: 'Quarterly offer', text: 'Hello Bob.' }
    const asked = await call('/api/emails/send', email, drafting)
    expect([asked.status, asked.body.status]).toEqual([202, 'needs_confirmation'])
    await page.goto('/assistant')
    await page.getByText('Send “Quarterly offer” to bob@example.org').waitFor()
    const draft = page.locator('.chat-payload')
    await draft.getByText('Hello Bob.').waitFor()
    await page.getByRole('link', { name: 'Open draft' }).waitFor()
    expect(await page.getByRole('button', { name: 'Edit…' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Send draft' }).click()
    await draft.waitFor({ state: 'detached' })
    const sent = await call(`/api/emails/${asked.body.emailId}`)
    expect(sent.body.delivery.status).toBe('queued')
    await openPage(page, '/settings/tokens')
    await page.getByText('Email: read and draft').waitFor()
    await page.getByText('Draft emails: sends only after you confirm.').waitFor()
  })

  it('redirects to the sign-in page without a session, in open mode too', async () => {
    const stranger = await visit(browser, service.url)
    await stranger.page.goto('/assistant')
    await stranger.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await stranger.context.close()
  })

  it('keeps, reopens and deletes conversations', async () => {
    await openPage(page, '/assistant')
    const list = page.getByRole('navigation', { name: 'Conversations' })
    await list.getByRole('button', { name: 'Remind me to feed the ducks', exact: true }).click()
    await messages(page).getByText('I added it to your tasks.').waitFor()
    await page.reload()
    await messages(page).getByText('I added it to your tasks.').waitFor()
    const remove = async () => {
      await list.getByRole('button', { name: 'More: Remind me to feed the ducks' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
    }
    await remove()
    await list.getByText('Remind me to feed the ducks').waitFor({ state: 'detached' })
    await messages(page).getByText('I added it to your tasks.').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await list.getByText('Remind me to feed the ducks').waitFor()
    await remove()
    await page.reload()
    await list.getByRole('button', { name: 'New conversation' }).waitFor()
    await list.getByText('Remind me to feed the ducks').waitFor({ state: 'detached' })
  })

  it('reports a failure and keeps the unsent message', async () => {
    provider.script = [{ status: 500 }]
    await say('Are you there?')
    await page.getByRole('alert').getByText('OpenAI failed (500).').waitFor()
    await page.route('**/api/ai/chat', (route) => route.abort())
    await say('Is anybody there?')
    await page.getByRole('alert').getByText('Could not reach Factotum. Check your connection.').waitFor()
    await expect
      .poll(() => page.getByLabel('Message', { exact: true }).inputValue())
      .toBe('Is anybody there?')
    const { browserErrors } = visitor
    expect(browserErrors.filter((error) => !/status of 502|ERR_FAILED/.test(error))).toEqual([])
  })

  it('finds a local model, selects and tests it, and says what it lacks', async () => {
    await page.unroute('**/api/ai/chat')
    const server = await startLocalServer()
    try {
      server.models = ['tiny-model']
      server.answer = ({ tools }) =>
        tools
          ? { status: 400, error: { error: { message: 'tiny-model does not support tools' } } }
          : { message: { content: '<think>Hm.</think>It is Monday.' } }
      await openPage(page, '/settings/ai')
      await page.getByRole('button', { name: 'Look for local models' }).click()
      const card = page.getByRole('region', { name: 'Local models' })
      const row = card.getByRole('listitem').filter({ hasText: new URL(server.url).host })
      await row.getByText('Found').waitFor()
      expect(await row.getByRole('combobox').inputValue()).toBe('tiny-model')
      await row.getByRole('button', { name: /^Use the model of/ }).click()
      await page.getByText('tiny-model answers from now on.').waitFor()
      await card.getByRole('button', { name: 'Test the selected model' }).click()
      await card.getByText('tiny-model answered: It is Monday.').waitFor()
      await card.getByText('It does not support tools.').waitFor()
      await card.getByText('It does not answer in JSON.').waitFor()
      expect(await findAccessibilityIssues(page)).toEqual([])
      await openPage(page, '/assistant')
      await say('What day is it?')
      await messages(page).getByText('It is Monday.').waitFor()
      await messages(page).getByText('This model has no tools.').waitFor()
      server.answer = () => ({ status: 500, error: { error: { message: 'out of memory' } } })
      await openPage(page, '/settings/ai')
      await page.getByRole('button', { name: 'Test the selected model' }).click()
      await page.getByText('“out of memory”').waitFor()
    } finally {
      await server.close()
    }
  })
})
