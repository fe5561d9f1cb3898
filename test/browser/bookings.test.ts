import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bookingOf, type FakeBooking, type FakeProvider } from '../support/booking-server.ts'
import { startCalcom } from '../support/calcom.ts'
import { type FileServer, startFileServer } from '../support/file-server.ts'
import { findAccessibilityIssues } from './faults.ts'
import { takeScreenshots } from './screenshots.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, openPage, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

/** Today at noon, so that the calendar shows it without navigation. */
const todayAtNoon = (): Pick<FakeBooking, 'start' | 'end'> => {
  const day = new Date().toISOString().slice(0, 10)
  return { start: `${day}T12:00:00.000Z`, end: `${day}T12:45:00.000Z` }
}

withBrowser('console bookings', () => {
  let service: Service
  let provider: FakeProvider
  let files: FileServer
  let browser: Browser
  let visitor: Visitor
  let page: Page
  beforeAll(async () => {
    provider = await startCalcom()
    files = await startFileServer()
    provider.bookings = [bookingOf({ title: 'Coffee with Li', ...todayAtNoon() }), bookingOf(), bookingOf()]
    service = await startService()
    browser = await openBrowser()
    visitor = await visit(browser, service.url, { expected: [{ status: 502, path: /bookingsvc/ }] })
    page = visitor.page
    await signUp(visitor, '/settings/bookings')
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    await provider?.close()
    await files?.close()
  })

  const card = (name: string) => page.getByRole('region', { name })
  const save = async (apiKey: string): Promise<void> => {
    await page.getByLabel(/API key$/).fill(apiKey)
    await page.getByLabel('API address').fill(provider.url)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.toast', { hasText: 'Key saved' }).first().waitFor()
  }

  it('starts without a key and disables sync', async () => {
    await page.getByText('No key').waitFor()
    expect(await page.getByRole('button', { name: 'Refresh' }).isDisabled()).toBe(true)
    await card('Provider webhooks').getByText(`${service.url}/api/bookingsvc/webhook`).waitFor()
    await takeScreenshots(page, 'bookings-empty')
  })

  it('shows a rejected key in the sync card', async () => {
    await save('cal_wrong_0123456789')
    await card('Sync').getByRole('button', { name: 'Refresh' }).click()
    await card('Sync').getByText('Cal.com does not accept the key.').waitFor()
  })

  it('syncs with a valid key and shows the number of bookings', async () => {
    await save(provider.apiKey)
    await page.getByText('Connected to Cal.com').waitFor()
    await card('Sync').getByRole('button', { name: 'Refresh' }).click()
    await card('Sync').getByText('3 bookings checked and 3 new').waitFor()
    await card('Sync').getByText('Synced', { exact: true }).waitFor()
    await card('Event types').getByText('Half an hour').waitFor()
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('No differences in 3 bookings').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await takeScreenshots(page, 'bookings-synced')
  })

  it('marks booked events in the calendar', async () => {
    await openPage(page, '/calendar')
    const chip = page.getByRole('button', { name: /^Coffee with Li,.*booked/ }).first()
    await chip.waitFor()
    await takeScreenshots(page, 'bookings-calendar')
    await chip.click()
    await page.getByText(/^Booking\. Time, status and guests follow/).waitFor()
    await takeScreenshots(page, 'bookings-details')
    await page.keyboard.press('Escape')
  })

  it('deletes the key', async () => {
    await openPage(page, '/settings/bookings')
    await page.getByRole('button', { name: 'Delete key' }).click()
    await page
      .getByRole('dialog', { name: 'Delete the key?' })
      .getByRole('button', { name: 'Delete key' })
      .click()
    await page.getByText('No key').waitFor()
    expect(visitor.browserErrors).toEqual([])
  })

  it('tests, adds and removes a published calendar', async () => {
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
    const event = `BEGIN:VEVENT\r\nUID:fair\r\nDTSTART:${day}T150000Z\r\nSUMMARY:Summer fair\r\nEND:VEVENT\r\n`
    const body = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Town\r\n${event}END:VCALENDAR\r\n`
    files.answer = (_, path) => (path === '/town.ics' ? { body } : { status: 404 })
    await openPage(page, '/settings/calendar-accounts')
    await page.getByText('No calendar account').waitFor()
    await page.getByRole('button', { name: 'Add account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Subscription').check()
    await dialog.getByLabel('Calendar address').fill(`${files.url}/city.ics`)
    await dialog.getByRole('button', { name: 'Test' }).click()
    await dialog.getByText('has no file at this address').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await dialog.getByLabel('Calendar address').fill(`${files.url}/town.ics`)
    await dialog.getByRole('button', { name: 'Test' }).click()
    await dialog.getByText('Connected. Found: Town').waitFor()
    await dialog.getByLabel('Name', { exact: true }).fill('The town')
    await dialog.getByRole('button', { name: 'Add account' }).click()
    await page.getByText('Synced', { exact: true }).waitFor()
    await takeScreenshots(page, 'calendar-accounts')
    await openPage(page, '/calendar')
    await page.getByText('Summer fair').first().waitFor()
    await openPage(page, '/settings/calendar-accounts')
    await page.getByRole('button', { name: 'More actions for The town' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No calendar account').waitFor()
    await page.goto('/calendar')
    await page.getByText('Coffee with Li').first().waitFor()
    expect(await page.getByText('Summer fair').count()).toBe(0)
    expect(visitor.browserErrors).toEqual([])
  })
})
