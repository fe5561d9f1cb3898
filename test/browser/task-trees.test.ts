import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, findDarkModeIssues, ON_TOP } from './faults.ts'
import { type Service, startService } from './service.ts'
import { navigate, openBrowser, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const title = (page: Page, name: string) => page.getByRole('button', { name: `Edit ${name}`, exact: true })
const expectToast = (page: Page, text: string) => page.locator('.toast', { hasText: text }).first().waitFor()

/** The visible rows as an indented outline, with the headings of the sections. */
const outline = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.task-group-head h2.task-group, .task')].map((element) =>
    element.matches('h2')
      ? '# ' + element.textContent
      : '-'.repeat(Number(element.ariaLevel) - 1) + element.querySelector('.task-title').textContent)`)
const expectOutline = (page: Page, rows: string[]) => expect.poll(() => outline(page)).toEqual(rows)
const focusedText = (page: Page) => page.evaluate('document.activeElement.textContent')

withBrowser('task trees', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page
  let listId: number

  const call = async (method: string, path: string, data?: object): Promise<{ id: number }> => {
    const response = await fetch(`${service.url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(data && { body: JSON.stringify(data) }),
    })
    return (await response.json()) as { id: number }
  }

  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
    visitor = await visit(browser, service.url, { expected: [{ status: 400, path: /\/move$/ }] })
    page = visitor.page
    await signUp(visitor, '/settings')
    listId = (await call('POST', '/task-lists', { name: 'Trip' })).id
    for (const name of ['Passport', 'Photos', 'Form', 'Flight'])
      await call('POST', '/tasks', { title: name, listId })
    await navigate(page, `/tasks?list=${listId}`)
    await title(page, 'Flight').waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('indent and outdent with Tab on a row that was reached with j', async () => {
    await expectOutline(page, ['Passport', 'Photos', 'Form', 'Flight'])
    await title(page, 'Passport').focus()
    await page.keyboard.press('j')
    await expect.poll(() => focusedText(page)).toBe('Photos')
    await page.keyboard.press('Tab')
    await expectOutline(page, ['Passport', '-Photos', 'Form', 'Flight'])
    await expect.poll(() => focusedText(page)).toBe('Photos')
    await page.keyboard.press('j')
    await page.keyboard.press('Tab')
    await expectOutline(page, ['Passport', '-Photos', '-Form', 'Flight'])
    await page.keyboard.press('Tab')
    await expectOutline(page, ['Passport', '-Photos', '--Form', 'Flight'])
    await page.keyboard.press('Shift+Tab')
    await expectOutline(page, ['Passport', '-Photos', '-Form', 'Flight'])
    // A person who walks through the page passes the row.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await expectOutline(page, ['Passport', '-Photos', '-Form', 'Flight'])
    expect(await focusedText(page)).not.toBe('Form')
    await page.reload()
    await expectOutline(page, ['Passport', '-Photos', '-Form', 'Flight'])
  })

  it('move up and down with Alt and an arrow key, and undo moves back', async () => {
    await title(page, 'Form').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await expectOutline(page, ['Passport', '-Form', '-Photos', 'Flight'])
    await title(page, 'Flight').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await expectOutline(page, ['Flight', 'Passport', '-Form', '-Photos'])
    await expect.poll(() => focusedText(page)).toBe('Flight')
    await page.keyboard.press('z')
    await expectOutline(page, ['Passport', '-Form', '-Photos', 'Flight'])
    await expectToast(page, '“Flight” restored')
  })

  it('fold and unfold, also after a reload', async () => {
    await title(page, 'Passport').focus()
    await page.keyboard.press('ArrowLeft')
    await expectOutline(page, ['Passport', 'Flight'])
    await page.reload()
    await expectOutline(page, ['Passport', 'Flight'])
    const fold = page.getByRole('button', { name: 'Show subtasks of Passport' })
    expect(await fold.getAttribute('aria-expanded')).toBe('false')
    await fold.click()
    await expectOutline(page, ['Passport', '-Form', '-Photos', 'Flight'])
  })

  it('get subtasks by typing, with the fields that the text names', async () => {
    await title(page, 'Flight').focus()
    await page.keyboard.press('s')
    const field = page.getByRole('textbox', { name: 'Subtask of Flight' })
    await field.waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.keyboard.type('Choose seats !high')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Check in')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expectOutline(page, ['Passport', '-Form', '-Photos', 'Flight', '-Choose seats', '-Check in'])
    await page.getByRole('button', { name: 'Priority of Choose seats: High' }).waitFor()
    await expect.poll(() => focusedText(page)).toBe('Flight')
  })

  it('ask about open subtasks when their task is completed', async () => {
    await page.getByRole('checkbox', { name: 'Done: Flight' }).click()
    const question = page.getByRole('alertdialog', { name: 'Complete “Flight”?' })
    await question.getByText('It has 2 open subtasks.').waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await question.getByRole('button', { name: 'Complete all' }).click()
    await expectOutline(page, ['Passport', '-Form', '-Photos'])
    await page.keyboard.press('z')
    await expectOutline(page, ['Passport', '-Form', '-Photos', 'Flight', '-Choose seats', '-Check in'])
  })

  it('have sections that are added, filled, moved, renamed and deleted', async () => {
    for (const name of ['Before', 'Aftr']) {
      await page.getByRole('button', { name: 'Add section' }).click()
      await page.getByRole('textbox', { name: 'Name of the section' }).fill(name)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name }).waitFor()
    }
    const act = async (section: string, action: string) => {
      await page.getByRole('button', { name: `Actions for section ${section}` }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    await act('Aftr', 'Rename')
    await page.getByRole('dialog').getByRole('textbox').fill('After')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'After' }).waitFor()
    await page.getByRole('button', { name: 'Add task to After' }).click()
    await page.keyboard.type('Unpack')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    const tree = ['Passport', '-Form', '-Photos', 'Flight', '-Choose seats', '-Check in']
    await expectOutline(page, [...tree, '# Before', '# After', 'Unpack'])
    await act('After', 'Move up')
    await expectOutline(page, [...tree, '# After', 'Unpack', '# Before'])
    // A task at the end of its section moves on to the next one.
    await title(page, 'Unpack').focus()
    await page.keyboard.press('Alt+ArrowDown')
    await expectOutline(page, [...tree, '# After', '# Before', 'Unpack'])
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    await act('Before', 'Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expectOutline(page, [...tree, 'Unpack', '# After'])
  })

  it('change several tasks at once', async () => {
    await title(page, 'Form').focus()
    await page.keyboard.press('x')
    await title(page, 'Flight').click({ modifiers: ['Shift'] })
    const bar = page.getByRole('toolbar', { name: 'Selected tasks' })
    await bar.getByText('3 selected').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await title(page, 'Form').focus()
    await page.keyboard.press('m')
    await expectToast(page, '3 tasks changed')
    await expect.poll(() => page.locator('.task').getByText('Due tomorrow').count()).toBe(3)
    await page.keyboard.press('z')
    await expectToast(page, '3 tasks restored')
    await expect.poll(() => page.locator('.task').getByText('Due tomorrow').count()).toBe(0)
    await bar.getByRole('button', { name: 'Priority' }).click()
    await page.getByRole('menuitem', { name: 'Urgent' }).click()
    await page.getByRole('button', { name: 'Priority of Photos: Urgent' }).waitFor()
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
  })

  it('move by the menu of a row, which offers what is possible', async () => {
    const open = (name: string) => page.getByRole('button', { name: `More for ${name}`, exact: true }).click()
    const before = await outline(page)
    await open('Passport')
    expect(await page.getByRole('menuitem', { name: 'Make subtask' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await open('Flight')
    await page.getByRole('menuitem', { name: 'Make subtask' }).click()
    await expect.poll(async () => (await outline(page))[3]).toBe('-Flight')
    await page.keyboard.press('z')
    await expectOutline(page, before)
  })

  it('show the order of the server after a failed move', async () => {
    await page.route('**/move', (route) =>
      route.fulfill({ status: 503, contentType: 'application/json', body: '{}' }),
    )
    const before = await outline(page)
    await title(page, 'Photos').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await expectOutline(page, before)
    await page.unroute('**/move')
  })

  it('cause no errors in the browser', () => {
    expect(visitor.browserErrors.filter((error) => !error.includes('503'))).toEqual([])
  })
})
