import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, findDarkModeIssues } from './faults.ts'
import {
  createPointer,
  INPUTS,
  type Input,
  listSettings,
  type Point,
  type Pointer,
  type Setting,
} from './gestures.ts'
import { takeScreenshots } from './screenshots.ts'
import { type Service, startService } from './service.ts'
import {
  openBrowser,
  openPage,
  PASSWORD,
  pageWidth,
  signUp,
  type Visitor,
  visit,
  withBrowser,
} from './visitor.ts'

interface Task {
  id: number
  title: string
  parentId: number | null
  sectionId: number | null
  status: string
  dueDay: string | null
  priority: string
}

/** Calls the API beside the browser. */
const openApi = async (url: string, email: string) => {
  const send = async <Result>(
    method: string,
    path: string,
    token: string,
    body?: object,
  ): Promise<Result> => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== '' && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Result
  }
  const { token } = await send<{ token: string }>('POST', '/auth/login', '', { email, password: PASSWORD })
  return {
    prefer: (body: object) => send('PATCH', '/settings/preferences', token, body),
    addList: (name: string) => send<{ id: number }>('POST', '/task-lists', token, { name }),
    addSection: (listId: number, name: string) =>
      send<{ id: number }>('POST', `/task-lists/${listId}/sections`, token, { name }),
    add: (body: object) => send<Task>('POST', '/tasks', token, body),
    /** The tasks of a list in their order. */
    async list(listId: number): Promise<Task[]> {
      const query = `listId=${listId}&sort=position&limit=200`
      return (await send<{ tasks: Task[] }>('GET', `/tasks?${query}`, token)).tasks
    },
  }
}

type Api = Awaited<ReturnType<typeof openApi>>

interface Stage extends Setting {
  page: Page
  pointer: Pointer
  api: Api
  /** A list without tasks of other tests. */
  listId: number
}

const row = ({ page }: Stage, name: string): Locator => page.locator('.task', { hasText: name })
const title = (stage: Stage, name: string): Locator => row(stage, name).locator('.task-title')

/** The tasks as an indented outline, with the sections in which they are. */
const outline = async ({ api, listId }: Stage, sections: readonly { id: number; name: string }[] = []) => {
  const tasks = await api.list(listId)
  const rowsOf = (parentId: number | null, sectionId: number | null, depth: number): string[] =>
    tasks
      .filter((task) => task.parentId === parentId && (parentId !== null || task.sectionId === sectionId))
      .flatMap((task) => ['-'.repeat(depth) + task.title, ...rowsOf(task.id, null, depth + 1)])
  return [
    ...rowsOf(null, null, 0),
    ...sections.flatMap(({ id, name }) => [`# ${name}`, ...rowsOf(null, id, 0)]),
  ]
}
const expectOutline = (stage: Stage, rows: readonly string[], sections: Parameters<typeof outline>[1] = []) =>
  expect.poll(() => outline(stage, sections)).toEqual(rows)

const boxOf = async (element: Locator) => {
  await element.scrollIntoViewIfNeeded()
  const box = await element.boundingBox()
  if (!box) throw new Error('The element is not visible.')
  return box
}

/** A point of an element, as parts of its width and height. */
const pointIn = async (element: Locator, x = 0.5, y = 0.5): Promise<Point> => {
  const box = await boxOf(element)
  return { x: box.x + box.width * x, y: box.y + box.height * y, rest: 150 }
}

const press = async ({ input }: Stage, element: Locator): Promise<void> => {
  if (input === 'touch') await element.tap()
  else if (input === 'mouse') await element.click()
  else await element.press('Enter')
}

/** Chooses from the menu of a row. */
const choose = async (stage: Stage, name: string, action: RegExp): Promise<void> => {
  await press(stage, row(stage, name).locator('.row-actions button'))
  await press(stage, stage.page.getByRole('menuitem', { name: action }))
}

const undo = async (stage: Stage): Promise<void> => {
  const button = stage.page.locator('.toast-action').first()
  await button.waitFor()
  if (stage.input === 'keyboard') await stage.page.keyboard.press('z')
  else await press(stage, button)
}

interface Gesture {
  name: string
  inputs?: readonly Input[]
  run(stage: Stage): Promise<void>
}

/** A list with a section, as rows or as a board. */
const openList = async (stage: Stage, layout: 'list' | 'board' = 'list') => {
  const { api, listId, page } = stage
  const sections = [{ name: 'Later', ...(await api.addSection(listId, 'Later')) }]
  for (const name of ['Dig', 'Plant', 'Water']) await api.add({ title: name, listId })
  await openPage(page, `/tasks?list=${listId}&layout=${layout}`)
  await title(stage, 'Water').waitFor()
  await page.getByRole('heading', { name: 'Later' }).waitFor()
  return { sections, expectRows: (rows: readonly string[]) => expectOutline(stage, rows, sections) }
}

const GESTURES: readonly Gesture[] = [
  {
    name: 'moves a card to another column and back, and undoes it',
    async run(stage) {
      const { page, pointer, input } = stage
      const { expectRows } = await openList(stage, 'board')
      await takeScreenshots(page, `board-${stage.width}-${stage.language}`)
      expect(await findAccessibilityIssues(page)).toEqual([])
      expect(await findDarkModeIssues(page)).toEqual([])
      expect(await pageWidth(page)).toBe(stage.width)
      if (input === 'keyboard') {
        await title(stage, 'Dig').focus()
        await page.keyboard.press('Alt+ArrowRight')
      } else if (input === 'touch') await choose(stage, 'Dig', /Later/)
      else
        await pointer.drag([
          await pointIn(row(stage, 'Dig'), 0.5, 0.8),
          await pointIn(page.getByRole('region', { name: 'Later' })),
        ])
      await expectRows(['Plant', 'Water', '# Later', 'Dig'])
      await undo(stage)
      await expectRows(['Dig', 'Plant', 'Water', '# Later'])
    },
  },
  {
    name: 'moves a card within its column',
    async run(stage) {
      const { page, pointer, input } = stage
      const { expectRows } = await openList(stage, 'board')
      if (input === 'keyboard') {
        await title(stage, 'Water').focus()
        await page.keyboard.press('Alt+ArrowUp')
      } else if (input === 'touch') await choose(stage, 'Water', /Move up|Nach oben/)
      else
        await pointer.drag([
          await pointIn(row(stage, 'Water'), 0.5, 0.8),
          await pointIn(row(stage, 'Plant'), 0.5, 0.2),
        ])
      await expectRows(['Dig', 'Water', 'Plant', '# Later'])
    },
  },
  {
    name: 'adds a card and a column',
    async run(stage) {
      const { page } = stage
      const { expectRows } = await openList(stage, 'board')
      await press(
        stage,
        page.getByRole('region', { name: 'Later' }).locator('section > .button, :scope > .button'),
      )
      await page.locator('.task-add-row input').waitFor()
      await page.keyboard.type('Mow')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await expectRows(['Dig', 'Plant', 'Water', '# Later', 'Mow'])
      await press(stage, page.getByRole('button', { name: /^(Add section|Abschnitt hinzufügen)$/ }))
      const name = page.locator(':is(.popover, .dialog) input[name="name"]')
      await name.fill('Done soon')
      await name.press('Enter')
      await page.getByRole('region', { name: 'Done soon' }).waitFor()
    },
  },
  {
    name: 'chooses the board, which the device remembers for the list',
    async run(stage) {
      const { page, listId, input } = stage
      await openList(stage, 'list')
      const board = page.getByRole('radio', { name: 'Board' })
      if (input === 'keyboard') await page.getByRole('radio', { name: /^Liste?$/ }).press('ArrowRight')
      else if (input === 'touch') await board.tap({ force: true })
      else await board.check({ force: true })
      await expect.poll(() => new URL(page.url()).searchParams.get('layout')).toBe('board')
      await page.locator('.task-board').waitFor()
      await openPage(page, `/tasks?list=${listId}`)
      await page.locator('.task-board').waitFor()
      await title(stage, 'Dig').waitFor()
    },
  },
  {
    name: 'opens a task in a pane, edits it and returns to its row',
    async run(stage) {
      const { page, input, width } = stage
      await openList(stage)
      await press(stage, title(stage, 'Plant'))
      const pane = page.locator('.task-pane, .dialog[data-size="sheet"]')
      await pane.locator('[name="title"]').waitFor()
      expect(await pane.evaluate((element) => element.matches('.dialog'))).toBe(width < 900)
      await takeScreenshots(page, `pane-${width}-${stage.language}`)
      expect(await findAccessibilityIssues(page)).toEqual([])
      await pane.locator('[name="title"]').fill('Plant the beans')
      await pane.locator('[name="notes"]').focus()
      await row(stage, 'Plant the beans').waitFor({ state: width < 900 ? 'attached' : 'visible' })
      await pane.locator('[name="priority"]').selectOption('urgent')
      if (input === 'keyboard') await page.keyboard.press('Escape')
      else await press(stage, pane.getByRole('button', { name: /^(Close|Schließen)$/ }))
      await pane.waitFor({ state: 'detached' })
      await expect.poll(() => new URL(page.url()).searchParams.get('task')).toBe(null)
      await title(stage, 'Plant the beans').and(page.locator(':focus')).waitFor()
      await expect
        .poll(async () => (await stage.api.list(stage.listId))[1])
        .toMatchObject({ title: 'Plant the beans', priority: 'urgent' })
    },
  },
  {
    name: 'renames a task in its row, and undoes it',
    async run(stage) {
      const { page, input } = stage
      const { expectRows } = await openList(stage)
      if (input === 'keyboard') {
        await title(stage, 'Plant').focus()
        await page.keyboard.press('F2')
      } else await choose(stage, 'Plant', /^(Rename|Umbenennen)$/)
      const field = page.locator('.task .row-title > .input')
      await field.waitFor()
      expect(await findAccessibilityIssues(page)).toEqual([])
      await page.keyboard.type('Sow')
      await page.keyboard.press('Enter')
      await expectRows(['Dig', 'Sow', 'Water', '# Later'])
      await title(stage, 'Sow').and(page.locator(':focus')).waitFor()
      await undo(stage)
      await expectRows(['Dig', 'Plant', 'Water', '# Later'])
    },
  },
  {
    name: 'changes the date, the priority and the list of a task in its row',
    // A finger opens the task, whose pane has these values.
    inputs: ['mouse', 'keyboard'],
    async run(stage) {
      const { page, input, api, listId } = stage
      await openList(stage)
      const open = async (key: string, value: string) => {
        if (input === 'mouse') {
          await row(stage, 'Plant').hover()
          await row(stage, 'Plant').locator(`[data-value="${value}"]`).click()
        } else {
          await title(stage, 'Plant').focus()
          await page.keyboard.press(key)
        }
      }
      await open('d', 'due')
      await press(stage, page.getByRole('button', { name: /^(Due|Fällig:) (tomorrow|morgen)$/ }))
      await open('p', 'priority')
      await press(stage, page.getByRole('menuitemradio', { name: /^(Urgent|Dringend)$/ }))
      await expect
        .poll(async () => (await api.list(listId))[1])
        .toMatchObject({ dueDay: expect.any(String), priority: 'urgent' })
      await open('l', 'list')
      await press(stage, page.getByRole('menuitemradio', { name: /^(Inbox|Eingang|Posteingang)$/ }))
      await expectOutline(stage, ['Dig', 'Water'])
      await undo(stage)
      await expectOutline(stage, ['Dig', 'Plant', 'Water'])
    },
  },
  {
    name: 'adds subtasks of two levels by typing',
    async run(stage) {
      const { page, input } = stage
      const { expectRows } = await openList(stage)
      if (input === 'keyboard') {
        await title(stage, 'Plant').focus()
        await page.keyboard.press('s')
      } else await choose(stage, 'Plant', /^(Add subtask|Unteraufgabe hinzufügen)$/)
      const field = page.locator('.task-add-row input')
      const type = async (text: string) => {
        await field.and(page.locator(':focus')).waitFor()
        await page.keyboard.type(text)
        await page.keyboard.press('Enter')
        await row(stage, text).waitFor()
      }
      await type('Beans')
      await page.keyboard.press('Tab')
      await type('Buy seeds')
      await page.keyboard.press('Shift+Tab')
      await type('Peas')
      await page.keyboard.press('Escape')
      await expectRows(['Dig', 'Plant', '-Beans', '--Buy seeds', '-Peas', 'Water', '# Later'])
    },
  },
  {
    name: 'deletes several tasks with one undo',
    async run(stage) {
      const { page, pointer, input } = stage
      await openList(stage)
      for (const name of ['Dig', 'Plant'])
        if (input === 'keyboard') {
          await title(stage, name).focus()
          await page.keyboard.press('x')
        } else if (input === 'mouse') await title(stage, name).click({ modifiers: ['Control'] })
        else if (name === 'Dig') await pointer.press(await pointIn(row(stage, name), 0.5, 0.8))
        else await title(stage, name).tap()
      const bar = page.getByRole('toolbar')
      await bar.waitFor()
      await press(stage, bar.getByRole('button', { name: /^(Delete|Löschen)$/ }))
      await row(stage, 'Plant').waitFor({ state: 'detached' })
      expect(await page.locator('.toast', { hasText: /deleted|gelöscht/ }).count()).toBe(1)
      await undo(stage)
      await title(stage, 'Dig').waitFor()
      await title(stage, 'Plant').waitFor()
      await expectOutline(stage, ['Dig', 'Plant', 'Water'])
    },
  },
]

withBrowser('task gestures', () => {
  let service: Service
  let browser: Browser
  const visitors = new Map<string, Promise<{ visitor: Visitor; api: Api }>>()

  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  /** One account and one page for each language, width and kind of pointer. */
  const enter = ({ language, width, input }: Setting) => {
    const hasTouch = input === 'touch'
    const name = `${language}-${width}-${hasTouch}`
    const open = async () => {
      const locale = language === 'de' ? 'de-DE' : 'en-GB'
      const visitor = await visit(browser, service.url, { width, locale, hasTouch })
      const email = `${name}@example.org`
      await signUp(visitor, '/settings', { name: 'Ana', email, locale })
      const api = await openApi(service.url, email)
      await api.prefer({ timezone: 'Europe/Berlin', weekStart: 'monday' })
      await visitor.page.reload()
      return { visitor, api }
    }
    const known = visitors.get(name) ?? open()
    visitors.set(name, known)
    return known
  }

  for (const [index, { name, inputs = INPUTS, run }] of GESTURES.entries())
    for (const setting of listSettings(index, inputs))
      it(`${name} by ${setting.input} (${setting.language}, ${setting.width} px)`, async () => {
        const { visitor, api } = await enter(setting)
        const { page } = visitor
        const pointer = await createPointer(page, setting.input)
        const { id: listId } = await api.addList(`G${index} ${setting.input}`)
        await run({ ...setting, page, pointer, api, listId })
      })

  it('causes no browser errors', async () => {
    for (const known of visitors.values()) expect((await known).visitor.browserErrors).toEqual([])
  })
})
