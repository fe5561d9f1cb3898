import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, findDarkModeIssues, ON_TOP, OPEN_LIST } from './faults.ts'
import {
  createPointer,
  INPUTS,
  type Input,
  listSettings,
  type Point,
  type Pointer,
  type Setting,
  swipe,
} from './gestures.ts'
import { takeScreenshots } from './screenshots.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, openPage, PASSWORD, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

interface Event {
  id: number
  title: string
  start: string
  end: string
  allDay: boolean
  recurrence: string | null
}

/** Calls the API beside the browser. */
const openApi = async (url: string, email: string) => {
  const send = async (method: string, path: string, token: string, body?: unknown) => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== '' && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json() as Promise<unknown>
  }
  const { token } = (await send('POST', '/auth/login', '', { email, password: PASSWORD })) as {
    token: string
  }
  return {
    prefer: (body: unknown) => send('PATCH', '/settings/preferences', token, body),
    create: (body: object) => send('POST', '/calendar/events', token, body) as Promise<Event>,
    addTask: (body: object) => send('POST', '/tasks', token, body) as Promise<{ id: number }>,
    getTask: (id: number) => send('GET', `/tasks/${id}`, token, undefined) as Promise<{ status: string }>,
    /** The events with a title in the weeks from a Monday, in order. */
    async find(title: string, monday: string): Promise<Event[]> {
      const range = `start=${monday}&end=${addDays(monday, 21)}&limit=200`
      const { events } = (await send('GET', `/calendar/events?${range}`, token)) as { events: Event[] }
      return events.filter((event) => event.title === title)
    },
  }
}

type Api = Awaited<ReturnType<typeof openApi>>

interface Stage extends Setting {
  page: Page
  pointer: Pointer
  api: Api
  /** A Monday without events of other tests. */
  monday: string
  /** A title that no other test uses. */
  title: string
}

const DAY_MS = 86_400_000

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** The first Monday of a year. Each gesture has its own year. */
const mondayOf = (year: number): string => {
  const first = `${year}-01-01`
  return addDays(first, (8 - new Date(first).getUTCDay()) % 7)
}

/** All tests are in January, so Berlin is one hour ahead of UTC. */
const at = (day: string, hour: number): string =>
  new Date(Date.parse(day) + (hour - 1) * 3_600_000).toISOString()

const chip = ({ page, title }: Stage): Locator =>
  page.locator('.chip:not([data-ghost])', { hasText: title }).first()

const middleOf = async (
  element: Locator,
): Promise<Point & { top: number; bottom: number; left: number; right: number }> => {
  await element.scrollIntoViewIfNeeded()
  const box = await element.boundingBox()
  if (!box) throw new Error('The element is not visible.')
  const { x, y, width, height } = box
  return { x: x + width / 2, y: y + height / 2, top: y, bottom: y + height, left: x, right: x + width }
}

/** The point of an hour in the hour grid. The displayed hours are not scrolled. */
const pointAt = async ({ page }: Stage, day: string, hour: number): Promise<Point> => {
  const box = await page.locator(`.hours-column[data-day="${day}"]`).boundingBox()
  if (!box) throw new Error(`No column for ${day}.`)
  return { x: box.x + box.width * 0.7, y: box.y + (box.height / 24) * hour }
}

const allDayPoint = ({ page }: Stage, day: string): Promise<Point> =>
  middleOf(page.locator(`.all-day-cell[data-day="${day}"]`))

const openWeek = async ({ page }: Stage, day: string): Promise<void> => {
  await openPage(page, `/calendar?view=week&date=${day}`)
  await page.locator(`.hours-column[data-day="${day}"]`).waitFor()
}

/** An event on Tuesday from 10 to 11, in the week that is displayed. */
const openEvent = async (stage: Stage, fields: object = {}): Promise<Event> => {
  const { api, monday, title } = stage
  const tuesday = addDays(monday, 1)
  const event = await api.create({ title, start: at(tuesday, 10), end: at(tuesday, 11), ...fields })
  await openWeek(stage, tuesday)
  await chip(stage).waitFor()
  return event
}

const timesOf = async ({ api, title, monday }: Stage) =>
  (await api.find(title, monday)).map(({ start, end, allDay }) => ({ start, end, ...(allDay && { allDay }) }))

const expectTimes = (stage: Stage, times: readonly object[]) =>
  expect.poll(() => timesOf(stage)).toEqual(times)

const hours = (day: string, from: number, to: number) => ({ start: at(day, from), end: at(day, to) })
const wholeDays = (day: string, count: number) => ({
  start: at(day, 0),
  end: at(addDays(day, count), 0),
  allDay: true,
})

/** Presses keys one after the other while a modifier is held. */
const pressWith = async (
  { page }: Stage,
  modifiers: readonly string[],
  keys: readonly string[],
): Promise<void> => {
  for (const modifier of modifiers) await page.keyboard.down(modifier)
  for (const key of keys) await page.keyboard.press(key)
  for (const modifier of modifiers) await page.keyboard.up(modifier)
}

const repeat = <T>(value: T, count: number): T[] => Array.from({ length: count }, () => value)

/** Shows the handles of an event to a finger. A mouse needs none. */
const findHandle = async (stage: Stage, end: 'start' | 'end'): Promise<Point> => {
  const { x, y, top, bottom } = await middleOf(chip(stage))
  if (stage.input === 'mouse') return { x, y: end === 'start' ? top + 2 : bottom - 2 }
  await stage.pointer.press({ x, y })
  await stage.page.locator('.chip[data-held="true"]').waitFor()
  return { x, y: end === 'start' ? top - 8 : bottom + 8 }
}

interface Gesture {
  name: string
  inputs?: readonly Input[]
  run(stage: Stage): Promise<void>
}

const titleField = (page: Page) => page.locator(':is(.popover, .dialog) input[name="title"]')

const GESTURES: readonly Gesture[] = [
  {
    name: 'creates an event',
    async run(stage) {
      const { page, pointer, monday, title, input } = stage
      const wednesday = addDays(monday, 2)
      await openWeek(stage, wednesday)
      if (input === 'keyboard') {
        await page.locator('.day-button[tabindex="0"]').focus()
        await page.keyboard.press('c')
      } else await pointer.tap(await pointAt(stage, wednesday, 9.2))
      await titleField(page).waitFor()
      if (input === 'touch') await titleField(page).tap()
      await page.keyboard.type(title)
      await page.keyboard.press('Enter')
      await expectTimes(stage, [hours(wednesday, 9, 10)])
    },
  },
  {
    name: 'reads one line, and keeps it in the editor',
    async run(stage) {
      const { page, pointer, monday, title, input, language } = stage
      const wednesday = addDays(monday, 2)
      await openWeek(stage, wednesday)
      if (input === 'keyboard') {
        await page.locator('.day-button[tabindex="0"]').focus()
        await page.keyboard.press('c')
      } else await pointer.tap(await pointAt(stage, wednesday, 9.2))
      await titleField(page).waitFor()
      if (input === 'touch') await titleField(page).tap()
      await page.keyboard.type(language === 'de' ? `${title} 15 Uhr im Park` : `${title} at 3 pm at the park`)
      await page.locator('.quick-recognized', { hasText: /Park/i }).waitFor()
      expect(await findAccessibilityIssues(page, OPEN_LIST)).toEqual([])
      const more = page.locator('button[aria-keyshortcuts="Shift+Enter"]')
      if (input === 'keyboard') await page.keyboard.press('Shift+Enter')
      else await more.click()
      const editor = page.locator('.dialog:has([name="location"])')
      await expect.poll(() => editor.locator('[name="location"]').inputValue()).toMatch(/^Park$/i)
      expect(await editor.locator('[name="title"]').inputValue()).toBe(title)
      await editor.locator('[name="title"]').press('Enter')
      await expectTimes(stage, [hours(wednesday, 15, 16)])
    },
  },
  {
    name: 'creates an event of a chosen length',
    inputs: ['mouse', 'touch'],
    async run(stage) {
      const { page, pointer, monday, title, input } = stage
      const wednesday = addDays(monday, 2)
      await openWeek(stage, wednesday)
      await pointer.drag([await pointAt(stage, wednesday, 9.05), await pointAt(stage, wednesday, 11.45)])
      await titleField(page).waitFor()
      if (input === 'touch') await titleField(page).tap()
      await page.keyboard.type(title)
      await page.keyboard.press('Enter')
      await expectTimes(stage, [hours(wednesday, 9, 11.5)])
    },
  },
  {
    name: 'moves an event to another day and hour, and undoes it',
    async run(stage) {
      const { page, pointer, monday, input } = stage
      const [tuesday, thursday] = [addDays(monday, 1), addDays(monday, 3)]
      await openEvent(stage)
      const from = await middleOf(chip(stage))
      if (input === 'keyboard') {
        await chip(stage).focus()
        await pressWith(stage, ['Alt'], ['ArrowRight', 'ArrowRight', ...repeat('ArrowDown', 8)])
      } else {
        const column = await pointAt(stage, thursday, 10)
        await pointer.drag([from, { x: column.x, y: (await pointAt(stage, thursday, 12.5)).y }])
      }
      await expectTimes(stage, [hours(thursday, 12, 13)])
      const undo = page.locator('.toast-action').first()
      await undo.waitFor()
      if (input === 'keyboard') await page.keyboard.press('z')
      else if (input === 'touch') await undo.tap()
      else await undo.click()
      await expectTimes(stage, [hours(tuesday, 10, 11)])
    },
  },
  {
    name: 'changes the end of an event',
    async run(stage) {
      const { pointer, monday, input } = stage
      const tuesday = addDays(monday, 1)
      await openEvent(stage)
      if (input === 'keyboard') {
        await chip(stage).focus()
        await pressWith(stage, ['Shift'], repeat('ArrowDown', 4))
      } else {
        const handle = await findHandle(stage, 'end')
        const hour = (await pointAt(stage, tuesday, 11)).y - (await pointAt(stage, tuesday, 10)).y
        await pointer.drag([handle, { x: handle.x, y: handle.y + hour }], { isHandle: true })
      }
      await expectTimes(stage, [hours(tuesday, 10, 12)])
    },
  },
  {
    name: 'changes the start of an event',
    async run(stage) {
      const { pointer, monday, input } = stage
      const tuesday = addDays(monday, 1)
      await openEvent(stage)
      if (input === 'keyboard') {
        await chip(stage).focus()
        await pressWith(stage, ['Alt', 'Shift'], repeat('ArrowUp', 2))
      } else {
        const handle = await findHandle(stage, 'start')
        const hour = (await pointAt(stage, tuesday, 11)).y - (await pointAt(stage, tuesday, 10)).y
        await pointer.drag([handle, { x: handle.x, y: handle.y - hour / 2 }], { isHandle: true })
      }
      await expectTimes(stage, [hours(tuesday, 9.5, 11)])
    },
  },
  {
    name: 'copies an event',
    async run(stage) {
      const { page, pointer, monday, input } = stage
      const [tuesday, thursday] = [addDays(monday, 1), addDays(monday, 3)]
      await openEvent(stage)
      const from = await middleOf(chip(stage))
      const target = { x: (await pointAt(stage, thursday, 10)).x, y: from.y }
      if (input === 'keyboard') {
        await chip(stage).focus()
        await page.keyboard.press('Control+c')
        await page.locator(`.day-button[data-day="${thursday}"]`).focus()
        await page.keyboard.press('Control+v')
      } else if (input === 'mouse') {
        await page.keyboard.down('Alt')
        await pointer.drag([from, target])
        await page.keyboard.up('Alt')
      } else {
        await pointer.tap(from)
        await page.locator('[data-duplicate]').tap()
        const field = page.locator('.dialog input[name="start"]')
        await field.fill(thursday)
        await page.locator('.dialog button[type="submit"]').tap()
      }
      await expectTimes(stage, [hours(tuesday, 10, 11), hours(thursday, 10, 11)])
    },
  },
  {
    name: 'moves an event to the whole day and back to the hours',
    async run(stage) {
      const { pointer, monday, input } = stage
      const tuesday = addDays(monday, 1)
      await openEvent(stage)
      if (input === 'keyboard') {
        await chip(stage).focus()
        await pressWith(stage, ['Alt'], ['PageUp'])
      } else await pointer.drag([await middleOf(chip(stage)), await allDayPoint(stage, tuesday)])
      await expectTimes(stage, [wholeDays(tuesday, 1)])
      await stage.page.locator('.all-day .chip:not([data-ghost])', { hasText: stage.title }).waitFor()
      await stage.page.locator('.chip[data-ghost]').waitFor({ state: 'detached' })
      if (input === 'keyboard') {
        await chip(stage).focus()
        await pressWith(stage, ['Alt'], ['PageDown'])
      } else await pointer.drag([await middleOf(chip(stage)), await pointAt(stage, tuesday, 9.1)])
      await expectTimes(stage, [hours(tuesday, 9, 10)])
    },
  },
  {
    name: 'moves an event to the next week',
    async run(stage) {
      const { page, pointer, monday, input } = stage
      const next = addDays(monday, 8)
      await openEvent(stage)
      if (input === 'keyboard') {
        await chip(stage).focus()
        await pressWith(stage, ['Alt'], repeat('ArrowRight', 7))
      } else {
        const from = await middleOf(chip(stage))
        const grid = await middleOf(page.locator('.hours'))
        const edge = { x: grid.right - 6, y: from.y, rest: 1000 }
        await pointer.drag([from, edge, from])
      }
      await expectTimes(stage, [hours(next, 10, 11)])
    },
  },
  {
    name: 'cancels a move',
    async run(stage) {
      const { page, pointer, monday, input } = stage
      const tuesday = addDays(monday, 1)
      await openEvent(stage)
      const from = await middleOf(chip(stage))
      if (input === 'keyboard') {
        await chip(stage).focus()
        await pressWith(stage, ['Alt'], ['ArrowDown', 'ArrowDown', 'Escape'])
      } else await pointer.drag([from, { x: from.x, y: from.y + 120 }], { cancel: true })
      expect(await page.locator('.chip[data-ghost]').count()).toBe(0)
      expect(await timesOf(stage)).toEqual([hours(tuesday, 10, 11)])
    },
  },
  {
    name: 'moves this and the following events of a series, and undoes it',
    async run(stage) {
      const { page, pointer, monday, input } = stage
      const tuesday = addDays(monday, 1)
      const days = [0, 1, 2].map((day) => addDays(tuesday, day))
      await openEvent(stage, { recurrence: 'FREQ=DAILY;COUNT=3' })
      const second = page.locator('.chip:not([data-ghost])', { hasText: stage.title }).nth(1)
      if (input === 'keyboard') {
        await second.focus()
        await pressWith(stage, ['Alt'], repeat('ArrowDown', 4))
      } else {
        const from = await middleOf(second)
        const hour = (await pointAt(stage, tuesday, 11)).y - (await pointAt(stage, tuesday, 10)).y
        await pointer.drag([from, { x: from.x, y: from.y + hour }])
      }
      const choice = page.locator('.dialog input[value="following"]')
      if (input === 'touch') await choice.tap()
      else await choice.check()
      await page.locator('.dialog button[type="submit"]').click()
      const [first = '', ...rest] = days
      await expectTimes(stage, [hours(first, 10, 11), ...rest.map((day) => hours(day, 11, 12))])
      await page.locator('.toast-action').first().click()
      await expectTimes(
        stage,
        days.map((day) => hours(day, 10, 11)),
      )
    },
  },
  {
    name: 'finds a time beside the busy times of others',
    async run(stage) {
      const { page, api, monday, input } = stage
      const tuesday = addDays(monday, 1)
      await api.create({ title: 'Taken', start: at(tuesday, 12), end: at(tuesday, 13) })
      await openEvent(stage, { attendees: ['Ben <ben@example.org>'] })
      await chip(stage).press('e')
      await page.locator('[data-find-time]').press('Enter')
      const slider = page.getByRole('slider')
      await slider.waitFor()
      expect(await page.locator('.find-time-row').count()).toBe(2)
      expect(await page.locator('.find-time-busy').count()).toBe(1)
      expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
      expect(await findDarkModeIssues(page)).toEqual([])
      await takeScreenshots(page, `find-time-${stage.language}-${stage.width}`)
      if (input === 'keyboard') for (const key of repeat('ArrowRight', 16)) await slider.press(key)
      else {
        const track = page.locator('.find-time-track').first()
        const { width = 0 } = (await track.boundingBox()) ?? {}
        const position = { x: (width / 24) * 14.1, y: 10 }
        await (input === 'touch' ? track.tap({ position }) : track.click({ position }))
      }
      await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe(String(14 * 60))
      await page.locator('.find-time .button[data-kind="primary"]').click()
      await slider.waitFor({ state: 'detached' })
      await page.locator('.dialog button[type="submit"]').click()
      await expectTimes(stage, [hours(tuesday, 14, 15)])
    },
  },
  {
    name: 'completes a task on its day',
    async run(stage) {
      const { page, api, monday, title, input } = stage
      const tuesday = addDays(monday, 1)
      const { id } = await api.addTask({ title, dueDay: tuesday })
      await openWeek(stage, tuesday)
      const box = page.locator(`.all-day [data-task="${id}"] input`)
      await box.waitFor()
      expect(await findAccessibilityIssues(page)).toEqual([])
      if (input === 'keyboard') await box.press('Space')
      else if (input === 'touch') await box.tap()
      else await box.click()
      await expect.poll(async () => (await api.getTask(id)).status).toBe('done')
    },
  },
  {
    name: 'plans a task by dragging it onto the hours',
    async run(stage) {
      const { page, pointer, api, monday, title, input } = stage
      const tuesday = addDays(monday, 1)
      const { id } = await api.addTask({ title, dueDay: tuesday, estimateMinutes: 60 })
      await page.evaluate("localStorage.setItem('factotum.calendar-task-lane', 'on')")
      await openWeek(stage, tuesday)
      const row = page.locator('.task-lane li', { has: page.locator(`[data-task="${id}"]`) })
      await row.waitFor()
      expect(await findAccessibilityIssues(page)).toEqual([])
      if (input === 'keyboard') {
        await row.locator('[data-plan]').press('Enter')
        await page.locator(':is(.popover, .dialog) input[name="time"]').waitFor()
        await page.keyboard.press('Enter')
      } else {
        const handle = await middleOf(row.locator('.calendar-task'))
        await pointer.drag([handle, await pointAt(stage, tuesday, 9.1)])
      }
      await expectTimes(stage, [hours(tuesday, 9, 10)])
      await page.evaluate("localStorage.removeItem('factotum.calendar-task-lane')")
    },
  },
  {
    name: 'scrolls the month on by weeks',
    async run(stage) {
      const { page, monday, input } = stage
      await openPage(page, `/calendar?view=month&date=${monday}`)
      const body = page.locator('.month-weeks')
      const hidden = page.locator(`.month-day[data-day="${addDays(monday, 42)}"]`)
      await page.locator(`.month-day[data-day="${monday}"]`).waitFor()
      expect(await hidden.count()).toBe(0)
      const { x, y } = await middleOf(body)
      if (input === 'keyboard') {
        await page.locator('.day-button[tabindex="0"]').focus()
        for (let week = 1; week <= 6; week++) {
          await page.keyboard.press('ArrowDown')
          const focusedDay = () => page.evaluate('document.activeElement.dataset.day')
          await expect.poll(focusedDay).toBe(addDays(monday, 7 * week))
        }
      } else if (input === 'mouse') {
        await page.mouse.move(x, y)
        await page.mouse.wheel(0, 400)
      } else await swipe(page, { x, y: y + 200 }, { x, y: y - 200 })
      await hidden.waitFor()
    },
  },
  {
    name: 'goes to a date',
    async run({ page, monday, input, language }) {
      await openPage(page, `/calendar?view=week&date=${addDays(monday, 70)}`)
      if (input === 'keyboard') await page.keyboard.type('gg')
      else if (input === 'touch') await page.locator('[data-go-to-date]').tap()
      else await page.locator('[data-go-to-date]').click()
      const field = page.locator(':is(.popover, .dialog) input[name="date"]')
      await field.waitFor()
      expect(await findAccessibilityIssues(page, OPEN_LIST)).toEqual([])
      const [year, month, day] = monday.split('-')
      await field.fill(language === 'de' ? `${day}.${month}.${year}` : `${day}/${month}/${year}`)
      await page.keyboard.press('Enter')
      await page.locator(`.hours-column[data-day="${monday}"]`).waitFor()
    },
  },
]

withBrowser('calendar gestures', () => {
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
      await signUp(visitor, '/tasks', { name: 'Ana', email, locale })
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
        const monday = mondayOf(2027 + index)
        const title = `G${index} ${setting.input}`
        await run({ ...setting, page, pointer, api, monday, title })
      })

  it('causes no browser errors', async () => {
    for (const known of visitors.values()) expect((await known).visitor.browserErrors).toEqual([])
  })
})
