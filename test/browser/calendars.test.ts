import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sampleOf } from '../support/scale.ts'
import { findAccessibilityIssues, findDarkModeIssues, ON_TOP } from './faults.ts'
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

const DAY = '2027-03-16'
const TIMEZONE = 'Europe/Berlin'
const at = (hour: number) => `${DAY}T${String(hour).padStart(2, '0')}:00:00+01:00`

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const expectToast = (page: Page, text: string) => page.locator('.toast', { hasText: text }).first().waitFor()
const dialog = (page: Page, name: string) => page.locator('.dialog').and(page.getByRole('dialog', { name }))
const alert = (page: Page) => page.getByRole('alertdialog')
const popover = (page: Page, name: string) => page.locator('.popover').and(page.getByRole('dialog', { name }))
const event = (page: Page, title: string) => page.getByRole('button', { name: new RegExp(`^${title},`) })
const toggle = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
const row = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('checkbox', { name, exact: true }) })

const open = async (page: Page, view = 'week'): Promise<void> => {
  await openPage(page, `/calendar?view=${view}&date=${DAY}`)
  await page.locator('.calendar-view').waitFor()
}
const act = async (page: Page, calendar: string, action: string): Promise<void> => {
  await button(page, `Actions for ${calendar}`).click()
  await page.getByRole('menuitem', { name: action }).click()
}
const readColor = (page: Page, title: string): Promise<string> =>
  event(page, title)
    .first()
    .evaluate((chip) => (chip as unknown as { style: CSSProperties }).style.getPropertyValue('--calendar'))

interface CSSProperties {
  getPropertyValue(name: string): string
}

type Send = (method: string, path: string, body?: unknown) => Promise<unknown>

/** Signs in beside the browser and returns a function that calls the HTTP API. */
const connect = async (url: string, email: string): Promise<Send> => {
  const call = async (method: string, path: string, body?: unknown, token?: string) => {
    const headers = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.status === 204 ? null : answer.json()
  }
  const { token } = (await call('POST', '/auth/login', { email, password: PASSWORD })) as { token: string }
  return (method, path, body) => call(method, path, body, token)
}

withBrowser('calendars in the console', () => {
  let service: Service
  let browser: Browser
  let ana: Visitor
  let page: Page
  let send: Send

  beforeAll(async () => {
    service = await startService({ TZ_DEFAULT: TIMEZONE })
    browser = await openBrowser()
    ana = await visit(browser, service.url)
    page = ana.page
    await signUp(ana, '/tasks', { name: 'Ana Ruiz', email: 'ana@example.org', locale: 'en-GB' })
    send = await connect(service.url, 'ana@example.org')
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('lists the default calendar and adds one with a color', async () => {
    await open(page)
    await toggle(page, 'Calendar').waitFor()
    await button(page, 'Add calendar').click()
    const form = dialog(page, 'Add calendar')
    await form.getByLabel('Name').fill('Family')
    // The default calendar is blue, so the next color is suggested.
    expect(await form.getByRole('radio', { name: 'Green' }).isChecked()).toBe(true)
    await form.getByRole('radio', { name: 'Pink' }).check({ force: true })
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await form.getByRole('button', { name: 'Add' }).click()
    await expectToast(page, 'Calendar “Family” added')
    await toggle(page, 'Family').waitFor()
    await row(page, 'Calendar').getByText('New events go here').waitFor()
  })

  it('creates an event in a calendar and shows it in the color of the calendar', async () => {
    await page.keyboard.press('c')
    const form = popover(page, 'New event')
    await form.getByLabel('Title').fill('School play')
    const select = form.getByLabel('Calendar')
    expect(await select.locator('option:checked').textContent()).toBe('Calendar')
    await select.selectOption({ label: 'Family' })
    await form.getByRole('button', { name: 'Create' }).click()
    await event(page, 'School play').waitFor()
    expect(await readColor(page, 'School play')).toBe('#be185d')
    expect(await event(page, 'School play').locator('.visually-hidden').textContent()).toContain('Family')
    await event(page, 'School play').click()
    await popover(page, 'School play').getByText('Family', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('renames a calendar and changes its color', async () => {
    await act(page, 'Family', 'Rename…')
    const form = dialog(page, 'Rename “Family”')
    await form.getByLabel('Name').fill('Home')
    await form.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Calendar renamed to “Home”')
    await button(page, 'Actions for Home').click()
    await page.getByRole('menuitemradio', { name: 'Purple' }).click()
    await expect.poll(() => readColor(page, 'School play')).toBe('#7c3aed')
    await page.reload()
    await toggle(page, 'Home').waitFor()
    await expect.poll(() => readColor(page, 'School play')).toBe('#7c3aed')
  })

  it.each(sampleOf(['month', 'day', 'agenda', 'week'], 2))(
    'hides and shows the events of a calendar: %s',
    async (view) => {
      await open(page, view)
      await event(page, 'School play').waitFor()
      await toggle(page, 'Home').uncheck()
      await event(page, 'School play').waitFor({ state: 'detached' })
      await page.reload()
      await toggle(page, 'Home').waitFor()
      expect(await toggle(page, 'Home').isChecked()).toBe(false)
      expect(await event(page, 'School play').count()).toBe(0)
      await toggle(page, 'Home').check()
      await event(page, 'School play').waitFor()
    },
  )

  it('offers to show an event that was added to a hidden calendar', async () => {
    await open(page)
    await toggle(page, 'Home').uncheck()
    await page.keyboard.press('c')
    const form = popover(page, 'New event')
    await form.getByLabel('Title').fill('Unseen')
    await form.getByLabel('Calendar').selectOption({ label: 'Home' })
    await form.getByRole('button', { name: 'Create' }).click()
    await expectToast(page, '“Unseen” added')
    expect(await event(page, 'Unseen').count()).toBe(0)
    await page.locator('.toast').getByRole('button', { name: 'Show', exact: true }).click()
    await event(page, 'Unseen').waitFor()
    expect(await toggle(page, 'Home').isChecked()).toBe(true)
  })

  it('collapses the sidebar and keeps it collapsed', async () => {
    await button(page, 'Calendars').click()
    await toggle(page, 'Home').waitFor({ state: 'detached' })
    await page.reload()
    await event(page, 'School play').waitFor()
    expect(await toggle(page, 'Home').count()).toBe(0)
    await button(page, 'Calendars').click()
    await toggle(page, 'Home').waitFor()
  })

  it('sends new events to the default calendar', async () => {
    await act(page, 'Home', 'Make default')
    await expectToast(page, 'New events go to “Home”')
    await row(page, 'Home').getByText('New events go here').waitFor()
    await page.keyboard.press('c')
    const select = popover(page, 'New event').getByLabel('Calendar')
    expect(await select.locator('option:checked').textContent()).toBe('Home')
    await page.keyboard.press('Escape')
    await act(page, 'Calendar', 'Make default')
    await expectToast(page, 'New events go to “Calendar”')
  })

  it('moves an event to another calendar', async () => {
    await button(page, 'Add calendar').click()
    const form = dialog(page, 'Add calendar')
    await form.getByLabel('Name').fill('Trips')
    await form.getByRole('radio', { name: 'Gold' }).check({ force: true })
    await form.getByRole('button', { name: 'Add' }).click()
    await toggle(page, 'Trips').waitFor()
    await event(page, 'School play').click()
    await popover(page, 'School play').getByRole('button', { name: 'Edit' }).click()
    const editor = dialog(page, 'Edit event')
    await editor.getByLabel('Calendar').selectOption({ label: 'Trips' })
    await editor.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, '“School play” saved')
    await expect.poll(() => readColor(page, 'School play')).toBe('#a16207')
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).first().click()
    await expect.poll(() => readColor(page, 'School play')).toBe('#7c3aed')
  })

  it('moves a repeating event as a whole', async () => {
    const { calendars } = (await send('GET', '/calendars')) as {
      calendars: { id: number; name: string }[]
    }
    const home = calendars.find(({ name }) => name === 'Home')
    const series = { start: at(8), end: at(9), recurrence: 'FREQ=DAILY;COUNT=3', calendarId: home?.id }
    await send('POST', '/calendar/events', { title: 'Swim', ...series })
    await event(page, 'Swim').first().click()
    await popover(page, 'Swim').getByRole('button', { name: 'Edit' }).click()
    const editor = dialog(page, 'Edit event')
    await editor.getByLabel('Calendar').selectOption({ label: 'Trips' })
    await editor.getByRole('button', { name: 'Save' }).click()
    const question = dialog(page, 'Edit repeating event')
    expect(await question.getByLabel('This event', { exact: true }).count()).toBe(0)
    await question.getByLabel('All events').check()
    await question.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, '“Swim” saved')
    await expect.poll(() => readColor(page, 'Swim')).toBe('#a16207')
    expect(await event(page, 'Swim').count()).toBe(3)
  })

  it('imports a file into a calendar', async () => {
    await act(page, 'Trips', 'Import…')
    const form = dialog(page, 'Import into “Trips”')
    await form.getByLabel('Calendar file').setInputFiles({
      name: 'trip.ics',
      mimeType: 'text/calendar',
      buffer: Buffer.from(
        'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nBEGIN:VEVENT\r\nUID:ferry-1\r\nDTSTAMP:20270101T000000Z\r\nDTSTART:20270317T120000Z\r\nDTEND:20270317T130000Z\r\nSUMMARY:Ferry\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
      ),
    })
    await form.getByRole('button', { name: 'Done' }).click()
    await event(page, 'Ferry').waitFor()
    expect(await readColor(page, 'Ferry')).toBe('#a16207')
  })

  it('creates a private link for one calendar', async () => {
    await act(page, 'Trips', 'Private link…')
    const form = dialog(page, 'Private links of “Trips”')
    await form.getByLabel('Name').fill('Phone')
    await form.getByRole('button', { name: 'Create link' }).click()
    const secret = dialog(page, 'Private link created')
    const address = await secret
      .getByText(/feed\.ics\?token=/)
      .first()
      .innerText()
    await secret.getByRole('button', { name: 'Copy' }).click()
    await secret.getByRole('button', { name: 'Done' }).click()
    const feed = await (await fetch(address)).text()
    expect([feed.includes('SUMMARY:Ferry'), feed.includes('SUMMARY:School play')]).toEqual([true, false])
    await form.getByText('Phone').waitFor()
    await page.keyboard.press('Escape')
    await act(page, 'Calendar', 'Private link…')
    await dialog(page, 'Private links of “Calendar”').getByText('No private links').waitFor()
    await page.keyboard.press('Escape')
  })

  it('follows changes of calendars in another tab', async () => {
    const { calendars } = (await send('GET', '/calendars')) as {
      calendars: { id: number; name: string }[]
    }
    const trips = calendars.find(({ name }) => name === 'Trips')
    await send('PATCH', `/calendars/${trips?.id}`, { name: 'Travel', color: '#0e7490' })
    await toggle(page, 'Travel').waitFor()
    await expect.poll(() => readColor(page, 'Ferry')).toBe('#0e7490')
  })

  it('deletes a calendar and moves its events to the default calendar, or deletes them', async () => {
    // The default calendar has no Delete action.
    await button(page, 'Actions for Calendar').click()
    await page.getByRole('menuitem', { name: 'Rename…' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Delete…' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await act(page, 'Home', 'Delete…')
    await alert(page).getByText('Its events move to “Calendar”.').waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await alert(page).getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'Calendar “Home” deleted')
    await toggle(page, 'Home').waitFor({ state: 'detached' })
    await expect.poll(() => readColor(page, 'School play')).toBe('#3366cc')
    await act(page, 'Travel', 'Delete…')
    await alert(page).getByLabel('Delete its events too').check()
    await alert(page).getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'Calendar “Travel” deleted')
    await event(page, 'Ferry').waitFor({ state: 'detached' })
    await event(page, 'School play').waitFor()
  })

  it('adds events in every color and status', async () => {
    const colors = ['#2e8b57', '#c2410c', '#b91c1c', '#a16207', '#ffff00', '#000000', '#ffffff']
    const looks = [{}, { status: 'tentative' }, { status: 'cancelled' }, { busy: false }]
    for (const [index, color] of colors.entries()) {
      const { id: calendarId } = (await send('POST', '/calendars', { name: color, color })) as { id: number }
      for (const [number, look] of looks.entries())
        await send('POST', '/calendar/events', {
          title: `Event ${number} ${color}`,
          start: at(9 + number),
          end: at(10 + number),
          calendarId,
          ...look,
        })
      // The month view has space for a few events per day only.
      const [start, end] = [`2027-03-0${index + 1}`, `2027-03-0${index + 2}`]
      const days = { title: `Day ${color}`, start, end, allDay: true, calendarId }
      await send('POST', '/calendar/events', days)
    }
  })

  // The short form leaves out the day view, which shows the same blocks as the week view.
  it.each(sampleOf(['month', 'agenda', 'week', 'day'], 3))(
    'has enough contrast with every color, in light and dark mode: %s view',
    async (view) => {
      await open(page, view)
      await event(page, view === 'month' ? 'Day #ffffff' : 'Event 0 #ffffff').waitFor()
      expect(await findAccessibilityIssues(page)).toEqual([])
      expect(await findDarkModeIssues(page)).toEqual([])
    },
  )

  it('opens the calendars in a dialog on phones', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open(page, 'agenda')
    await expect.poll(() => pageWidth(page)).toBe(390)
    expect(await toggle(page, 'Calendar').count()).toBe(0)
    await button(page, 'Calendars').click()
    const list = dialog(page, 'Calendars')
    await list.getByRole('checkbox', { name: 'Calendar', exact: true }).uncheck()
    await event(page, 'School play').waitFor({ state: 'detached' })
    await list.getByRole('checkbox', { name: 'Calendar', exact: true }).check()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await act(page, 'Calendar', 'Rename…')
    const form = dialog(page, 'Rename “Calendar”')
    await form.getByLabel('Name').fill('Private')
    await form.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Calendar renamed to “Private”')
    await page.setViewportSize({ width: 1280, height: 900 })
    await toggle(page, 'Private').waitFor()
    expect(ana.browserErrors).toEqual([])
  })
})

withBrowser('shared calendars in the console', () => {
  let service: Service
  let browser: Browser
  let ana: Visitor
  let ben: Visitor
  let send: Send
  let eventId: number
  let ownerReminders: unknown[]

  beforeAll(async () => {
    service = await startService({ TZ_DEFAULT: TIMEZONE })
    browser = await openBrowser()
    ana = await visit(browser, service.url)
    ben = await visit(browser, service.url)
    await signUp(ana, '/tasks', { name: 'Ana Ruiz', email: 'ana@example.org', locale: 'en-GB' })
    send = await connect(service.url, 'ana@example.org')
    await signUp(ben, '/tasks', { name: 'Ben Okafor', email: 'ben@example.org', locale: 'en-GB' })
    const { id } = (await send('POST', '/calendars', { name: 'Band', color: '#b91c1c' })) as {
      id: number
    }
    const rehearsal = { title: 'Rehearsal', start: at(10), end: at(11), location: 'Cellar', calendarId: id }
    const created = (await send('POST', '/calendar/events', rehearsal)) as {
      id: number
      reminders: unknown[]
    }
    eventId = created.id
    ownerReminders = created.reminders
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('shares a calendar with a person, who accepts', async () => {
    await open(ana.page)
    await act(ana.page, 'Band', 'Share…')
    const form = dialog(ana.page, 'Share “Band”')
    await form.getByLabel('Email address').fill('ben@example.org')
    await form.getByLabel('Access', { exact: true }).selectOption({ label: 'Can view' })
    await form.getByRole('button', { name: 'Share', exact: true }).click()
    await expectToast(ana.page, 'Offered to ben@example.org')
    await openPage(ben.page, '/settings/sharing')
    await button(ben.page, 'Accept “Band”').click()
    await expectToast(ben.page, '“Band” accepted')
  })

  it('shows a viewer the event with the color and the owner, without edit actions', async () => {
    const { page } = ben
    await open(page)
    await row(page, 'Band').getByText('Ana Ruiz · Can view').waitFor()
    await event(page, 'Rehearsal').waitFor()
    expect(await readColor(page, 'Rehearsal')).toBe('#b91c1c')
    const label = await event(page, 'Rehearsal').locator('.visually-hidden').textContent()
    expect(label).toContain('Band (Ana Ruiz)')
    await event(page, 'Rehearsal').click()
    const details = popover(page, 'Rehearsal')
    await details.getByText('Ana Ruiz · Can view').waitFor()
    expect(await details.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    expect(await details.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    await page.keyboard.press('Escape')
    await event(page, 'Rehearsal').focus()
    await page.keyboard.press('Delete')
    await page.keyboard.press('Alt+ArrowDown')
    expect(await page.locator('.chip[data-ghost="true"]').count()).toBe(0)
    expect(await event(page, 'Rehearsal').count()).toBe(1)
    // Read-only calendars are not offered for new events.
    await page.keyboard.press('c')
    await popover(page, 'New event').waitFor()
    expect(await popover(page, 'New event').getByLabel('Calendar').count()).toBe(0)
    await page.keyboard.press('Escape')
  })

  it('lets a viewer set reminders that the owner does not see', async () => {
    const { page } = ben
    await event(page, 'Rehearsal').click()
    const details = popover(page, 'Rehearsal')
    await details.getByLabel('Reminders').selectOption({ label: '30 minutes before' })
    await expectToast(page, 'Reminders saved')
    await details.getByRole('button', { name: 'Remove: 30 minutes before' }).waitFor()
    const { reminders } = (await send('GET', `/calendar/events/${eventId}`)) as { reminders: unknown[] }
    expect(reminders).toEqual(ownerReminders)
    await page.keyboard.press('Escape')
  })

  it('lets a viewer choose a color and hide the calendar without an effect for the owner', async () => {
    const { page } = ben
    await button(page, 'Actions for Band').click()
    expect(await page.getByRole('menuitem', { name: 'Rename…' }).count()).toBe(0)
    expect(await page.getByRole('menuitem', { name: 'Share…' }).count()).toBe(0)
    await page.getByRole('menuitemradio', { name: 'Green' }).click()
    await expect.poll(() => readColor(page, 'Rehearsal')).toBe('#2e8b57')
    await toggle(page, 'Band').uncheck()
    await event(page, 'Rehearsal').waitFor({ state: 'detached' })
    await toggle(page, 'Band').check()
    await event(page, 'Rehearsal').waitFor()
    await ana.page.reload()
    expect(await readColor(ana.page, 'Rehearsal')).toBe('#b91c1c')
  })

  it('shows changes of the owner at once', async () => {
    await send('PATCH', `/calendar/events/${eventId}`, { title: 'Concert' })
    await event(ben.page, 'Concert').waitFor()
    await send('PATCH', `/calendar/events/${eventId}`, { title: 'Rehearsal' })
    await event(ben.page, 'Rehearsal').waitFor()
  })

  it('shows only busy times with the role for busy times', async () => {
    await act(ana.page, 'Band', 'Share…')
    const form = dialog(ana.page, 'Share “Band”')
    const access = form.getByLabel('Access of Ben Okafor')
    await access.selectOption({ label: 'Sees only when you are busy' })
    await expectToast(ana.page, 'Access of Ben Okafor: Sees only when you are busy')
    const { page } = ben
    await event(page, 'Busy').waitFor()
    expect(await event(page, 'Rehearsal').count()).toBe(0)
    await row(page, 'Band').getByText('Ana Ruiz · Only busy times').waitFor()
    await event(page, 'Busy').click()
    expect(await popover(page, 'Busy').getByText('Cellar').count()).toBe(0)
    expect(await popover(page, 'Busy').getByRole('button', { name: 'Edit' }).count()).toBe(0)
    await page.keyboard.press('Escape')
  })

  it('lets an editor change the event and names the person', async () => {
    const access = dialog(ana.page, 'Share “Band”').getByLabel('Access of Ben Okafor')
    await access.selectOption({ label: 'Can edit' })
    const { page } = ben
    await event(page, 'Rehearsal').click()
    await popover(page, 'Rehearsal').getByRole('button', { name: 'Edit' }).click()
    const editor = dialog(page, 'Edit event')
    await editor.getByLabel('Location').fill('Attic')
    await editor.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, '“Rehearsal” saved')
    await ana.page.keyboard.press('Escape')
    await event(ana.page, 'Rehearsal').click()
    const details = popover(ana.page, 'Rehearsal')
    await details.getByText('Attic').waitFor()
    await details.getByText('Last changed by Ben Okafor').waitFor()
    await ana.page.keyboard.press('Escape')
  })

  it('removes the calendar from an open page when the owner stops sharing', async () => {
    await event(ben.page, 'Rehearsal').waitFor()
    await act(ana.page, 'Band', 'Share…')
    await button(ana.page, 'Stop sharing with Ben Okafor').click()
    await expectToast(ana.page, 'No longer shared with Ben Okafor')
    await event(ben.page, 'Rehearsal').waitFor({ state: 'detached' })
    await toggle(ben.page, 'Band').waitFor({ state: 'detached' })
    expect([ana.browserErrors, ben.browserErrors]).toEqual([[], []])
  })
})
