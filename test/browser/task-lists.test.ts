import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, findDarkModeIssues, ON_TOP } from './faults.ts'
import { type Service, startService } from './service.ts'
import { navigate, openBrowser, pageWidth, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const expectToast = (page: Page, text: string) => page.locator('.toast', { hasText: text }).first().waitFor()
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Lists' })
const listLink = (page: Page, name: string | RegExp) => navigation(page).getByRole('link', { name })
const listEntry = (page: Page, name: string) =>
  navigation(page).getByRole('listitem').filter({ hasText: name })
const taskRow = (page: Page, title: string) =>
  page.locator('.task-rows').getByRole('listitem').filter({ hasText: title })
const isCurrent = (page: Page, name: string | RegExp) =>
  expect.poll(() => listLink(page, name).getAttribute('aria-current')).toBe('page')

const quickAdd = async (page: Page, title: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'New task' }).fill(title)
  await page.keyboard.press('Enter')
  await taskRow(page, title).waitFor()
}

const act = async (page: Page, list: string, action: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${list}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

const createList = async (page: Page, name: string, color: string): Promise<void> => {
  await page.getByRole('button', { name: 'New list' }).click()
  const dialog = page.getByRole('dialog', { name: 'New list' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('radio', { name: color }).check()
  await dialog.getByRole('button', { name: 'Add list' }).click()
  await dialog.waitFor({ state: 'detached' })
}

withBrowser('task lists', () => {
  let service: Service
  let browser: Browser
  let ana: Visitor
  let ben: Visitor
  let page: Page

  beforeAll(async () => {
    service = await startService({ REGISTRATION: 'open' })
    browser = await openBrowser()
    // Ana tries to share a list with her own address.
    ana = await visit(browser, service.url, { expected: [{ status: 400, path: /\/shares$/ }] })
    page = ana.page
    await signUp(ana, '/tasks')
    // The share ends while its task is open.
    const gone = /^\/api\/(tasks\/\d+(\/(comments|time-entries))?|task-lists\/\d+\/(members|sections))$/
    const expected = [
      { status: 404, path: gone },
      { status: 400, path: /^\/api\/tasks$/ },
    ]
    ben = await visit(browser, service.url, { expected })
    await signUp(ben, '/tasks', { name: 'Ben', email: 'ben@example.org' })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('start with the Inbox, without a list name on the tasks', async () => {
    await listLink(page, 'Inbox').waitFor()
    await isCurrent(page, 'All tasks')
    await quickAdd(page, 'Buy milk')
    expect(await taskRow(page, 'Buy milk').getByText('Inbox').count()).toBe(0)
    await page.getByRole('button', { name: 'Actions for Inbox' }).click()
    // The Inbox can be neither shared nor deleted.
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Edit'])
    await page.keyboard.press('Escape')
  })

  it('are created with a name and a color, and chosen', async () => {
    await page.getByRole('button', { name: 'New list' }).click()
    const dialog = page.getByRole('dialog', { name: 'New list' })
    await dialog.getByRole('button', { name: 'Add list' }).click()
    await dialog.getByText('Name is required.').waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await dialog.getByLabel('Name').fill('Houshold')
    await dialog.getByRole('radio', { name: 'Green' }).check()
    await dialog.getByRole('button', { name: 'Add list' }).click()
    await expectToast(page, 'List “Houshold” added')
    await isCurrent(page, 'Houshold')
    await page.getByText('No tasks in this list').waitFor()
    expect(new URL(page.url()).searchParams.get('list')).toMatch(/^\d+$/)
    await expect.poll(() => page.title()).toBe('Houshold · Tasks · Factotum')
  })

  it('get the tasks that are added while they are chosen', async () => {
    await quickAdd(page, 'Pay rent')
    expect(await taskRow(page, 'Buy milk').count()).toBe(0)
    await page.getByRole('textbox', { name: 'New task' }).fill('Clean the oven')
    await page.keyboard.press('Shift+Enter')
    const details = page.getByRole('complementary', { name: 'Task', exact: true })
    await expect.poll(() => details.getByLabel('Title').inputValue()).toBe('Clean the oven')
    expect(await details.getByLabel('List').locator('option:checked').innerText()).toBe('Houshold')
    await page.keyboard.press('Escape')
    await taskRow(page, 'Clean the oven').waitFor()
  })

  it('are renamed and get another color', async () => {
    await act(page, 'Houshold', 'Edit')
    const dialog = page.getByRole('dialog', { name: 'Edit list' })
    expect(await dialog.getByRole('radio', { name: 'Green' }).isChecked()).toBe(true)
    await dialog.getByLabel('Name').fill('Household')
    await dialog.getByRole('radio', { name: 'Purple' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'List “Household” saved')
    await isCurrent(page, 'Household')
  })

  it('filter the tasks, and name the list of each task under All tasks', async () => {
    await listLink(page, 'Inbox').click()
    await taskRow(page, 'Buy milk').waitFor()
    await taskRow(page, 'Pay rent').waitFor({ state: 'detached' })
    await page.goBack()
    await taskRow(page, 'Pay rent').waitFor()
    await page.reload()
    await taskRow(page, 'Pay rent').waitFor()
    expect(await taskRow(page, 'Buy milk').count()).toBe(0)
    await listLink(page, 'All tasks').click()
    await taskRow(page, 'Buy milk').getByText('Inbox', { exact: true }).waitFor()
    await taskRow(page, 'Pay rent').getByText('Household', { exact: true }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
  })

  it('are left out of All tasks when they are hidden', async () => {
    const toggle = page.getByRole('checkbox', { name: 'Show Household in All tasks' })
    await toggle.focus()
    await page.keyboard.press('Space')
    await taskRow(page, 'Pay rent').waitFor({ state: 'detached' })
    await taskRow(page, 'Buy milk').waitFor()
    await page.reload()
    await taskRow(page, 'Buy milk').waitFor()
    expect(await toggle.isChecked()).toBe(false)
    expect(await taskRow(page, 'Pay rent').count()).toBe(0)
    await toggle.check()
    await taskRow(page, 'Pay rent').waitFor()
  })

  it('exchange tasks in the pane of a task', async () => {
    await page.getByRole('button', { name: 'Edit Buy milk' }).click()
    const details = page.getByRole('complementary', { name: 'Task', exact: true })
    await details.getByLabel('List').selectOption('Household')
    await expectToast(page, '“Buy milk” moved')
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })
    await taskRow(page, 'Buy milk').getByText('Household', { exact: true }).waitFor()
  })

  it('open from a button on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const button = page.getByRole('button', { name: 'List: All tasks' })
    await button.click()
    expect(await button.getAttribute('aria-expanded')).toBe('true')
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await pageWidth(page)).toBe(390)
    await listLink(page, 'Household').click()
    const chosen = page.getByRole('button', { name: 'List: Household' })
    await chosen.and(page.locator(':focus')).waitFor()
    expect(await chosen.getAttribute('aria-expanded')).toBe('false')
    expect(await navigation(page).count()).toBe(0)
    await page.setViewportSize({ width: 1280, height: 900 })
    await isCurrent(page, 'Household')
  })

  it('move their tasks to the Inbox when they are deleted, or delete them too', async () => {
    await act(page, 'Household', 'Delete')
    const question = page.getByRole('alertdialog', { name: 'Delete “Household”?' })
    await question.getByText('Its tasks move to the Inbox.').waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await question.getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'List “Household” deleted')
    await isCurrent(page, 'All tasks')
    await taskRow(page, 'Pay rent').waitFor()
    expect(await listEntry(page, 'Household').count()).toBe(0)

    await createList(page, 'Old things', 'Gray')
    await quickAdd(page, 'Throw away')
    await act(page, 'Old things', 'Delete')
    const again = page.getByRole('alertdialog', { name: 'Delete “Old things”?' })
    await again.getByRole('checkbox', { name: /Delete its tasks too/ }).check()
    await again.getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'List “Old things” deleted')
    await taskRow(page, 'Pay rent').waitFor()
    expect(await taskRow(page, 'Throw away').count()).toBe(0)
  })

  it('say so when the list of an address does not exist', async () => {
    await navigate(page, '/tasks?list=999999')
    await page.getByText('This list is not available').waitFor()
    expect(await page.getByRole('textbox', { name: 'New task' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Show all tasks' }).click()
    await taskRow(page, 'Pay rent').waitFor()
  })

  it('are offered to an address, and the dialog names the open offer', async () => {
    await createList(page, 'Family', 'Pink')
    await isCurrent(page, 'Family')
    await quickAdd(page, 'Book the hall')
    await act(page, 'Family', 'Share')
    const dialog = page.getByRole('dialog', { name: 'Share “Family”' })
    await dialog.getByText('Not shared with anybody').waitFor()
    await dialog.getByText(/needs an account on this instance/).waitFor()
    const email = dialog.getByLabel('Email address')
    await email.fill('ana@example.org')
    await dialog.getByRole('button', { name: 'Share', exact: true }).click()
    await dialog.getByText('Email address is your own address.').waitFor()
    await email.fill('ben@example.org')
    await dialog.getByLabel('Access', { exact: true }).selectOption('Can edit')
    await dialog.getByRole('button', { name: 'Share', exact: true }).click()
    await expectToast(page, 'Offered to ben@example.org')
    const row = dialog.getByRole('listitem').filter({ hasText: 'ben@example.org' })
    await row.getByText('Waiting for answer').waitFor()
    expect(await row.getByRole('combobox').locator('option:checked').innerText()).toBe('Can edit')
    expect(await email.inputValue()).toBe('')
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await page.keyboard.press('Escape')
    await listLink(page, /^Family.*Shared/).waitFor()
  })

  it('are accepted on the settings page, which the notification opens', async () => {
    const other = ben.page
    await other.getByRole('button', { name: /^Notifications, \d+ new/ }).click()
    await other.getByRole('link', { name: /Ana wants to share the task list “Family” with you/ }).click()
    await other.getByRole('heading', { level: 1, name: 'Sharing' }).waitFor()
    await other.getByText('Ana (ana@example.org)').waitFor()
    await other.getByRole('button', { name: 'Accept “Family”' }).click()
    await other.getByRole('button', { name: 'Leave “Family”' }).waitFor()
    await other.locator('.toast').getByRole('button', { name: 'Open', exact: true }).click()
    await taskRow(other, 'Book the hall').waitFor()
    await listEntry(other, 'Family').getByText('Ana').waitFor()
    await isCurrent(other, /^Family/)
    expect(await findAccessibilityIssues(other)).toEqual([])
  })

  it('show the changes of an editor to the owner at once, with the name', async () => {
    await quickAdd(ben.page, 'Bring the cake')
    await taskRow(page, 'Bring the cake').getByText('Changed by Ben').waitFor()
    await page.getByRole('button', { name: 'Edit Bring the cake' }).click()
    const dialog = page.getByRole('complementary', { name: 'Task', exact: true })
    await dialog.getByText('Last changed by Ben').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('have no controls for a viewer, except the own reminder', async () => {
    const other = ben.page
    await act(page, 'Family', 'Share')
    const dialog = page.getByRole('dialog', { name: 'Share “Family”' })
    await dialog.getByLabel('Access of Ben').selectOption('Can view')
    await expectToast(page, 'Access of Ben: Can view')
    await other.getByText('Can view. Only Ana and editors can change this list.').waitFor()
    expect(await other.getByRole('textbox', { name: 'New task' }).count()).toBe(0)
    const row = taskRow(other, 'Bring the cake')
    expect(await row.getByRole('checkbox').isDisabled()).toBe(true)
    expect(await row.getByRole('button').allInnerTexts()).toEqual(['Bring the cake'])
    expect(await findAccessibilityIssues(other)).toEqual([])
    await row.getByRole('button', { name: 'Open Bring the cake' }).click()
    const task = other.getByRole('complementary', { name: 'Task', exact: true })
    await task.getByRole('heading', { name: 'Bring the cake' }).waitFor()
    expect(await task.getByRole('textbox').count()).toBe(0)
    expect(await findAccessibilityIssues(other)).toEqual([])
    await task.getByRole('button', { name: 'Reminder' }).click()
    const reminder = other.getByRole('dialog', { name: 'Reminder' })
    await reminder.getByRole('textbox', { name: 'Reminder', exact: true }).fill('12/31/2099')
    await reminder.getByRole('button', { name: 'Save' }).click()
    await expectToast(other, '“Bring the cake” saved')
  })

  it('disappear from the open page of a member when the share ends, and can be offered again', async () => {
    const other = ben.page
    const dialog = page.getByRole('dialog', { name: 'Share “Family”' })
    await dialog.getByRole('button', { name: 'Stop sharing with Ben' }).click()
    await expectToast(page, 'No longer shared with Ben')
    await dialog.getByText('Not shared with anybody').waitFor()
    await other.getByText('This list is not available').waitFor()
    await listEntry(other, 'Family').waitFor({ state: 'detached' })
    expect(await taskRow(other, 'Bring the cake').count()).toBe(0)
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).first().click()
    await dialog.getByText('Waiting for answer').waitFor()
    await page.keyboard.press('Escape')

    await navigate(other, '/settings/sharing')
    await other.getByRole('button', { name: 'Decline “Family”' }).click()
    await expectToast(other, '“Family” declined')
    await other.locator('.toast').getByRole('button', { name: 'Undo' }).first().click()
    await other.getByRole('button', { name: 'Accept “Family”' }).click()
    await other.getByRole('button', { name: 'Leave “Family”' }).click()
    const question = other.getByRole('alertdialog', { name: 'Leave “Family”?' })
    await question.getByRole('button', { name: 'Leave' }).click()
    await expectToast(other, 'You left “Family”')
    await other.getByText('Nothing is shared with you').waitFor()
  })

  it('cause no errors in the browser', () => {
    expect([...ana.browserErrors, ...ben.browserErrors]).toEqual([])
  })
})
