import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, findDarkModeIssues } from './faults.ts'
import { expectOpen, expectToast, mailLink, openMailbox, undo } from './mailbox.ts'
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

const FLIGHT = {
  '@context': 'http://schema.org',
  '@type': 'FlightReservation',
  reservationNumber: 'RXJ34P',
  reservationFor: {
    '@type': 'Flight',
    flightNumber: '110',
    airline: { '@type': 'Airline', name: 'United', iataCode: 'UA' },
    departureAirport: { '@type': 'Airport', name: 'San Francisco Airport', iataCode: 'SFO' },
    departureTime: '2027-03-04T20:15:00-08:00',
    arrivalAirport: { '@type': 'Airport', name: 'John F. Kennedy', iataCode: 'JFK' },
    arrivalTime: '2027-03-05T06:30:00-05:00',
  },
}
const PARCEL = '00340434123456789012'
const TITLE = 'Flight UA 110 San Francisco → New York'

withBrowser('console reservations', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page

  beforeAll(async () => {
    service = await startService()
    const mailbox = openMailbox(service)
    await mailbox.raw([
      'From: Example Air <no-reply@air.example>',
      'To: ana@example.org',
      'Subject: Your booking',
      'Message-ID: <flight@example.org>',
      'Content-Type: text/html; charset=utf-8',
      '',
      `<p>Have a good trip.</p><script type="application/ld+json">${JSON.stringify(FLIGHT)}</script>`,
    ])
    await mailbox.put({
      from: 'Shop <no-reply@shop.example>',
      to: ['ana@example.org'],
      subject: 'Your parcel and your invoice',
      text: `Your parcel is on its way with DHL.\nTracking number: ${PARCEL}`,
    })
    await mailbox.put({
      from: 'Beck <post@beck.example>',
      to: ['ana@example.org'],
      subject: 'Invoice RE-2027-017',
      text: 'Invoice number: RE-2027-017\nTotal: 1,234.50 EUR\nDue by 15 March 2027.',
    })
    browser = await openBrowser()
    visitor = await visit(browser, service.url, {})
    page = visitor.page
    await signUp(visitor, '/mail')
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const cards = () => page.getByRole('list', { name: 'Reservations in this email' })
  const open = async (subject: string) => {
    await openPage(page, '/mail')
    await mailLink(page, subject).click()
    await expectOpen(page, subject)
  }
  const titlesOf = async (path: string, list: string): Promise<string[]> => {
    const body = (await (await fetch(`${service.url}${path}`)).json()) as Record<string, { title: string }[]>
    return (body[list] ?? []).map(({ title }) => title)
  }
  const events = () =>
    titlesOf('/api/calendar/events?start=2027-03-01T00:00:00Z&end=2027-04-01T00:00:00Z', 'events')
  const tasks = () => titlesOf('/api/tasks', 'tasks')

  it('shows a flight with the local times of both ends and adds it to the calendar', async () => {
    await open('Your booking')
    const card = cards().getByRole('listitem', { name: TITLE })
    await card.waitFor()
    const text = await card.innerText()
    expect(text).toMatch(/Mar 4, 2027, 8:15\sPM/)
    expect(text).toMatch(/Mar 5, 2027, 6:30\sAM/)
    expect(text).toContain('RXJ34P')
    expect(await findAccessibilityIssues(page)).toEqual([])
    await card.getByRole('button', { name: `Add to calendar: ${TITLE}` }).click()
    await expectToast(page, 'Calendar updated')
    await card.getByText('In your calendar').waitFor()
    expect(await events()).toEqual([TITLE])
    expect(await card.getByRole('link', { name: 'Show in calendar' }).getAttribute('href')).toBe(
      '/calendar?view=day&date=2027-03-04',
    )
    await undo(page, 'Calendar updated')
    await card.getByRole('button', { name: `Add to calendar: ${TITLE}` }).waitFor()
    expect(await events()).toEqual([])
  })

  it('links a parcel to its carrier and adds tasks for parcels and invoices', async () => {
    await open('Your parcel and your invoice')
    const parcel = cards().getByRole('listitem', { name: `Parcel DHL ${PARCEL}` })
    const link = parcel.getByRole('link', { name: 'Track parcel' })
    expect(await link.getAttribute('href')).toMatch(new RegExp(`^https://www\\.dhl\\.de/.*${PARCEL}$`))
    expect(await link.getAttribute('rel')).toContain('noopener')
    await parcel.getByRole('button', { name: /^Add task/ }).click()
    await parcel.getByText('In your tasks').waitFor()

    await open('Invoice RE-2027-017')
    const invoice = cards().getByRole('listitem', { name: /^Pay invoice RE-2027-017/ })
    await invoice.waitFor()
    expect(await invoice.innerText()).toMatch(/€1,234\.50[\s\S]*Mar 15, 2027|Mar 15, 2027[\s\S]*€1,234\.50/)
    await invoice.getByRole('button', { name: /^Add task/ }).click()
    await expectToast(page, 'Tasks updated')
    await invoice.getByText('In your tasks').waitFor()
    expect((await tasks()).toSorted()).toEqual([
      `Parcel DHL ${PARCEL}`,
      'Pay invoice RE-2027-017 – €1,234.50 (Beck)',
    ])
    await page.reload()
    await invoice.getByRole('link', { name: 'Open task' }).click()
    await page.waitForURL(/\/tasks\?task=\d+/)
  })

  it('fits a phone in the dark and speaks German', async () => {
    const call = (method: string, path: string, body: object, token = '') =>
      fetch(`${service.url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      })
    const signIn = await call('POST', '/api/auth/login', { email: 'ana@example.org', password: PASSWORD })
    const { token } = (await signIn.json()) as { token: string }
    const saved = await call('PATCH', '/api/settings/preferences', { locale: 'de-DE' }, token)
    expect(saved.status).toBe(200)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/mail')
    await page.getByRole('link', { name: /Your booking/ }).click()
    const list = page.getByRole('list', { name: 'Buchungen in dieser E-Mail' })
    await list.getByText('Flug UA 110 San Francisco → New York').waitFor()
    await list.getByText('Zum Kalender hinzufügen').waitFor()
    expect(await findDarkModeIssues(page)).toEqual([])
    await expect.poll(() => pageWidth(page)).toBe(390)
    expect(visitor.browserErrors).toEqual([])
  })
})
