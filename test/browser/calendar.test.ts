import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  hasRadicale,
  makeCalendar,
  newCalendarUser,
  radicale,
  remoteEvent,
  sendCaldavRequest,
} from '../support/calendar-servers.ts'
import { sampleOf } from '../support/scale.ts'
import { findAccessibilityIssues, findDarkModeIssues, ON_TOP, OPEN_LIST } from './faults.ts'
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

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const expectToast = (page: Page, text: string | RegExp) =>
  page.locator('.toast', { hasText: text }).first().waitFor()
const dialog = (page: Page, name: string | RegExp) =>
  page.locator('.dialog').and(page.getByRole('dialog', { name }))
const popover = (page: Page, name: string | RegExp) =>
  page.locator('.popover').and(page.getByRole('dialog', { name }))

/** Returns the text of the element at the center of a control, which a click would hit. */
const elementTextAt = async (page: Page, control: Locator): Promise<string> => {
  const { x, y, width, height } = (await control.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return page.evaluate(`document.elementFromPoint(${x + width / 2}, ${y + height / 2})?.textContent`)
}

interface Event {
  id: number
  title: string
  start: string
  end: string
  recurrence: string | null
  occurrenceStart: string | null
  [field: string]: unknown
}

/** Calls the HTTP API directly, next to the browser session. */
const openApi = (url: string) => {
  let token = ''
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.status === 204 ? null : response.json()
  }
  return {
    async signIn(email: string) {
      const answer = (await send('POST', '/auth/login', { email, password: PASSWORD })) as { token: string }
      token = answer.token
    },
    prefer: (body: unknown) => send('PATCH', '/settings/preferences', body),
    create: (body: Record<string, unknown>) => send('POST', '/calendar/events', body) as Promise<Event>,
    change: (id: number, body: unknown) => send('PATCH', `/calendar/events/${id}`, body),
    get: (id: number) => send('GET', `/calendar/events/${id}`) as Promise<Event>,
    getOccurrence: (id: number, start: string) =>
      send('GET', `/calendar/events/${id}?occurrence=${start}`) as Promise<Event>,
    addMailAccount: (body: unknown) => send('POST', '/settings/mail-accounts', body),
    /** Emails that wait for delivery are drafts. */
    async listQueuedSubjects(): Promise<string[]> {
      const { emails } = (await send('GET', '/emails?folder=drafts&limit=200')) as {
        emails: { subject: string }[]
      }
      return emails.map(({ subject }) => subject)
    },
    remove: (id: number) => send('DELETE', `/calendar/events/${id}`),
    async bring(file: string, title: string): Promise<number> {
      const headers = { 'content-type': 'text/calendar', authorization: `Bearer ${token}` }
      await fetch(`${url}/api/calendar/import`, { method: 'POST', headers, body: file })
      return ((await this.named(title)) as Event).id
    },
    alarms: async (id: number) =>
      ((await send('GET', `/calendar/events/${id}/alarms`)) as { alarms: unknown[] }).alarms,
    async between(start: string, end: string): Promise<Event[]> {
      const answer = (await send('GET', `/calendar/events?start=${start}&end=${end}&limit=200`)) as {
        events: Event[]
      }
      return answer.events
    },
    async named(title: string): Promise<Event | undefined> {
      const { events } = (await send('GET', '/calendar/events?limit=200')) as { events: Event[] }
      return events.find((event) => event.title === title)
    },
  }
}

withBrowser('console calendar', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page
  let api: ReturnType<typeof openApi>

  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
    api = openApi(service.url)
    visitor = await visit(browser, service.url, {
      expected: [
        { status: 412, path: /events\/\d+$/ },
        { status: 400, path: /(events|import)$/ },
      ],
    })
    page = visitor.page
    await signUp(visitor, '/tasks')
    await api.signIn('ana@example.org')
    // The browser runs in Berlin, so every time in browser time is wrong.
    await api.prefer({ timezone: 'America/New_York', locale: 'en-GB', weekStart: 'monday' })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const waitForEvents = async (): Promise<void> => {
    await page.locator('.calendar-view').waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  }
  const open = async (query: string): Promise<void> => {
    await openPage(page, `/calendar?${query}`)
    await waitForEvents()
  }
  const event = (title: string, on: Page = page) => on.getByRole('button', { name: new RegExp(`^${title},`) })
  const labelOf = (title: string) => event(title).first().locator('.visually-hidden').textContent()
  /** Opens the editor for a new event from the quick-create popover. */
  const openEditor = async (): Promise<Locator> => {
    await button(page, 'New event').click()
    await popover(page, 'New event').getByRole('button', { name: 'More options' }).click()
    const form = dialog(page, 'New event')
    await form.waitFor()
    return form
  }

  it('opens from the navigation and shows an empty state', async () => {
    await page.goto('/')
    await page.getByRole('region', { name: 'Today' }).waitFor()
    await page.getByRole('link', { name: 'Calendar', exact: true }).click()
    await page.getByText(/^Nothing planned\. Click a time/).waitFor()
    expect(new URL(page.url()).pathname).toBe('/calendar')
    await expect.poll(() => page.title()).toMatch(/ · Calendar · Factotum$/)
  })

  it('shows timed events in the timezone of the user and all-day events on their own day', async () => {
    await api.create({ title: 'Review', start: '2026-03-02T14:00:00Z', timezone: 'Europe/Berlin' })
    await api.create({
      title: 'Feast',
      start: '2026-03-04',
      allDay: true,
      busy: false,
      timezone: 'Pacific/Auckland',
    })
    await open('view=week&date=2026-03-04')
    await page.getByRole('heading', { level: 1, name: /^2\s?–\s?8 March 2026$/ }).waitFor()
    await expect.poll(() => labelOf('Review')).toBe('Review, Monday 2 March, 09:00 to 10:00')
    await expect.poll(() => labelOf('Feast')).toBe('Feast, Wednesday 4 March, all day')
    await button(page, /^Agenda$/).click()
    await page
      .getByRole('region', { name: /Wednesday,? 4 March 2026/ })
      .getByText('Feast', { exact: true })
      .waitFor()
    await button(page, /^Day$/).click()
    await page.getByRole('heading', { level: 1, name: /Wednesday,? 4 March 2026/ }).waitFor()
  })

  it('shows and removes other alarms of an event', async () => {
    const alarm = (trigger: string) => ['BEGIN:VALARM', 'ACTION:DISPLAY', `TRIGGER${trigger}`, 'END:VALARM']
    const id = await api.bring(
      [
        'BEGIN:VCALENDAR',
        'BEGIN:VEVENT',
        'UID:alarmed',
        'SUMMARY:Alarmed',
        'DTSTART:20260302T180000Z',
        'DTEND:20260302T190000Z',
        ...alarm(';RELATED=END:-PT10M'),
        ...alarm(';VALUE=DATE-TIME:20260301T150000Z'),
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ].join('\r\n'),
      'Alarmed',
    )
    await open('view=week&date=2026-03-04')
    await event('Alarmed').first().click()
    await button(page, 'Edit').click()
    const form = dialog(page, 'Edit event')
    const alarms = form.getByRole('list', { name: 'Reminders of the source calendar' })
    await expect
      .poll(() => alarms.getByRole('listitem').allTextContents())
      .toEqual(['10 minutes before the end', '1 Mar 2026, 10:00'])
    await alarms.getByRole('button', { name: 'Remove: 10 minutes before the end' }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    expect(await api.alarms(id)).toMatchObject([{ at: '2026-03-01T15:00:00.000Z' }])
    await api.remove(id)
  })

  it('keeps view and date in the URL for back, forward and reload', async () => {
    await open('view=week&date=2026-03-02')
    await button(page, 'Forward').click()
    await page.getByRole('heading', { level: 1, name: /^9\s?–\s?15 March 2026$/ }).waitFor()
    await button(page, /^Month$/).click()
    await page.getByRole('heading', { level: 1, name: /^March 2026$/ }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: /^March 2026$/ }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: /^9\s?–\s?15 March 2026$/ }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: /^2\s?–\s?8 March 2026$/ }).waitFor()
    await page.keyboard.press('k')
    await page.getByRole('heading', { level: 1, name: /^23 February\s?–\s?1 March 2026$/ }).waitFor()
    await page.keyboard.press('m')
    await page.getByRole('heading', { level: 1, name: /^February 2026$/ }).waitFor()
    await page.keyboard.type('gt')
    await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor()
    await page.keyboard.type('gc')
    await page.locator('.calendar-view').waitFor()
    await page.keyboard.press('t')
    await expect.poll(() => page.locator('.day-button[data-today="true"]').count()).toBe(1)
  })

  it('creates an event by keyboard and reports overlaps', async () => {
    await open('view=week&date=2026-03-02')
    await page.locator('.day-button[tabindex="0"]').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('c')
    const quick = popover(page, 'New event')
    await quick.waitFor()
    await page.keyboard.press('Enter')
    await quick.getByText('Title is required.').waitFor()
    await page.keyboard.type('Lunch')
    await expect.poll(() => quick.getByLabel('Start', { exact: true }).inputValue()).toBe('03/03/2026')
    await quick.getByLabel('Start time', { exact: true }).fill('12:30')
    await expect.poll(() => quick.getByLabel('End time', { exact: true }).inputValue()).toBe('13:30')
    await page.keyboard.press('Enter')
    await expectToast(page, '“Lunch” added')
    await expect.poll(() => labelOf('Lunch')).toBe('Lunch, Tuesday 3 March, 12:30 to 13:30')
    await quick.waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    await expect.poll(() => quick.getByLabel('Title').inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await quick.waitFor({ state: 'detached' })
    await expect
      .poll(() => api.named('Lunch'))
      .toMatchObject({
        start: '2026-03-03T17:30:00.000Z',
        timezone: 'America/New_York',
      })
    const form = await openEditor()
    await form.getByLabel('Title').fill('Clash')
    await form.getByLabel('Start', { exact: true }).fill('3.3.26')
    await form.getByLabel('Start time', { exact: true }).fill('1pm')
    await expect.poll(() => form.getByLabel('End time', { exact: true }).inputValue()).toBe('14:00')
    // The toast of the previous event must not cover the button.
    expect(await elementTextAt(page, button(page, 'Create'))).toBe('Create')
    await button(page, 'Create').click()
    await expectToast(page, '“Clash” added. Overlaps with “Lunch”')
  })

  it('scrolls to the working hours and shows how many events are earlier', async () => {
    const night = await api.create({ title: 'Comet', start: '2026-03-04T07:00:00Z' })
    await open('view=week&date=2026-03-02')
    const top = () => page.locator('.hours').evaluate((hours) => (hours as { scrollTop: number }).scrollTop)
    const hour =
      (await page
        .locator('.hours-body')
        .evaluate((body) => (body as { offsetHeight: number }).offsetHeight)) / 24
    await expect.poll(top).toBeGreaterThan(7 * hour)
    const earlier = page.locator('.hours-hidden[data-way="above"] button')
    await expect.poll(() => earlier.allInnerTexts()).toEqual([expect.stringMatching(/^1\s*earlier$/)])
    await earlier.click()
    await expect.poll(top).toBeLessThan(3 * hour)
    await expect.poll(() => earlier.count()).toBe(0)
    // The sticky header must not cover a focused event.
    await open('view=week&date=2026-03-02')
    await expect.poll(top).toBeGreaterThan(7 * hour)
    await event('Comet').focus()
    const [head, comet] = await Promise.all(
      [page.locator('.hours-head'), event('Comet')].map((part) => part.boundingBox()),
    )
    expect(comet?.y).toBeGreaterThan((head?.y ?? 0) + (head?.height ?? 0))
    await api.remove(night.id)
    await event('Comet').waitFor({ state: 'detached' })
  })

  it('links to a new event outside the visible range', async () => {
    await button(page, 'New event').click()
    const form = popover(page, 'New event')
    await form.getByLabel('Title').fill('Far away')
    await form.getByLabel('Start', { exact: true }).fill('2026-06-03')
    await button(page, 'Create').click()
    await expectToast(page, '“Far away” added')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: /^1\s?–\s?7 June 2026$/ }).waitFor()
    await event('Far away').waitFor()
    await api.remove(((await api.named('Far away')) as Event).id)
  })

  /** Drags the mouse in several steps. */
  const drag = async (from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> => {
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 })
    await page.mouse.move(to.x, to.y, { steps: 4 })
    await page.mouse.up()
  }
  /** Returns a position in an hour column, after scrolling it into view. */
  const hourPosition = async (day: string, hour: number) => {
    const column = page.locator(`.hours-column[data-day="${day}"]`)
    await column
      .locator('.hours-line')
      .nth(Math.max(0, Math.floor(hour) - 2))
      .scrollIntoViewIfNeeded()
    const box = await column.boundingBox()
    if (!box) throw new Error(`No column for ${day}.`)
    return { x: box.x + box.width * 0.9, y: box.y + (box.height / 24) * hour }
  }
  const middleOf = async (title: string) => {
    const box = await event(title).first().boundingBox()
    if (!box) throw new Error(`No event ${title}.`)
    return {
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      height: box.height,
      bottom: box.y + box.height,
    }
  }

  it('creates an event for the dragged hours', async () => {
    await open('view=week&date=2026-03-02')
    const [from, to] = [await hourPosition('2026-03-05', 14.05), await hourPosition('2026-03-05', 15.45)]
    await drag(from, to)
    const form = popover(page, 'New event')
    await form.getByLabel('Title').fill('Pulled')
    await button(page, 'Create').click()
    await expectToast(page, '“Pulled” added')
    await expect.poll(() => labelOf('Pulled')).toBe('Pulled, Thursday 5 March, 14:00 to 15:30')
  })

  it('moves a dragged event and undoes the move', async () => {
    await open('view=week&date=2026-03-02')
    const from = await middleOf('Review')
    const friday = await hourPosition('2026-03-06', 12)
    const hour = from.height / (58 / 60)
    await drag(from, { x: friday.x, y: from.y + hour * 2 })
    await expectToast(page, '“Review” moved')
    await expect.poll(() => labelOf('Review')).toBe('Review, Friday 6 March, 11:00 to 12:00')
    await button(page, 'Undo').click()
    await expect.poll(() => labelOf('Review')).toBe('Review, Monday 2 March, 09:00 to 10:00')
  })

  it('does not move or resize a booking, and says why', async () => {
    const booking = await api.create({
      title: 'Intro call',
      start: '2026-03-03T14:00:00Z',
      end: '2026-03-03T15:00:00Z',
      bookingId: 'booking-1',
    })
    await open('view=week&date=2026-03-02')
    const from = await middleOf('Intro call')
    const label = await labelOf('Intro call')
    await drag(from, { x: from.x, y: from.y + from.height * 2 })
    await drag({ x: from.x, y: from.bottom - 3 }, { x: from.x, y: from.bottom + from.height })
    expect(await labelOf('Intro call')).toBe(label)
    expect(await event('Intro call').first().getAttribute('title')).toBe(
      'Booking. Time, status and guests follow the booking provider.',
    )
    await page.keyboard.press('Escape')
    expect(((await api.named('Intro call')) as Event).start).toBe('2026-03-03T14:00:00.000Z')
    await api.remove(booking.id)
  })

  it('extends an event when its end is dragged', async () => {
    await open('view=week&date=2026-03-02')
    const { x, bottom, height } = await middleOf('Review')
    await drag({ x, y: bottom - 3 }, { x, y: bottom - 3 + height / 2 })
    await expect.poll(() => labelOf('Review')).toBe('Review, Monday 2 March, 09:00 to 10:30')
  })

  it('moves an event by keyboard and announces the new time', async () => {
    await open('view=week&date=2026-03-02')
    await event('Review').focus()
    await page.keyboard.down('Alt')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.getByText('Review, Tuesday 3 March, 09:15 to 10:45').waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await page.keyboard.up('Alt')
    await page.getByText('Move cancelled').waitFor({ state: 'attached' })
    await expect.poll(() => labelOf('Review')).toBe('Review, Monday 2 March, 09:00 to 10:30')
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => labelOf('Review')).toBe('Review, Monday 2 March, 08:45 to 10:15')
    await page.keyboard.press('Shift+ArrowUp')
    await expect.poll(() => labelOf('Review')).toBe('Review, Monday 2 March, 08:45 to 10:00')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^Review/)
  })

  it('changes only the edited fields', async () => {
    await open('view=week&date=2026-03-02')
    const before = await api.named('Review')
    await event('Review').click()
    await popover(page, 'Review').getByText('(event time zone: Berlin)').waitFor()
    await button(page, 'Edit').click()
    const form = dialog(page, 'Edit event')
    await form.waitFor()
    await expect.poll(() => form.getByLabel('Start time', { exact: true }).inputValue()).toBe('14:45')
    await form.getByText(/^08:45\s?–\s?10:00 in New York$/).waitFor()
    await form.getByLabel('Location').fill('Room 4')
    await form.getByLabel('Meeting link').fill('https://meet.example.org/review')
    await form.getByLabel('Status').selectOption('tentative')
    await form.getByLabel('Reminders').selectOption('60')
    await form.getByText('Attendees, notes and tags').click()
    await form.getByRole('combobox', { name: 'Attendees' }).fill('Li Wei <li@example.org>')
    await page.keyboard.press('Enter')
    await form.getByRole('listitem').getByText('Li Wei').waitFor()
    await form.getByLabel('Tags').fill('work, design')
    await button(page, 'Save').click()
    await expectToast(page, '“Review” saved')
    await expect
      .poll(() => labelOf('Review'))
      .toBe('Review, Monday 2 March, 08:45 to 10:00, Tentative, Room 4')
    const { updatedAt: _, ...after } = (await api.named('Review')) as Event
    expect(after).toEqual({
      ...Object.fromEntries(Object.entries(before as Event).filter(([name]) => name !== 'updatedAt')),
      location: 'Room 4',
      meetingUrl: 'https://meet.example.org/review',
      status: 'tentative',
      reminders: [{ minutesBefore: 60 }],
      attendees: [{ name: 'Li Wei', email: 'li@example.org', status: 'needs-action' }],
      tags: ['work', 'design'],
    })
  })

  it('asks before overwriting a concurrent change', async () => {
    await open('view=week&date=2026-03-02')
    await event('Lunch').click()
    await button(page, 'Edit').click()
    const form = dialog(page, 'Edit event')
    await form.getByLabel('Location').fill('Canteen')
    const { id } = (await api.named('Lunch')) as Event
    await api.change(id, { title: 'Long lunch' })
    await button(page, 'Save').click()
    await form.getByText('This was changed elsewhere while you were editing.').waitFor()
    await form.getByText('Saved version: “Long lunch”').waitFor()
    await button(page, 'Save mine').click()
    await expectToast(page, '” saved')
    await expect.poll(() => api.get(id)).toMatchObject({ title: 'Long lunch', location: 'Canteen' })
  })

  it('creates recurrence rules and asks which occurrences to change', async () => {
    await open('view=week&date=2026-03-02')
    const form = await openEditor()
    await form.getByLabel('Title').fill('Gym')
    await form.getByLabel('Start', { exact: true }).fill('2026-03-03')
    await form.getByLabel('Start time', { exact: true }).fill('07:00')
    const repeats = form.getByRole('combobox', { name: 'Repeat' })
    await repeats.selectOption({ label: 'Custom rule (RRULE)…' })
    await form.getByLabel('Rule').fill('FREQ=SOMETIMES')
    await button(page, 'Create').click()
    await form.locator('.field-error').waitFor()
    await repeats.selectOption({ label: 'Custom…' })
    await form.getByRole('spinbutton', { name: 'Every' }).fill('1')
    await form.getByRole('button', { name: 'Thursday' }).click()
    await form.getByLabel('Ends', { exact: true }).selectOption('after')
    await form.getByLabel('Times').fill('8')
    await form.getByText('Every week on Tuesday and Thursday, 8 times').waitFor()
    await button(page, 'Create').click()
    await expectToast(page, '“Gym” added')
    // A closing dialog returns the focus to where it was before.
    await form.waitFor({ state: 'detached' })
    const gym = (await api.named('Gym')) as Event
    expect(gym.recurrence).toBe('FREQ=WEEKLY;COUNT=8;BYDAY=TU,TH')
    await expect.poll(() => event('Gym').count()).toBe(2)
    const starts = async () =>
      (await api.between('2026-03-01', '2026-05-01'))
        .filter(({ title }) => title === 'Gym')
        .map(({ start }) => start)
    const [first, second, ...rest] = await starts()

    await event('Gym').first().focus()
    await page.keyboard.press('Alt+ArrowDown')
    const question = dialog(page, 'Edit repeating event')
    await question.getByLabel('This event').check()
    await button(page, 'Save').click()
    await expectToast(page, '“Gym” moved')
    await expect.poll(starts).toEqual(['2026-03-03T12:15:00.000Z', second, ...rest])

    await event('Gym').first().click()
    await button(page, 'Delete').click()
    await dialog(page, 'Delete repeating event').getByLabel('This and following events').check()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^Gym/)
    expect(first).toBe('2026-03-03T12:00:00.000Z')
  })

  it('moves a whole series to other weekdays', async () => {
    await open('view=week&date=2026-03-09')
    await event('Gym').first().focus()
    await page.keyboard.press('Alt+ArrowRight')
    await dialog(page, 'Edit repeating event').getByLabel('All events').check()
    await button(page, 'Save').click()
    await expectToast(page, '“Gym” moved')
    await expect
      .poll(async () => (await api.named('Gym'))?.recurrence)
      .toBe('FREQ=WEEKLY;COUNT=8;BYDAY=WE,FR')
    await expect.poll(() => labelOf('Gym')).toMatch(/^Gym, Wednesday 11 March, 07:00/)
  })

  it('restores a deleted series on undo, and deletes it when the page is left', async () => {
    await open('view=week&date=2026-03-09')
    const gym = (await api.named('Gym')) as Event
    const before = await api.between('2026-03-01', '2026-05-01')
    await event('Gym').first().focus()
    await page.keyboard.press('Delete')
    await dialog(page, 'Delete repeating event').getByLabel('All events').check()
    await button(page, 'Delete').click()
    await expectToast(page, '“Gym” and its repeats deleted')
    await expect.poll(() => event('Gym').count()).toBe(0)
    await button(page, 'Undo').click()
    await expect.poll(() => event('Gym').count()).toBe(2)
    await expect.poll(() => api.between('2026-03-01', '2026-05-01')).toEqual(before)

    await event('Gym').first().focus()
    await page.keyboard.press('Delete')
    await dialog(page, 'Delete repeating event').getByLabel('This event').check()
    await button(page, 'Delete').click()
    await expect.poll(() => event('Gym').count()).toBe(1)
    await page.goto('/settings')
    await expect.poll(async () => ((await api.get(gym.id)).exdates as string[]).length).toBe(1)
  })

  it('searches events and filters them by status', async () => {
    await open('view=agenda&date=2026-02-20')
    await page.getByRole('searchbox', { name: 'Search events' }).fill('li@example')
    await expect.poll(() => page.locator('.agenda-row').count()).toBe(1)
    await page.getByRole('searchbox', { name: 'Search events' }).fill('nowhere to be found')
    await page.getByText('No matching events').waitFor()
    await page.getByRole('searchbox', { name: 'Search events' }).fill('')
    await button(page, 'Filter').click()
    await page.getByRole('menuitemradio', { name: 'Tentative' }).click()
    await expect.poll(() => page.locator('.agenda-row').count()).toBe(1)
    await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('tentative')
  })

  it('creates an event for the dragged days in the month view', async () => {
    await open('view=month&date=2026-03-02')
    const middle = async (day: string) => {
      const box = await page.locator(`.month-day[data-day="${day}"]`).boundingBox()
      if (!box) throw new Error(`No day ${day}.`)
      return { x: box.x + box.width / 2, y: box.y + box.height - 6 }
    }
    await drag(await middle('2026-03-18'), await middle('2026-03-20'))
    const form = popover(page, 'New event')
    await form.getByLabel('Title').fill('Fair')
    await button(page, 'Create').click()
    await expectToast(page, '“Fair” added')
    await expect
      .poll(() => api.named('Fair'))
      .toMatchObject({
        allDay: true,
        start: '2026-03-18T04:00:00.000Z',
        end: '2026-03-21T04:00:00.000Z',
      })
    await form.waitFor({ state: 'detached' })
    const from = await middleOf('Fair')
    await drag(from, { x: (await middle('2026-03-26')).x, y: (await middle('2026-03-26')).y })
    await expect.poll(() => labelOf('Fair')).toMatch(/^Fair, 25\s?–\s?27 March 2026, all day$/)
  })

  it('imports a calendar file and reports skipped entries with reasons', async () => {
    await open('view=week&date=2026-03-02')
    await button(page, 'More calendar actions').click()
    await page.getByRole('menuitem', { name: /^Import/ }).click()
    const form = dialog(page, 'Import calendar')
    const choose = (text: string) =>
      form
        .locator('input[type=file]')
        .setInputFiles({ name: 'team.ics', mimeType: 'text/calendar', buffer: Buffer.from(text) })
    await choose('no calendar at all')
    await form.getByText('This is not an iCalendar file').waitFor()
    const lines = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//test//EN',
      'BEGIN:VEVENT',
      'UID:one@example.org',
      'DTSTAMP:20260301T000000Z',
      'DTSTART:20260306T150000Z',
      'DTEND:20260306T160000Z',
      'SUMMARY:From a file',
      'END:VEVENT',
      'BEGIN:VTODO',
      'UID:two@example.org',
      'SUMMARY:A thing to do',
      'END:VTODO',
      'BEGIN:VEVENT',
      'UID:three@example.org',
      'DTSTAMP:20260301T000000Z',
      'SUMMARY:Put where it was written',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]
    await choose(lines.join('\r\n'))
    await form.getByText('“team.ics”: 2 new events, 0 updated, 0 unchanged, 1 skipped').waitFor()
    const leftOut = form.getByRole('region', { name: 'Skipped entries' })
    await leftOut.getByRole('cell', { name: /two@example\.org/ }).waitFor()
    await form
      .getByRole('region', { name: 'Adjusted entries' })
      .getByRole('cell', { name: /three@example\.org/ })
      .waitFor()
    expect(await leftOut.getByRole('row').nth(1).getByRole('cell').first().innerText()).toBe('11')
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await button(page, 'Done').click()
    await expect.poll(() => labelOf('From a file')).toBe('From a file, Friday 6 March, 10:00 to 11:00')
    await expectToast(page, '“team.ics” imported')
    await page.keyboard.press('Control+z')
    await expectToast(page, 'Import undone')
    await event('From a file').waitFor({ state: 'detached' })
  })

  it('exports the calendar as a file', async () => {
    await open('view=week&date=2026-03-02')
    await button(page, 'More calendar actions').click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^factotum-\d{4}-\d\d-\d\d\.ics$/)
    const stream = await download.createReadStream()
    let text = ''
    for await (const chunk of stream) text += chunk
    expect(text).toContain('SUMMARY:Review')
  })

  it('creates a subscription URL, shows it once and revokes it', async () => {
    await open('view=week&date=2026-03-02')
    await button(page, 'More calendar actions').click()
    await page.getByRole('menuitem', { name: 'Private links…' }).click()
    const form = dialog(page, 'Private links')
    await form.getByLabel('Name').fill('Phone')
    await button(page, 'Create link').click()
    const secret = dialog(page, 'Private link created')
    await secret.getByRole('button', { name: 'Copy' }).click()
    await secret.getByRole('button', { name: 'Copied' }).waitFor()
    const isAddress = new RegExp(`^${service.url}/api/calendar/feed\\.ics\\?token=`)
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(isAddress)
    const address = (await page.evaluate('navigator.clipboard.readText()')) as string
    await secret.getByRole('button', { name: 'Done' }).click()
    const feed = await fetch(address)
    expect([feed.status, feed.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
    expect(await feed.text()).toContain('SUMMARY:Review')
    await form.getByRole('button', { name: 'Revoke Phone' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await expectToast(page, '“Phone” revoked')
    expect((await fetch(address)).status).toBe(401)
  })

  it.skipIf(!hasRadicale)('syncs selected calendars of a CalDAV server in both directions', async () => {
    const user = newCalendarUser()
    const [work] = await Promise.all([
      makeCalendar(user, 'work', { name: 'Work' }),
      makeCalendar(user, 'family', { name: 'Family' }),
    ])
    const { pathname } = new URL(work)
    const put = (uid: string, summary: string) =>
      sendCaldavRequest(user, 'PUT', `${pathname}${uid}.ics`, {
        headers: { 'content-type': 'text/calendar' },
        body: remoteEvent(uid, summary),
      })
    await put('lunch', 'Lunch from afar')
    await openPage(page, '/settings/calendar-accounts')
    await page.getByText('No calendar account').waitFor()
    await button(page, 'Add account').click()
    const form = dialog(page, 'Add calendar account')
    await form.getByLabel('Server address').fill(radicale().url)
    await form.getByLabel('User name').fill(user.username ?? '')
    const password = form.getByRole('textbox', { name: 'Password' })
    await password.fill('not this one')
    await form.getByRole('button', { name: 'Test' }).click()
    await form
      .getByRole('status')
      .getByText(/password/i)
      .first()
      .waitFor()
    await password.fill(user.password ?? '')
    await form.getByRole('button', { name: 'Test' }).click()
    await form.getByText(/^Connected\. Found: .*Work/).waitFor()
    await form.getByLabel('Name', { exact: true }).fill('Desk')
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await form.getByRole('button', { name: 'Add account' }).click()
    await expectToast(page, 'Desk added. Syncing events.')
    const account = page.getByRole('listitem').filter({ hasText: 'Desk' })
    await account.getByText('Synced', { exact: true }).waitFor()
    expect(await account.getByRole('checkbox').count()).toBe(2)
    // Remote events appear here, and local changes appear there.
    const march = 'view=agenda&date=2026-03-10'
    await open(march)
    await event('Lunch from afar').waitFor()
    await event('Lunch from afar').click()
    await button(page, 'Edit').click()
    const editor = dialog(page, 'Edit event')
    await editor.getByLabel('Title').fill('Lunch from here')
    await editor.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(async () => (await sendCaldavRequest(user, 'GET', `${pathname}lunch.ics`)).text())
      .toContain('SUMMARY:Lunch from here')
    // Deselecting a calendar removes its events, and selecting it restores them.
    await openPage(page, '/settings/calendar-accounts')
    await account.getByRole('checkbox', { name: 'Work' }).uncheck()
    await expect.poll(async () => (await api.named('Lunch from here')) ?? null).toBe(null)
    await account.getByRole('checkbox', { name: 'Work' }).check()
    await expect.poll(async () => (await api.named('Lunch from here'))?.title).toBe('Lunch from here')
    await button(page, 'More actions for Desk').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No calendar account').waitFor()
    await open(march)
    await expect.poll(() => event('Lunch from here').count()).toBe(0)
    expect((await sendCaldavRequest(user, 'GET', `${pathname}lunch.ics`)).status).toBe(200)
  })

  const popoverTitle = () => page.locator('.popover-title').allTextContents()

  it('shows an event in a popover beside it and returns the focus', async () => {
    await open('view=week&date=2026-03-02')
    await event('Review').focus()
    await page.keyboard.press('Enter')
    const details = popover(page, 'Review')
    await details.getByText('Room 4').waitFor()
    await details.getByText('Li Wei').waitFor()
    expect(await details.getByRole('link', { name: 'Join' }).getAttribute('href')).toBe(
      'https://meet.example.org/review',
    )
    expect(await page.locator('.dialog-veil').count()).toBe(0)
    const [chip, box] = await Promise.all(
      [page.locator('.chip', { hasText: 'Review' }).first(), details].map((part) => part.boundingBox()),
    )
    expect(box?.x).toBeGreaterThanOrEqual((chip?.x ?? 0) + (chip?.width ?? 0))
    expect(box?.x).toBeLessThan((chip?.x ?? 0) + (chip?.width ?? 0) + 20)
    // Page shortcuts do not work under a popover.
    await page.keyboard.press('c')
    expect(await popoverTitle()).toEqual(['Review'])
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^Review/)
    // A click on another event moves the popover there.
    await event('Review').click()
    await details.waitFor()
    await page.locator('.chip', { hasText: 'Pulled' }).first().click()
    await expect.poll(popoverTitle).toEqual(['Pulled'])
    const pulled = await page.locator('.chip', { hasText: 'Pulled' }).first().boundingBox()
    await expect
      .poll(async () => {
        const place = await popover(page, 'Pulled').boundingBox()
        const right = (pulled?.x ?? 0) + (pulled?.width ?? 0) + 8
        const left = (pulled?.x ?? 0) - 8 - (place?.width ?? 0)
        return Math.min(Math.abs((place?.x ?? 0) - right), Math.abs((place?.x ?? 0) - left)) < 2
      })
      .toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(popoverTitle).toEqual([])
  })

  it('creates an event with a recognized time from a click on an empty hour', async () => {
    await open('view=week&date=2026-03-02')
    // The first click only closes the open popover.
    await event('Review').click()
    await popover(page, 'Review').waitFor()
    const position = await hourPosition('2026-03-07', 11.2)
    await page.mouse.click(position.x, position.y)
    await expect.poll(popoverTitle).toEqual([])
    await page.mouse.click(position.x, position.y)
    const quick = popover(page, 'New event')
    await expect.poll(() => quick.getByLabel('Start time', { exact: true }).inputValue()).toBe('11:00')
    await expect.poll(() => quick.getByLabel('Start', { exact: true }).inputValue()).toBe('07/03/2026')
    await quick.getByLabel('Title').fill('Brunch 14:30-16:00')
    await quick.getByText(/^Start 14:30/).waitFor()
    await expect.poll(() => quick.getByLabel('End time', { exact: true }).inputValue()).toBe('16:00')
    // Typed text is not lost by a click outside.
    await page.mouse.click(position.x, position.y + 120)
    expect(await popoverTitle()).toEqual(['New event'])
    await quick.getByRole('button', { name: 'Create' }).click()
    await expectToast(page, '“Brunch” added')
    await expect.poll(() => labelOf('Brunch')).toBe('Brunch, Saturday 7 March, 14:30 to 16:00')

    await page.mouse.click(position.x, position.y)
    await quick.getByLabel('Title').fill('Read 1984 on 12 May')
    await quick.locator('.quick-recognized', { hasText: 'Start' }).waitFor()
    await quick.getByRole('button', { name: 'Add as plain text' }).click()
    await expect.poll(() => quick.getByLabel('Start', { exact: true }).inputValue()).toBe('07/03/2026')
    await quick.getByRole('button', { name: 'More options' }).click()
    const form = dialog(page, 'New event')
    await expect.poll(() => form.getByLabel('Title').inputValue()).toBe('Read 1984 on 12 May')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await form.waitFor({ state: 'detached' })
  })

  it('reads dates and times in the format of the account and explains errors', async () => {
    await api.prefer({ locale: 'en-US' })
    await page.goto('/calendar?view=week&date=2026-03-02')
    await waitForEvents()
    await page.keyboard.press('c')
    const quick = popover(page, 'New event')
    const start = quick.getByLabel('Start', { exact: true })
    await expect.poll(() => start.inputValue()).toBe('03/02/2026')
    await start.fill('3/5/26')
    await expect.poll(() => quick.getByLabel('End', { exact: true }).inputValue()).toBe('03/05/2026')
    await quick.getByLabel('Start time', { exact: true }).fill('2:30 pm')
    await expect.poll(() => quick.getByLabel('End time', { exact: true }).inputValue()).toMatch(/^3:30\sPM$/)
    await start.fill('31/31/2026')
    await quick.getByLabel('Title').fill('Flight')
    await page.keyboard.press('Enter')
    await quick.getByText(/^Enter a date such as 12\/31\/\d{4}\.$/).waitFor()
    await start.fill('3/6/2026')
    await quick.getByRole('button', { name: 'Start time: choose a time' }).click()
    await page.getByRole('menuitemradio', { name: /^4:00\sPM$/ }).click()
    await quick.getByRole('button', { name: 'Create' }).click()
    await expectToast(page, '“Flight” added')
    await expect.poll(() => api.named('Flight')).toMatchObject({ start: '2026-03-06T21:00:00.000Z' })
    await api.remove(((await api.named('Flight')) as Event).id)
    await api.prefer({ locale: 'en-GB' })
  })

  it('dims past events', async () => {
    const next = new Date(Date.now() + 86_400_000)
    const nextDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(next)
    const { id } = await api.create({ title: 'Ahead', start: next.toISOString() })
    for (const view of ['week', 'agenda']) {
      await open(`view=${view}&date=2026-03-02`)
      await expect.poll(() => event('Review').first().getAttribute('data-past')).toBe('true')
      await open(`view=${view}&date=${nextDay}`)
      await expect.poll(() => event('Ahead').first().getAttribute('data-past')).toBe('false')
    }
    await api.remove(id)
  })

  it('prints each view on the whole page, without toolbars', async () => {
    const cases = ['month', 'week', 'day', 'agenda'].flatMap((view) => [
      { view, width: 718, height: 1047 },
      { view, width: 1047, height: 718 },
    ])
    for (const { view, width, height } of sampleOf(cases, 5)) {
      await open(`view=${view}&date=2026-03-02`)
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ media: 'print' })
      await expect.poll(() => pageWidth(page)).toBe(width)
      expect(
        await page
          .locator('.side, .calendar-tools, .toasts, .hours-hidden')
          .filter({ visible: true })
          .count(),
      ).toBe(0)
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/2026/)
      const box = await page.locator('.calendar-view > .card').boundingBox()
      expect(box).toMatchObject({ x: 0, width })
      // The agenda is as long as its list.
      if (view !== 'agenda') expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(height * 0.9)
      await page.emulateMedia({ media: null })
      await page.setViewportSize({ width: 1280, height: 900 })
      const pdf = await page.pdf({ landscape: width > height, format: 'A4' })
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
      const pages = pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length
      if (view !== 'agenda') expect(pages).toBe(1)
    }
  })

  it('is complete in German', async () => {
    const german = await visit(browser, service.url, { locale: 'de-DE' })
    await signUp(german, '/tasks', { name: 'Jana', email: 'jana@example.org', locale: 'de-DE' })
    const account = openApi(service.url)
    await account.signIn('jana@example.org')
    await account.prefer({ timezone: 'Europe/Berlin', weekStart: 'monday' })
    const { page: site } = german
    await site.goto('/calendar?view=week&date=2026-03-02')
    await site.getByRole('button', { name: 'Neuer Termin' }).click()
    const quick = popover(site, 'Neuer Termin')
    await quick.getByLabel('Titel').fill('Zahnarzt')
    await quick.getByLabel('Beginn', { exact: true }).fill('3.3.2026')
    await quick.getByLabel('Startzeit', { exact: true }).fill('9.30')
    await quick.getByRole('button', { name: 'Anlegen' }).click()
    await expectToast(site, '„Zahnarzt“ hinzugefügt')
    await site.getByRole('heading', { level: 1, name: '2.–8. März 2026' }).waitFor()
    await event('Zahnarzt', site).click()
    await popover(site, 'Zahnarzt').getByText('Dienstag, 3. März 2026').waitFor()
    await popover(site, 'Zahnarzt').getByText('Von dir erstellt').waitFor()
    await button(site, 'Bearbeiten').click()
    const form = dialog(site, 'Termin bearbeiten')
    await form.getByLabel('Wiederholen', { exact: true }).selectOption({ label: 'Jede Woche am Dienstag' })
    await form.getByText('Teilnehmende, Notizen und Schlagwörter').click()
    // Words that appear in every English form, as whole words.
    expect(await form.innerText()).not.toMatch(/\b(Start|End|Repeat|Location|Attendees|Notes|Tags|busy)\b/)
    const calendar = await site.locator('.calendar').innerText()
    expect(calendar).not.toMatch(/\b(Today|Month|Week|Day|New event|March|all day)\b/)
    expect(german.browserErrors).toEqual([])
    await german.context.close()
  })

  it('answers an invitation in the popover, for one event or the series', async () => {
    const server = { host: '127.0.0.1', port: 9, tls: 'none' }
    await api.addMailAccount({ address: 'ana@example.org', password: 'secret', imap: server, smtp: server })
    const invitation = {
      organizer: { name: 'Ben Okafor', email: 'ben@okafor.example' },
      attendees: [
        { name: 'Ana', email: 'ana@example.org', status: 'needs-action' },
        { name: 'Ben Okafor', email: 'ben@okafor.example', status: 'accepted' },
      ],
    }
    const { id } = await api.create({ ...invitation, title: 'Budget', start: '2026-06-02T13:00:00Z' })
    const series = await api.create({
      ...invitation,
      title: 'Standup',
      start: '2026-06-03T13:00:00Z',
      recurrence: 'FREQ=DAILY;COUNT=2',
    })
    const statusOf = ({ attendees }: Event) => (attendees as { status: string }[])[0]?.status
    await open('view=week&date=2026-06-02')
    await event('Budget').focus()
    await page.keyboard.press('Enter')
    const details = popover(page, 'Budget')
    const answers = details.getByRole('group', { name: 'Going?' })
    await answers.waitFor()
    expect(await answers.getByRole('button', { pressed: true }).count()).toBe(0)
    await details.getByText('Not responded').waitFor()
    expect(await findAccessibilityIssues(page, OPEN_LIST)).toEqual([])
    for (const { name, status, subject } of [
      { name: 'Yes', status: 'accepted', subject: 'Accepted: Budget' },
      { name: 'Maybe', status: 'tentative', subject: 'Tentative: Budget' },
      { name: 'No', status: 'declined', subject: 'Declined: Budget' },
    ]) {
      await answers.getByRole('button', { name, exact: true }).click()
      // The popover stays open and shows the answer.
      await answers.getByRole('button', { name, exact: true, pressed: true }).waitFor()
      expect(statusOf(await api.get(id))).toBe(status)
      expect(await api.listQueuedSubjects()).toContain(subject)
    }
    await expectToast(page, 'Response to “Budget” sent')
    expect(await answers.getByRole('button', { pressed: true }).count()).toBe(1)
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^Budget/)

    await event('Standup').first().click()
    await popover(page, 'Standup').getByRole('button', { name: 'No', exact: true }).click()
    const question = dialog(page, 'Respond to repeating event')
    await question.getByRole('radio', { name: 'This event' }).check()
    await question.getByRole('button', { name: 'Send' }).click()
    await expectToast(page, 'Response to “Standup” sent')
    const first = await api.getOccurrence(series.id, '2026-06-03T13:00:00.000Z')
    const second = await api.getOccurrence(series.id, '2026-06-04T13:00:00.000Z')
    expect([first, second].map(statusOf)).toEqual(['declined', 'needs-action'])
  })

  it('has no accessibility issues in dialogs', async () => {
    await open('view=week&date=2026-03-02')
    await event('Review').click()
    await popover(page, 'Review').waitFor()
    expect(await findAccessibilityIssues(page, OPEN_LIST)).toEqual([])
    await button(page, 'Edit').click()
    await dialog(page, 'Edit event').waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog(page, 'Edit event').waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    await popover(page, 'New event').waitFor()
    expect(await findAccessibilityIssues(page, OPEN_LIST)).toEqual([])
    await page.keyboard.press('Escape')
  })

  it('shows the agenda on a small screen', async () => {
    await page.setViewportSize({ width: 360, height: 900 })
    await page.goto('/calendar')
    await page.locator('.agenda').waitFor()
    await expect.poll(() => pageWidth(page)).toBe(360)
  })

  it('causes no browser errors', () => {
    expect(visitor.browserErrors).toEqual([])
  })
})
