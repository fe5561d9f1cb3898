import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, findDarkModeIssues, ON_TOP, waitForAnimations } from './faults.ts'
import { takeScreenshots } from './screenshots.ts'
import { type Service, startService } from './service.ts'
import {
  openBrowser,
  openPage,
  PASSWORD,
  pageWidth,
  signOut,
  signUp,
  type Visitor,
  visit,
  withBrowser,
} from './visitor.ts'

const expectToast = (page: Page, text: string | RegExp) =>
  page.locator('.toast', { hasText: text }).first().waitFor()
const row = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })
const pane = (page: Page) => page.getByRole('complementary', { name: 'Task', exact: true })
const box = (page: Page, title: string) => page.getByRole('checkbox', { name: `Done: ${title}` })

withBrowser('console tasks', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page
  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
    visitor = await visit(browser, service.url, {
      expected: [
        { status: 412, path: /tasks/ },
        { status: 503, path: /tasks/ },
        // A session that was revoked.
        { status: 401, path: /^\/api\// },
      ],
    })
    page = visitor.page
    await signUp(visitor, '/settings')
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('open by keyboard and show an empty state', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor()
    await page.getByText('No tasks').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  it('are added by typing and Enter without waiting', async () => {
    const field = page.getByRole('textbox', { name: 'New task' })
    const titles = ['Water the plants', 'Call the dentist', 'Write the report']
    await field.focus()
    for (const title of titles) {
      await page.keyboard.type(title)
      await page.keyboard.press('Enter')
      expect(await field.inputValue()).toBe('')
    }
    for (const title of titles) await box(page, title).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('New task is required.').waitFor()
  })

  it('keep the text in the input when the request fails', async () => {
    const field = page.getByRole('textbox', { name: 'New task' })
    // A proxy responds like this while the service starts.
    await page.route('**/api/tasks/quick', (route) => route.fulfill({ status: 503, body: 'Busy' }))
    await field.fill('Mend the gate')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Could not reach Factotum. Check your connection.').waitFor()
    await expect.poll(() => field.inputValue()).toBe('Mend the gate')
    await page.unroute('**/api/tasks/quick')
    await page.keyboard.press('Enter')
    await box(page, 'Mend the gate').waitFor()
    await expect
      .poll(() => page.getByRole('alert').getByText('Could not reach Factotum. Check').count())
      .toBe(0)
    await page.getByRole('button', { name: 'More for Mend the gate' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await box(page, 'Mend the gate').waitFor({ state: 'detached' })
  })

  it('are parsed from one line, with a live preview that is announced', async () => {
    const field = page.getByRole('textbox', { name: 'New task' })
    await field.focus()
    await page.keyboard.type('pay rent every month on the 1st !high #home')
    const understood = page.locator('.quick-understood')
    await understood.getByText('pay rent', { exact: true }).waitFor()
    await expect
      .poll(() => understood.getByRole('listitem').allInnerTexts())
      .toEqual([expect.stringMatching(/^Due /), 'Every month on the 1st', 'High', 'home'])
    expect(await understood.getAttribute('aria-live')).toBe('polite')
    const described = (await field.getAttribute('aria-describedby')) ?? ''
    expect(described.split(' ')).toContain(await understood.getAttribute('id'))
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expectToast(page, '“pay rent” added')
    const rent = row(page, 'pay rent')
    await rent.getByRole('button', { name: 'Priority of pay rent: High' }).waitFor()
    await rent.getByRole('button', { name: 'Show tasks tagged #home' }).waitFor()
    await expect.poll(() => understood.innerText()).toBe('')
    await expect.poll(() => field.inputValue()).toBe('')
  })

  it('convert a time of another timezone and say so', async () => {
    const field = page.getByRole('textbox', { name: 'New task' })
    await field.fill('call bob tomorrow at 10am EST')
    const understood = page.locator('.quick-understood')
    await understood.getByText('call bob', { exact: true }).waitFor()
    await expect
      .poll(() => understood.getByRole('listitem').allInnerTexts())
      .toEqual([expect.stringMatching(/^Due /), 'EST, shown in your time zone'])
    await field.fill('')
  })

  it('can be added without parsing, by keyboard alone', async () => {
    const field = page.getByRole('textbox', { name: 'New task' })
    await field.focus()
    await page.keyboard.type('Read Tomorrow by Huxley tomorrow')
    const plain = page.getByRole('button', { name: 'Add as plain text' })
    await plain.waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expect.poll(() => plain.getAttribute('aria-pressed')).toBe('true')
    await page.getByText('Will be added as plain text').waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await box(page, 'Read Tomorrow by Huxley tomorrow').waitFor()
    for (const title of ['pay rent', 'Read Tomorrow by Huxley tomorrow']) {
      await page.getByRole('button', { name: `More for ${title}` }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await box(page, title).waitFor({ state: 'detached' })
    }
  })

  it('keep unfinished text across navigation and warn before a reload', async () => {
    const field = page.getByRole('textbox', { name: 'New task' })
    await field.fill('Half a th')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await page.goBack()
    await expect.poll(() => field.inputValue()).toBe('Half a th')
    const asked = page.waitForEvent('dialog')
    const reloaded = page.reload()
    const question = await asked
    expect(question.type()).toBe('beforeunload')
    await question.accept()
    await reloaded
    await box(page, 'Water the plants').waitFor()
    expect(await field.inputValue()).toBe('Half a th')
    await field.fill('')
  })

  it('are edited in a pane, of which each field saves itself', async () => {
    await page.getByRole('button', { name: 'Edit Write the report' }).click()
    const details = pane(page)
    await details.getByLabel('Notes').fill('Figures first.')
    await page.keyboard.press('Tab')
    await expectToast(page, '“Write the report” saved')
    await details.getByRole('button', { name: 'Due date' }).click()
    const due = page.getByRole('dialog', { name: 'Due date' })
    // A time requires a day.
    await due.getByLabel('Due time').fill('9:30')
    await due.getByRole('button', { name: 'Save' }).click()
    await due.getByText('Due date is required.').waitFor()
    await due.getByRole('textbox', { name: 'Due date' }).fill('3/1/2040')
    await due.getByRole('button', { name: 'Save' }).click()
    await due.waitFor({ state: 'detached' })
    await details.getByLabel('Priority').selectOption('urgent')
    await details.getByLabel('Repeat', { exact: true }).selectOption('FREQ=WEEKLY')
    await details.getByLabel('Repeat from').selectOption('Completion')
    await details.getByLabel('Estimate (min)').fill('90')
    await page.keyboard.press('Enter')
    await details.getByLabel('Progress (%)').fill('101')
    await page.keyboard.press('Enter')
    await details.getByText('Progress (%) must be 100 or less.').waitFor()
    await details.getByLabel('Progress (%)').fill('40')
    await page.keyboard.press('Enter')
    await details.getByRole('button', { name: 'Start None' }).click()
    const start = page.getByRole('dialog', { name: 'Start' })
    await start.getByRole('textbox', { name: 'Start', exact: true }).fill('2/1/2040')
    await start.getByRole('button', { name: 'Save' }).click()
    await details.getByRole('button', { name: /^Start .*Feb 1, 2040/ }).waitFor()
    await details.getByRole('button', { name: 'Tags' }).click()
    await page.getByRole('dialog', { name: 'Tags' }).getByLabel('New tags').fill('work, writing')
    await page.keyboard.press('Enter')
    const report = row(page, 'Write the report')
    await report.getByText('Urgent').waitFor()
    await report.getByText(/Mar 1, 2040, 9:30/).waitFor()
    await report.getByText('Every week').waitFor()
    await report.getByText('1 h 30 min').waitFor()
    await report.getByRole('button', { name: 'Show tasks tagged #writing' }).waitFor()
    await page.getByRole('region', { name: 'Later' }).getByText('Figures first.').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    await takeScreenshots(page, 'task-pane')
    await details.getByLabel('Repeat from').selectOption('Due date')
    await page.reload()
    await expect.poll(() => details.getByLabel('Progress (%)').inputValue()).toBe('40')
    await details.getByRole('button', { name: 'Close' }).click()
    await details.waitFor({ state: 'detached' })
  })

  it('with a due day are due today and overdue only afterwards', async () => {
    const group = (name: string) => page.getByRole('region', { name, exact: true })
    await page.getByRole('textbox', { name: 'New task' }).fill('Return the books today')
    const understood = page.locator('.quick-understood')
    await understood.getByText(/^Due [^:]+$/).waitFor()
    await page.keyboard.press('Enter')
    const books = group('Today').getByRole('listitem').filter({ hasText: 'Return the books' })
    await books.getByText('Due today', { exact: true }).waitFor()
    expect(await books.locator('time').getAttribute('datetime')).toMatch(/^\d{4}-\d\d-\d\d$/)
    // Setting only the day by keyboard must not add a time.
    await page.getByRole('button', { name: 'Edit Return the books' }).click()
    await pane(page).getByRole('button', { name: 'Due date' }).press('Enter')
    const due = page.getByRole('dialog', { name: 'Due date' })
    await expect.poll(() => due.getByLabel('Due time').inputValue()).toBe('')
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await due.getByRole('textbox', { name: 'Due date' }).fill('2020-02-29')
    await page.keyboard.press('Enter')
    await expectToast(page, '“Return the books” saved')
    await page.keyboard.press('Escape')
    await pane(page).waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Return the books')
    const late = group('Overdue').getByRole('listitem').filter({ hasText: 'Return the books' })
    await late.getByText('Overdue: Feb 29, 2020', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'More for Return the books' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await box(page, 'Return the books').waitFor({ state: 'detached' })
  })

  it('are completed with the space bar, move the focus to the next, and support undo', async () => {
    await box(page, 'Write the report').focus()
    await page.keyboard.press('Space')
    await expectToast(page, '“Write the report” completed')
    // It repeats, so its next occurrence replaces it.
    await row(page, 'Mar 8, 2040').waitFor()
    await box(page, 'Water the plants').focus()
    await page.keyboard.press('Space')
    await expectToast(page, '“Water the plants” completed')
    await box(page, 'Water the plants').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('task-box')
    // Stacked toasts take little more space than one. Hovering expands the stack.
    const [older, newest] = ['Write the report', 'Water the plants'].map((hasText) =>
      page.locator('.toast', { hasText: new RegExp(`${hasText}.*completed`) }).first(),
    ) as [Locator, Locator]
    const isAbove = async () =>
      ((await newest.boundingBox())?.y ?? 0) - ((await older.boundingBox())?.y ?? 0) > 24
    await expect.poll(isAbove).toBe(false)
    await newest.hover()
    await expect.poll(isAbove).toBe(true)
    await newest.getByRole('button', { name: 'Undo' }).click()
    await box(page, 'Water the plants').waitFor()
    await box(page, 'Water the plants').focus()
    await page.keyboard.press('n')
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('text')
  })

  it('are navigated, opened, completed and deleted by keyboard alone', async () => {
    const focusedTitle = () => page.evaluate('document.activeElement.textContent')
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    const second = (await page.locator('.task-title').allTextContents())[1] ?? ''
    expect(await focusedTitle()).toBe(second)
    await page.keyboard.press('Enter')
    await pane(page).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await pane(page).waitFor({ state: 'detached' })
    await expect.poll(focusedTitle).toBe(second)
    await page.keyboard.press('#')
    await expect.poll(() => page.locator('.task-title').allTextContents()).not.toContain(second)
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('task-title')
    await page.keyboard.press('z')
    await expect.poll(() => page.locator('.task-title').allTextContents()).toContain(second)
    await page.getByRole('button', { name: 'Edit Water the plants' }).focus()
    await page.keyboard.press('e')
    await box(page, 'Water the plants').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('task-title')
    await page
      .locator('.toast', { hasText: '“Water the plants” completed' })
      .first()
      .getByRole('button', { name: 'Undo' })
      .click()
    await box(page, 'Water the plants').waitFor()
  })

  it('are moved to another day with the same time and focus, and undo restores them', async () => {
    const create = (body: object) =>
      fetch(`${service.url}/api/tasks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const hourAgo = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000)
    await create({ title: 'Oil the hinges', dueAt: hourAgo.toISOString() })
    const late = page.getByRole('region', { name: 'Overdue' })
    const tomorrow = page.getByRole('region', { name: 'Tomorrow' })
    await late.getByText('Oil the hinges').waitFor()
    const at = await row(page, 'Oil the hinges').locator('time').getAttribute('dateTime')
    await row(page, 'Oil the hinges')
      .getByRole('button', { name: /^Overdue/ })
      .focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Due date' }).getByRole('button', { name: 'Due tomorrow' }).click()
    await expectToast(page, '“Oil the hinges” is due tomorrow')
    await tomorrow.getByText('Oil the hinges').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Oil the hinges')
    const moved = await row(page, 'Oil the hinges').locator('time').getAttribute('dateTime')
    expect(moved?.slice(11, 16)).toBe(at?.slice(11, 16))
    await page.keyboard.press('z')
    await expectToast(page, '“Oil the hinges” restored')
    await late.getByText('Oil the hinges').waitFor()
    await page.getByRole('button', { name: 'More for Oil the hinges' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    // Otherwise the undo of the next test could restore this task.
    await expectToast(page, '“Oil the hinges” deleted')
  })

  it('change priority, tags and due date in the row, with undo', async () => {
    const plants = row(page, 'Water the plants')
    await plants.getByRole('button', { name: 'Priority of Water the plants' }).press('Enter')
    await page.getByRole('menuitemradio', { name: 'High' }).click()
    await expectToast(page, 'Priority of “Water the plants”: High')
    await plants.getByRole('button', { name: 'Priority of Water the plants: High' }).waitFor()
    await page.keyboard.press('z')
    await expectToast(page, '“Water the plants” restored')
    await plants.getByRole('button', { name: 'Priority of Water the plants', exact: true }).press('Enter')
    await page.getByRole('menuitemradio', { name: 'Normal', checked: true }).waitFor()
    await page.keyboard.press('Escape')
    await plants.getByRole('button', { name: 'Tags of Water the plants' }).press('Enter')
    const tags = page.getByRole('dialog', { name: 'Tags' })
    await tags.getByLabel('New tags').fill('#garden, balcony')
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await page.keyboard.press('Enter')
    await expectToast(page, 'Tags of “Water the plants” saved')
    await plants.getByRole('button', { name: 'Show tasks tagged #garden' }).waitFor()
    await plants.getByRole('button', { name: 'Tags of Water the plants' }).press('Enter')
    await tags.getByRole('checkbox', { name: '#garden' }).uncheck()
    await tags.getByRole('checkbox', { name: '#balcony' }).uncheck()
    await tags.getByRole('button', { name: 'Save' }).click()
    await plants.getByRole('button', { name: 'Show tasks tagged #garden' }).waitFor({ state: 'detached' })
    // A wrong date is reported in the popover, and Escape returns the focus to the button.
    const opener = plants.getByRole('button', { name: 'Due date of Water the plants' })
    await opener.press('Enter')
    const due = page.getByRole('dialog', { name: 'Due date' })
    await due.getByRole('textbox', { name: 'Due date' }).fill('13/13/2040')
    await page.keyboard.press('Enter')
    await due.getByText(/^Enter a date such as 12\/31\/\d{4}\.$/).waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await page.keyboard.press('Escape')
    await due.waitFor({ state: 'detached' })
    await expect
      .poll(() => page.evaluate("document.activeElement.getAttribute('aria-label')"))
      .toBe('Due date of Water the plants')
    await page.keyboard.press('Enter')
    await due.getByRole('textbox', { name: 'Due date' }).fill('3/2/2040')
    await due.getByLabel('Due time').fill('2:15 pm')
    await page.keyboard.press('Enter')
    const later = page.getByRole('region', { name: 'Later' })
    await later.getByText(/^Due Mar 2, 2040, 2:15\sPM$/).waitFor()
    await later.getByText(/^Due Mar 2, 2040/).click()
    await due.getByRole('button', { name: 'No due date' }).click()
    await expectToast(page, 'Due date of “Water the plants” removed')
    await page.getByRole('region', { name: 'No date' }).getByText('Water the plants').waitFor()
  })

  it('are printed as a plain list with absolute dates', async () => {
    await page.emulateMedia({ media: 'print' })
    const paper = page.locator('.printed-tasks')
    await paper.getByRole('listitem').filter({ hasText: 'Write the report' }).waitFor()
    await paper
      .getByText(/^Due Mar 8, 2040, 9:30\sAM · Urgent · 1 h 30 min · Every week · #work · #writing$/)
      .waitFor()
    await paper.getByText('Figures first.').waitFor()
    expect(await page.locator('.task-tools, .task-filters').filter({ visible: true }).count()).toBe(0)
    expect(await paper.getByRole('button').count()).toBe(0)
    await page.emulateMedia({ media: 'screen' })
    await box(page, 'Write the report').waitFor()
    await page.evaluate('window.print = () => { window.isPrinted = true }')
    await page.getByRole('button', { name: 'Print' }).click()
    await expect.poll(() => page.evaluate('window.isPrinted')).toBe(true)
  })

  it('disappear at once when completed, and reappear when the request fails', async () => {
    let refuse = () => {}
    const refused = new Promise<void>((resolve) => {
      refuse = resolve
    })
    await page.route(/\/api\/tasks\/\d+$/, async (route) => {
      // The deletion of an earlier test may be sent now.
      if (route.request().method() !== 'PATCH') return route.fallback()
      await refused
      await route.fulfill({ status: 503, body: 'Busy' })
    })
    await box(page, 'Water the plants').click()
    await box(page, 'Water the plants').waitFor({ state: 'detached' })
    refuse()
    await page
      .locator('.toast', { hasText: 'Could not reach Factotum. Check your connection.' })
      .first()
      .waitFor()
    await box(page, 'Water the plants').waitFor()
    await page.unroute(/\/api\/tasks\/\d+$/)
  })

  it('follow local and remote changes without reloading the list', async () => {
    const json = { 'content-type': 'application/json' }
    const send = async (method: string, path: string, body?: object): Promise<{ id: number }> => {
      const response = await fetch(`${service.url}/api/tasks${path}`, {
        method,
        ...(body && { headers: json, body: JSON.stringify(body) }),
      })
      return response.status === 204 ? { id: 0 } : ((await response.json()) as { id: number })
    }
    const titles = () => page.locator('.task-title').allTextContents()
    await page.goto('/tasks')
    await box(page, 'Water the plants').waitFor()
    await page.locator('.live-sign[data-state="live"]').waitFor({ state: 'attached' })
    const reads: string[] = []
    const note = (request: { method(): string; url(): string }) => {
      const { pathname } = new URL(request.url())
      if (request.method() === 'GET' && pathname === '/api/tasks') reads.push(request.url())
    }
    page.on('request', note)
    await box(page, 'Water the plants').click()
    await box(page, 'Water the plants').waitFor({ state: 'detached' })
    await page.keyboard.press('z')
    await box(page, 'Water the plants').waitFor()
    const [later, sooner] = [
      await send('POST', '', { title: 'Later one', dueDay: '2045-03-02' }),
      await send('POST', '', { title: 'Sooner one', dueDay: '2045-03-01', priority: 'low' }),
    ]
    const ours = async () => (await titles()).filter((title) => / one$/.test(title))
    await expect.poll(ours).toEqual(['Sooner one', 'Later one'])
    await send('PATCH', `/${later.id}`, { dueDay: '2045-03-01', title: 'Now first one' })
    await expect.poll(ours).toEqual(['Now first one', 'Sooner one'])
    await send('PATCH', `/${later.id}`, { status: 'done' })
    await expect.poll(ours).toEqual(['Sooner one'])
    await send('DELETE', `/${sooner.id}`)
    await expect.poll(ours).toEqual([])
    expect(reads).toEqual([])
    page.off('request', note)
    await send('DELETE', `/${later.id}`)
  })

  it('are filtered by text, tag, priority and status', async () => {
    const titles = async () => (await page.locator('.task-title').allInnerTexts()).map((text) => text.trim())
    /** The next change starts from the filters of the URL. */
    const expectFilters = (search: string) => expect.poll(() => new URL(page.url()).search).toBe(search)
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox', { name: 'Search tasks' }).fill('dent')
    await expect.poll(titles).toEqual(['Call the dentist'])
    await page.getByRole('searchbox').fill('zebra')
    await page.getByText('No matching tasks').waitFor()
    await page.getByRole('searchbox').fill('')
    await expectFilters('')
    await page.getByRole('button', { name: 'Show tasks tagged #work' }).first().click()
    await expectFilters('?tag=work')
    await expect.poll(titles).toEqual(['Write the report'])
    await page.getByRole('button', { name: '#work: show all tags' }).click()
    await expectFilters('')
    await page.getByLabel('Priority', { exact: true }).selectOption('urgent')
    await expectFilters('?priority=urgent')
    await expect.poll(titles).toEqual(['Write the report'])
    await page.getByLabel('Priority', { exact: true }).selectOption('')
    await expectFilters('')
    await page.getByRole('radio', { name: 'Open' }).press('ArrowRight')
    await expectFilters('?view=done')
    await expect.poll(titles).toEqual(['Write the report'])
    await expect.poll(() => box(page, 'Write the report').isChecked()).toBe(true)
    await page.getByRole('radio', { name: 'Done' }).press('ArrowRight')
    await expectFilters('?view=all')
    await expect.poll(titles).toHaveLength(4)
  })

  it('keep the filters in the URL for reload, back and shared links', async () => {
    await openPage(page, '/tasks')
    await page.getByRole('button', { name: 'Show tasks tagged #work' }).first().click()
    await expect.poll(() => new URL(page.url()).search).toBe('?tag=work')
    await page.getByLabel('Priority', { exact: true }).selectOption('urgent')
    await page.getByRole('radio', { name: 'All' }).check()
    await page.getByRole('searchbox', { name: 'Search tasks' }).fill('report')
    await expect.poll(() => new URL(page.url()).search).toBe('?view=all&q=report&tag=work&priority=urgent')
    await page.reload()
    await box(page, 'Write the report').first().waitFor()
    expect(await page.getByRole('searchbox', { name: 'Search tasks' }).inputValue()).toBe('report')
    expect(await page.getByLabel('Priority', { exact: true }).inputValue()).toBe('urgent')
    expect(await page.getByRole('radio', { name: 'All' }).isChecked()).toBe(true)
    // Back removes the whole search text first, then one filter at a time.
    for (const search of ['?view=all&tag=work&priority=urgent', '?tag=work&priority=urgent', '?tag=work']) {
      await page.goBack()
      await expect.poll(() => new URL(page.url()).search).toBe(search)
    }
    expect(await page.getByRole('searchbox', { name: 'Search tasks' }).inputValue()).toBe('')
    expect(await page.getByLabel('Priority', { exact: true }).inputValue()).toBe('')
    // A task has a URL too, and closing it restores the previous URL.
    await page.getByRole('button', { name: 'Edit Write the report' }).click()
    const dialog = pane(page)
    await expect.poll(() => dialog.getByLabel('Title').inputValue()).toBe('Write the report')
    const address = page.url()
    await page.keyboard.press('Escape')
    await expect.poll(() => new URL(page.url()).search).toBe('?tag=work')
    await page.goto(address)
    await expect.poll(() => dialog.getByLabel('Title').inputValue()).toBe('Write the report')
    await page.keyboard.press('Escape')
    await expect.poll(() => new URL(page.url()).search).toBe('?tag=work')
    await openPage(page, '/tasks?view=open')
    await box(page, 'Write the report').waitFor()
  })

  it('are not overwritten by a stale window', async () => {
    await page.getByRole('button', { name: 'Edit Call the dentist' }).click()
    const details = pane(page)
    await details.getByLabel('Title').fill('Never mind the dentist')
    const found = await fetch(`${service.url}/api/tasks?limit=200`)
    const { tasks } = (await found.json()) as { tasks: { id: number; title: string }[] }
    const id = tasks.find(({ title }) => title === 'Call the dentist')?.id
    const changed = await fetch(`${service.url}/api/tasks/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Call the dentist today', priority: 'low' }),
    })
    expect(changed.ok).toBe(true)
    // Fields without unsaved input follow.
    await expect.poll(() => details.getByLabel('Priority').inputValue()).toBe('low')
    await details.getByLabel('Title').press('Enter')
    await details.getByText('This was changed elsewhere while you were editing.').waitFor()
    await details.getByText('Saved: “Call the dentist today”.').waitFor()
    await details.getByRole('button', { name: 'Load saved version' }).click()
    await expect.poll(() => details.getByLabel('Title').inputValue()).toBe('Call the dentist today')
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })
  })

  it('keep an unfinished edit while the user signs in again', async () => {
    await page.getByRole('button', { name: 'Edit Call the dentist today' }).click()
    const dialog = pane(page)
    await dialog.getByLabel('Notes').fill('Ask about the crown, and the bill of last year.')
    const signedIn = await fetch(`${service.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ana@example.org', password: PASSWORD }),
    })
    const { token } = (await signedIn.json()) as { token: string }
    const ended = await fetch(`${service.url}/api/settings/security/sessions/revoke-others`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(ended.ok).toBe(true)
    await page.getByText('Your session has ended. Sign in to continue where you were.').waitFor()
    // The sign-in dialog covers and hides the page, and Escape must not close it.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    const cover = page.getByRole('dialog', { name: 'Sign in' })
    const size = page.viewportSize()
    await expect.poll(() => cover.boundingBox()).toEqual({ x: 0, y: 0, ...size })
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await cover.getByLabel('Email').fill('ana@example.org')
    await cover.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await cover.waitFor({ state: 'detached' })
    expect(await dialog.getByLabel('Notes').inputValue()).toBe(
      'Ask about the crown, and the bill of last year.',
    )
    await dialog.getByLabel('Notes').press('Control+Enter')
    await expectToast(page, '“Call the dentist today” saved')
    await row(page, 'Call the dentist today').getByText('Ask about the crown').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Live', { exact: true }).waitFor()
  })

  it('are deleted at once and restored unchanged by undo', async () => {
    const named = async (title: string): Promise<object | undefined> => {
      const response = await fetch(`${service.url}/api/tasks?limit=200`)
      return ((await response.json()) as { tasks: { title: string }[] }).tasks.find(
        (task) => task.title === title,
      )
    }
    const remove = async (title: string) => {
      await page.getByRole('button', { name: `More for ${title}` }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await box(page, title).waitFor({ state: 'detached' })
    }
    await page.reload()
    await box(page, 'Call the dentist today').waitFor()
    const before = await named('Call the dentist today')
    await remove('Call the dentist today')
    await expectToast(page, '“Call the dentist today” deleted')
    // The next task receives the focus.
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('task-title')
    // Undo also works from another page.
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await page.keyboard.press('Control+z')
    await expectToast(page, '“Call the dentist today” restored')
    await page.goBack()
    await box(page, 'Call the dentist today').waitFor()
    expect(await named('Call the dentist today')).toEqual(before)
    // Dismissing the undo offer or leaving the page deletes at once.
    await remove('Call the dentist today')
    await page.reload()
    await expect.poll(() => named('Call the dentist today')).toBe(undefined)
    await box(page, 'Water the plants').waitFor()
    await expect.poll(() => box(page, 'Call the dentist today').count()).toBe(0)
  })

  it('have no accessibility issues in light and dark mode, nor on a small screen', async () => {
    await openPage(page, '/tasks')
    await box(page, 'Water the plants').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    const endless = { title: 'x'.repeat(300), notes: 'y'.repeat(300), tags: ['z'.repeat(50)] }
    const made = await fetch(`${service.url}/api/tasks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(endless),
    })
    await box(page, endless.title).waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    await expect.poll(() => pageWidth(page)).toBe(360)
    // The undo button must be reachable even for a long title.
    await page.getByRole('button', { name: `More for ${endless.title}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const toast = page.locator('.toast', { hasText: 'deleted' }).first()
    await toast.waitFor()
    await waitForAnimations(page)
    const { x = 0, width = 0 } = (await toast.getByRole('button', { name: 'Undo' }).boundingBox()) ?? {}
    expect([x >= 0, x + width <= 360]).toEqual([true, true])
    await toast.getByRole('button', { name: 'Undo' }).click()
    await box(page, endless.title).waitFor()
    await page.setViewportSize({ width: 1280, height: 900 })
    await fetch(`${service.url}/api/tasks/${((await made.json()) as { id: number }).id}`, {
      method: 'DELETE',
    })
    await box(page, endless.title).waitFor({ state: 'detached' })
  })

  it('are planned: proposed times are booked on request, and undo removes them', async () => {
    const events = async (): Promise<string[]> => {
      const response = await fetch(`${service.url}/api/calendar/events?limit=200`)
      return ((await response.json()) as { events: { title: string }[] }).events.map(({ title }) => title)
    }
    await page.getByRole('textbox', { name: 'New task' }).fill('Mend the fence')
    await page.keyboard.press('Enter')
    await box(page, 'Mend the fence').waitFor()
    await page.getByRole('button', { name: 'Plan my tasks' }).click()
    const dialog = page.getByRole('dialog', { name: 'Plan my tasks' })
    await dialog.getByRole('listitem').filter({ hasText: 'Mend the fence' }).first().waitFor()
    expect(await events()).toEqual([])
    await dialog.getByRole('button', { name: 'Add to calendar' }).click()
    await expectToast(page, /blocks? added to the calendar/)
    await expect.poll(events).toContain('Mend the fence')
    await page
      .locator('.toast', { hasText: 'added to the calendar' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await expectToast(page, 'Plan undone')
    await expect.poll(events).toEqual([])
  })

  it('are filtered by a tag from the list of used tags', async () => {
    await page.getByRole('combobox', { name: 'Tag' }).selectOption('#work')
    await row(page, 'Write the report').waitFor()
    await expect.poll(() => box(page, 'Mend the fence').count()).toBe(0)
    await page.getByRole('button', { name: '#work: show all tags' }).click()
    await box(page, 'Mend the fence').waitFor()
  })

  it('that were deleted are gone after sign-out, and unfinished text is discarded', async () => {
    await page.getByRole('button', { name: 'More for Mend the fence' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expectToast(page, '“Mend the fence” deleted')
    await page.getByRole('textbox', { name: 'New task' }).fill('A secret')
    await signOut(page)
    await expect.poll(() => page.locator('.toast').count()).toBe(0)
    const response = await fetch(`${service.url}/api/tasks?limit=200`)
    const { tasks } = (await response.json()) as { tasks: { title: string }[] }
    expect(tasks.map(({ title }) => title)).not.toContain('Mend the fence')
    await page.getByLabel('Email').fill('ana@example.org')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Tasks', exact: true }).click()
    await box(page, 'Water the plants').waitFor()
    expect(await page.getByRole('textbox', { name: 'New task' }).inputValue()).toBe('')
  })

  it('get subtasks in their pane by typing, and are opened from there', async () => {
    await page.getByRole('button', { name: 'Edit Water the plants' }).click()
    const details = pane(page)
    await details.getByRole('button', { name: 'Add subtask' }).click()
    for (const text of ['Find the card', 'Ask the neighbour']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }
    await page.keyboard.press('Escape')
    await details.getByRole('checkbox', { name: 'Done: Find the card' }).check()
    await expectToast(page, '“Find the card” completed')
    await details.getByRole('button', { name: 'Open Ask the neighbour' }).click()
    await expect.poll(() => details.getByLabel('Title').inputValue()).toBe('Ask the neighbour')
    await details.getByRole('button', { name: 'Parent task' }).click()
    const parents = page.getByRole('dialog', { name: 'Parent task' })
    await parents.getByRole('searchbox').fill('report')
    await parents.getByRole('button', { name: 'Write the report' }).waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await parents.getByRole('button', { name: 'No parent task' }).click()
    await expectToast(page, '“Ask the neighbour” moved')
    await details.getByRole('button', { name: 'Delete task' }).click()
    await expectToast(page, '“Ask the neighbour” deleted')
    await details.waitFor({ state: 'detached' })
  })

  it('are in German for a German account, with German dates', async () => {
    const german = await visit(browser, service.url, { locale: 'de-DE' })
    const { page: seite } = german
    await signUp(german, '/tasks', { name: 'Jürgen', email: 'juergen@example.org', locale: 'de-DE' })
    await seite.getByRole('heading', { level: 1, name: 'Aufgaben' }).waitFor()
    await seite.getByRole('textbox', { name: 'Neue Aufgabe' }).fill('Miete zahlen jeden Monat am 1. #zuhause')
    const preview = seite.locator('.quick-understood')
    await expect
      .poll(() => preview.getByRole('listitem').allInnerTexts())
      .toEqual([expect.stringMatching(/^Fällig: /), 'Jeden Monat am 1.', 'zuhause'])
    await seite.keyboard.press('Enter')
    await expectToast(seite, '„Miete zahlen“ hinzugefügt')
    await seite.getByRole('button', { name: 'Miete zahlen bearbeiten' }).click()
    const details = seite.getByRole('complementary', { name: 'Aufgabe', exact: true })
    await details.getByLabel('Aufwand (Min.)').fill('30')
    await details.getByRole('button', { name: /^Fällig/ }).click()
    const due = seite.getByRole('dialog', { name: 'Fällig am' })
    await due.getByRole('textbox', { name: 'Fällig am' }).fill('1.3.40')
    await due.getByLabel('Uhrzeit', { exact: true }).fill('14')
    expect(await details.innerText()).not.toMatch(/Title|Notes|Due|Priority|Save|Start\b|None|Parent/)
    await due.getByRole('button', { name: 'Speichern' }).click()
    await expectToast(seite, '„Miete zahlen“ gespeichert')
    const later = seite.getByRole('region', { name: 'Später' })
    await later.getByText('Fällig: 01.03.2040, 14:00', { exact: true }).waitFor()
    await later.getByText('30 Min.', { exact: true }).waitFor()
    const main = await seite.getByRole('main').innerText()
    expect(main).not.toMatch(/\b(Tasks|Add|Open|Done|Any|Due|Every|Plan my)\b/)
    await seite.setViewportSize({ width: 390, height: 800 })
    await expect.poll(() => pageWidth(seite)).toBe(390)
    expect(german.browserErrors).toEqual([])
    await german.context.close()
  })

  it('causes no browser errors', () => {
    expect(visitor.browserErrors).toEqual([])
  })
})
