import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from './service.ts'
import {
  navigate,
  openBrowser,
  PASSWORD,
  signOut,
  signUp,
  type Visitor,
  visit,
  withBrowser,
} from './visitor.ts'

const KEPT = 'Unsaved changes are kept.'
const AGAIN = 'Unsaved changes restored.'

withBrowser('console form drafts', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page
  const pane = () => page.getByRole('complementary', { name: 'Task', exact: true })
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const open = async (button: string, name: string) => {
    await page.getByRole('button', { name: button, exact: true }).click()
    await dialog(name).waitFor()
    return dialog(name)
  }
  const expectToast = (text: string) => page.locator('.toast', { hasText: text }).first()

  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
    visitor = await visit(browser, service.url, {
      expected: [
        { status: 401, path: /^\/api\/(auth\/refresh|events)$/ },
        { status: 502, path: /^\/api\/emails$/ },
      ],
    })
    page = visitor.page
    page.on('dialog', (question) => void question.accept())
    await signUp(visitor, '/tasks')
    for (const title of ['Call the dentist', 'Water the garden']) {
      await page.getByRole('textbox', { name: 'New task' }).fill(title)
      await page.keyboard.press('Enter')
      await page.getByRole('checkbox', { name: title }).waitFor()
    }
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('are restored after Escape and reload, and can be discarded', async () => {
    const form = await open('New list', 'New list')
    await form.getByLabel('Name').fill('House')
    await form.getByRole('radio', { name: 'Purple' }).check()
    await page.keyboard.press('Escape')
    await expectToast(KEPT).waitFor()
    await page.reload()
    await open('New list', 'New list')
    await form.getByText(AGAIN).waitFor()
    expect(await form.getByLabel('Name').inputValue()).toBe('House')
    expect(await form.getByRole('radio', { name: 'Purple' }).isChecked()).toBe(true)
    await form.getByRole('button', { name: 'Discard' }).click()
    expect(await form.getByLabel('Name').inputValue()).toBe('')
    expect(await form.getByRole('radio', { name: 'Purple' }).isChecked()).toBe(false)
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name')
  })

  it('are deleted after a submit, and by Cancel', async () => {
    const form = dialog('New list')
    await form.getByLabel('Name').fill('Garden')
    await page.keyboard.press('Control+Enter')
    await expectToast('List “Garden” added').waitFor()
    await open('New list', 'New list')
    expect(await form.getByLabel('Name').inputValue()).toBe('')
    await form.getByLabel('Name').fill('Never mind')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await open('New list', 'New list')
    expect(await form.getByLabel('Name').inputValue()).toBe('')
    await page.keyboard.press('Escape')
    expect(await expectToast(KEPT).count()).toBe(0)
    await navigate(page, '/tasks')
  })

  it('are restored for their own task after going back and forth', async () => {
    await page.getByRole('button', { name: 'Edit Call the dentist' }).click()
    const form = pane()
    await form.getByLabel('Notes').fill('Ask about the crown')
    await page.goBack()
    await expectToast(KEPT).waitFor()
    await page.getByRole('button', { name: 'Edit Water the garden' }).click()
    expect(await form.getByLabel('Notes').inputValue()).toBe('')
    await page.goBack()
    await page.getByRole('button', { name: 'Edit Call the dentist' }).click()
    await form.getByText(AGAIN).waitFor()
    // The toast disappears when the form is open again.
    await expectToast(KEPT).waitFor({ state: 'detached' })
    expect(await form.getByLabel('Notes').inputValue()).toBe('Ask about the crown')
  })

  it('survive signing in again after a reload, and never contain a password', async () => {
    await navigate(page, '/settings/tokens')
    await page.getByRole('button', { name: 'New token' }).first().click()
    const form = dialog('New access token')
    await form.getByLabel('Name').fill('n8n')
    await form.getByLabel('Your password', { exact: true }).fill(PASSWORD)
    await form.getByRole('button', { name: 'Show “Your password”' }).click()
    await form.getByLabel('Your password', { exact: true }).press('End')
    await page.keyboard.press('Escape')
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toContain('n8n')
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(PASSWORD)
    await visitor.context.clearCookies()
    await page.goto('/tasks?task=1')
    await page.getByLabel('Email').fill('ana@example.org')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await pane().getByText(AGAIN).waitFor()
    expect(await pane().getByLabel('Notes').inputValue()).toBe('Ask about the crown')
  })

  it('report when the original has changed since', async () => {
    await page.keyboard.press('Escape')
    await fetch(`${service.url}/api/tasks/1`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ notes: 'At nine' }),
    })
    await page.getByRole('button', { name: 'Edit Call the dentist' }).click()
    const form = pane()
    await form.getByText('Saving overwrites newer changes').waitFor()
    expect(await form.getByLabel('Notes').inputValue()).toBe('Ask about the crown')
    await form.getByRole('button', { name: 'Discard' }).click()
    expect(await form.getByLabel('Notes').inputValue()).toBe('At nine')
    await page.keyboard.press('Escape')
  })

  it('of an event keep the text, but not the time when another time is selected', async () => {
    await navigate(page, '/calendar?view=day&date=2027-03-01')
    await page.keyboard.press('c')
    const quick = page.locator('.popover')
    const form = page.locator('.dialog').and(dialog('New event'))
    await quick.getByRole('button', { name: 'More options' }).click()
    await form.getByLabel('Title').fill('Lunch')
    await form.getByText('Attendees, notes and tags').click()
    await form.getByRole('combobox', { name: 'Attendees' }).fill('ana@example.org')
    await page.keyboard.press('Enter')
    await form.getByLabel('Start time', { exact: true }).fill('12:30')
    await page.keyboard.press('Escape')
    await expectToast(KEPT).waitFor()
    await form.waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    expect(await quick.getByLabel('Title').inputValue()).toBe('Lunch')
    expect(await quick.getByLabel('Start time', { exact: true }).inputValue()).toMatch(/^12:30\sPM$/)
    await quick.getByRole('button', { name: 'More options' }).click()
    await form.getByRole('button', { name: 'Remove ana@example.org' }).waitFor()
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await navigate(page, '/calendar?view=day&date=2027-03-02')
    await page.keyboard.press('c')
    expect(await quick.getByLabel('Title').inputValue()).toBe('Lunch')
    expect(await quick.getByLabel('Start time', { exact: true }).inputValue()).toMatch(/^9:00\sAM$/)
    await quick.getByRole('button', { name: 'Create' }).click()
    await expectToast('“Lunch” added').waitFor()
    await quick.waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    expect(await quick.getByLabel('Title').inputValue()).toBe('')
    await page.keyboard.press('Escape')
  })

  it('of an email that could not be saved are restored', async () => {
    await navigate(page, '/mail')
    const write = () => page.getByRole('button', { name: 'New email' }).click()
    await write()
    await page.route('**/api/emails', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 502, body: 'Bad Gateway' })
        : route.continue(),
    )
    await page.getByLabel('Subject').fill('The house')
    await page.getByRole('textbox', { name: 'Text' }).fill('We should talk about it.')
    await page.getByRole('link', { name: 'Tasks', exact: true }).click()
    await expectToast('Could not save the draft.').waitFor()
    await page.unroute('**/api/emails')
    await page.reload()
    await navigate(page, '/mail')
    await write()
    expect(await page.getByLabel('Subject').inputValue()).toBe('The house')
    await page.getByText('Saved in Drafts').waitFor()
    await page.getByRole('button', { name: 'Save and close' }).click()
    await write()
    expect(await page.getByLabel('Subject').inputValue()).toBe('')
  })

  it('restore checked boxes, also those that include others', async () => {
    const ticked = (form: ReturnType<typeof dialog>) =>
      form
        .locator('input:checked')
        .evaluateAll((boxes) =>
          boxes.map((box) => box.getAttribute('aria-label') ?? box.closest('label')?.textContent),
        )
    for (const { path, button, name, field, boxes, all } of [
      {
        path: '/settings/tokens',
        button: 'New token',
        name: 'New access token',
        field: 'Name',
        boxes: ['Read Calendar', 'Write Tasks'],
        all: ['Read Tasks', 'Write Tasks', 'Read Calendar'],
      },
      {
        path: '/settings/webhooks',
        button: 'New webhook',
        name: 'New webhook',
        field: 'Address',
        boxes: ['Email received', 'Task due', 'All events'],
        all: ['All events, also future ones', 'Email received', 'Task due'],
      },
    ]) {
      await navigate(page, path)
      await page.getByRole('button', { name: button }).first().click()
      const form = dialog(name)
      await form.getByLabel(field).fill('https://example.org/')
      for (const box of boxes) await form.getByRole('checkbox', { name: box }).check()
      await page.keyboard.press('Escape')
      await form.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: button }).first().click()
      await form.getByText(AGAIN).waitFor()
      expect(await ticked(form)).toEqual(all)
      await form.getByRole('button', { name: 'Discard' }).click()
      expect(await ticked(form)).toEqual([])
      await form.getByRole('button', { name: 'Cancel' }).click()
    }
  })

  it('of page forms are restored, and deleted on sign-out', async () => {
    await navigate(page, '/settings/profile')
    const field = page.getByRole('textbox', { name: 'Your name' })
    await field.fill('Ana the second')
    await page.getByRole('link', { name: 'Tasks', exact: true }).click()
    await expectToast(KEPT).waitFor()
    await page.goBack()
    await page.getByText(AGAIN).waitFor()
    expect(await field.inputValue()).toBe('Ana the second')
    await page.getByRole('link', { name: 'Tasks', exact: true }).click()
    await signOut(page)
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('second')
  })

  it('cause no browser errors', () => {
    expect(visitor.browserErrors).toEqual([])
  })
})
