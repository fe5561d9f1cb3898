import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from './service.ts'
import { openBrowser, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const row = (page: Page, name: string) => page.locator('.task', { hasText: name })
const outline = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.task-group-head h2.task-group, .task')].map((element) =>
    element.matches('h2')
      ? '# ' + element.textContent
      : '-'.repeat(Number(element.ariaLevel) - 1) + element.querySelector('.task-title').textContent)`)
const expectOutline = (page: Page, rows: string[]) => expect.poll(() => outline(page)).toEqual(rows)

/** Drags a row by its title to a point of another element. */
const drag = async (page: Page, name: string, target: Locator, to: { x: number; y: number }) => {
  // Waits until the row has its place.
  await row(page, name).locator('.row-main').hover()
  const from = await row(page, name).locator('.row-main').boundingBox()
  const box = await target.boundingBox()
  if (!from || !box) throw new Error(`No place for ${name}`)
  const [x, y] = [box.x + to.x, box.y + to.y * box.height]
  await page.mouse.move(from.x + 200, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + 210, from.y + from.height / 2 + 10, { steps: 3 })
  await page.mouse.move(x, y, { steps: 5 })
  await page.waitForTimeout(100)
  await page.mouse.up()
}

withBrowser('dragged tasks', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page
  let listId: number

  const call = async (path: string, data: object): Promise<{ id: number }> => {
    const response = await fetch(`${service.url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(data),
    })
    return (await response.json()) as { id: number }
  }

  beforeAll(async () => {
    service = await startService({ TZ_DEFAULT: 'Europe/Berlin' })
    browser = await openBrowser()
    visitor = await visit(browser, service.url)
    page = visitor.page
    await signUp(visitor, '/settings')
    listId = (await call('/task-lists', { name: 'Garden' })).id
    await call(`/task-lists/${listId}/sections`, { name: 'Later' })
    for (const title of ['Dig', 'Plant', 'Water']) await call('/tasks', { title, listId })
    await page.goto(`/tasks?list=${listId}`)
    await row(page, 'Water').waitFor()
    await page.getByRole('heading', { name: 'Later' }).waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('are put in another order, and under another task by the place of the pointer', async () => {
    await drag(page, 'Water', row(page, 'Dig'), { x: 10, y: 0.2 })
    await expectOutline(page, ['Water', 'Dig', 'Plant', '# Later'])
    await drag(page, 'Plant', row(page, 'Water'), { x: 60, y: 0.8 })
    await expectOutline(page, ['Water', '-Plant', 'Dig', '# Later'])
    await page.keyboard.press('z')
    await expectOutline(page, ['Water', 'Dig', 'Plant', '# Later'])
  })

  it('move into an empty section and to another list', async () => {
    await drag(page, 'Dig', page.getByRole('region', { name: 'Later' }), { x: 40, y: 0.5 })
    await expectOutline(page, ['Water', 'Plant', '# Later', 'Dig'])
    const inbox = page
      .getByRole('navigation', { name: 'Lists' })
      .getByRole('listitem')
      .filter({ hasText: 'Inbox' })
    await drag(page, 'Plant', inbox, { x: 60, y: 0.5 })
    await expectOutline(page, ['Water', '# Later', 'Dig'])
    await page.keyboard.press('z')
    await expectOutline(page, ['Water', 'Plant', '# Later', 'Dig'])
    await page.reload()
    await expectOutline(page, ['Water', 'Plant', '# Later', 'Dig'])
  })

  it('move to another day', async () => {
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(Date.now())
    await call('/tasks', { title: 'Mow', dueDay: today })
    await page.goto('/tasks?days=upcoming')
    await row(page, 'Mow').waitFor()
    await drag(page, 'Mow', page.getByRole('region', { name: 'Tomorrow' }), { x: 60, y: 0.5 })
    await page.getByRole('region', { name: 'Tomorrow' }).getByText('Mow').waitFor()
    await page.keyboard.press('z')
    await page.getByRole('region', { name: 'Today', exact: true }).getByText('Mow').waitFor()
  })

  it('cause no errors in the browser', () => {
    expect(visitor.browserErrors).toEqual([])
  })
})
