import { fileURLToPath } from 'node:url'
import type { ImapFlow } from 'imapflow'
import nodemailer from 'nodemailer'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type MailFixture, openMailFixture } from '../support/mail-fixture.ts'
import {
  accountBody,
  mailServers,
  newAddress,
  openImapClient,
  withMailServers,
} from '../support/mail-servers.ts'
import { calendar, mailWith } from '../support/meeting-mail.ts'
import { findAccessibilityIssues, findDarkModeIssues, OPEN_LIST } from './faults.ts'
import { expectOpen, expectToast, mailLink } from './mailbox.ts'
import { takeScreenshots } from './screenshots.ts'
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

const consoleDirectory = fileURLToPath(new URL('../../web/dist', import.meta.url))

withMailServers('console invitations', () => {
  withBrowser('with a second mailbox', () => {
    let fixture: MailFixture
    let browser: Browser
    let visitor: Visitor
    let page: Page
    let ben: ImapFlow
    let token: string
    const [anaAddress, benAddress] = [newAddress('ana'), newAddress('ben')]

    beforeAll(async () => {
      fixture = await openMailFixture('sqlite', {
        environment: { TZ_DEFAULT: 'Europe/Berlin', REGISTRATION: 'open' },
        deps: { consoleDirectory },
      })
      const { instance } = fixture
      await instance.app.jobs.start()
      browser = await openBrowser()
      visitor = await visit(browser, instance.url)
      page = visitor.page
      const email = 'visitor@example.org'
      await signUp(visitor, '/calendar', { name: 'Ana', email })
      token = (await instance.post('/api/auth/login', { email, password: PASSWORD })).body.token
      const body = { ...accountBody(anaAddress), senderName: 'Ana Ruiz' }
      expect((await instance.post('/api/settings/mail-accounts', body, { token })).status).toBe(201)
      ben = await openImapClient(benAddress)
    })
    afterAll(async () => {
      await browser?.close()
      await ben?.logout()
      await fixture?.close()
    })

    /** Sends a calendar file like Ben's mail program. */
    const sendAsBen = async (file: string, subject: string) => {
      const port = mailServers().relay
      const transport = nodemailer.createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
      const raw = mailWith(file, { from: `Ben Okafor <${benAddress}>`, to: anaAddress })
      await transport.sendMail({
        envelope: { from: benAddress, to: anaAddress },
        raw: raw.replace('Subject: Design review', `Subject: ${subject}`),
      })
      transport.close()
    }
    const lastMailOfBen = () =>
      eventually(async () => {
        const { exists } = await ben.mailboxOpen('INBOX')
        if (exists === 0) return undefined
        const all = await ben.fetchAll('1:*', { source: true, envelope: true })
        return all.at(-1)
      })
    const question = () => page.getByRole('alertdialog')
    const expectNoIssues = async () => {
      expect(await findAccessibilityIssues(page)).toEqual([])
      expect(await findDarkModeIssues(page)).toEqual([])
    }

    it('asks before it sends, and shows the answer on the event', async () => {
      await page.getByRole('button', { name: 'New event', exact: true }).click()
      await page.getByRole('button', { name: 'More options' }).click()
      const form = page.getByRole('dialog', { name: 'New event' })
      await form.getByRole('textbox', { name: 'Title' }).fill('Planning')
      await form.getByText('Attendees, notes and tags').click()
      await form.getByRole('combobox', { name: 'Attendees' }).fill(`Ben Okafor <${benAddress}>`)
      await page.keyboard.press('Enter')
      await form.getByRole('button', { name: 'Create' }).click()
      await question().getByText('Email goes to Ben Okafor.').waitFor()
      // The button of the form spins until the question is answered, so that animations never end.
      await takeScreenshots(page, 'question')
      await question().getByRole('button', { name: 'Back' }).click()
      await form.getByRole('button', { name: 'Create' }).click()
      await question().locator(':focus').waitFor()
      await page.keyboard.press('Enter')
      await expectToast(page, 'Email is being sent')
      await fixture.passUndoDelay()
      const mail = await lastMailOfBen()
      expect(mail.envelope?.subject).toBe('Invitation: Planning')
      const uid = await eventually(async () => {
        const { body } = await fixture.instance.get('/api/calendar/upcoming?days=30', { token })
        return body.events.find((event: { title: string }) => event.title === 'Planning')?.uid
      })
      await sendAsBen(
        calendar(
          'REPLY',
          `UID:${uid}`,
          'DTSTAMP:20991231T000000Z',
          'SEQUENCE:0',
          `ORGANIZER:mailto:${anaAddress}`,
          `ATTENDEE;CN=Ben Okafor;PARTSTAT=ACCEPTED:mailto:${benAddress}`,
        ),
        'Accepted: Planning',
      )
      await page
        .getByRole('button', { name: /Planning/ })
        .first()
        .click()
      await page.getByText('Accepted', { exact: false }).first().waitFor()
      await takeScreenshots(page, 'event')
      await page.getByRole('button', { name: 'Delete' }).click()
      await question().getByText('Send cancellation?').waitFor()
      expect(await findAccessibilityIssues(page, OPEN_LIST)).toEqual([])
      await question().getByRole('button', { name: 'Do not send' }).click()
    })

    it('answers from the card in the email, with a note, and changes the answer', async () => {
      const { instance } = fixture
      const day = new Date(instance.clock.now().getTime() + 3 * 86_400_000).toISOString().slice(0, 10)
      const plain = day.replaceAll('-', '')
      const clash = { title: 'Dentist', start: `${day}T14:00:00Z`, end: `${day}T15:00:00Z` }
      expect((await instance.post('/api/calendar/events', clash, { token })).status).toBe(201)
      const lines = [
        'UID:card@example.org',
        'DTSTAMP:20260202T100000Z',
        `DTSTART;TZID=America/New_York:${plain}T093000`,
        `DTEND;TZID=America/New_York:${plain}T103000`,
        'RRULE:FREQ=WEEKLY;COUNT=8',
        'SUMMARY:Design review',
        'LOCATION:Room 4',
        `ORGANIZER;CN=Ben Okafor:mailto:${benAddress}`,
        `ATTENDEE;CN=Ana Ruiz;PARTSTAT=NEEDS-ACTION:mailto:${anaAddress}`,
        'ATTENDEE;CN=Li Wei;PARTSTAT=ACCEPTED:mailto:li@example.org',
      ]
      await sendAsBen(calendar('REQUEST', ...lines), 'Please come')
      await eventually(async () =>
        (await instance.get('/api/emails?limit=50', { token })).body.emails.some(
          ({ subject }: { subject: string }) => subject === 'Please come',
        ),
      )
      await openPage(page, '/mail')
      await mailLink(page, 'Please come').click()
      await expectOpen(page, 'Please come')
      const card = page.getByRole('region', { name: 'Invitation: Design review' })
      await card.waitFor()
      // The card replaces the calendar part, which has no name.
      await expect.poll(() => page.getByRole('list', { name: 'Attachments' }).count()).toBe(0)
      await card.getByText('New York').waitFor()
      await card.getByText(/8 times/).waitFor()
      await card.getByText('At the same time: Dentist').waitFor()
      await card.getByText('Organized by Ben Okafor').waitFor()
      await expectNoIssues()
      await takeScreenshots(page, 'card')
      await card.getByRole('button', { name: 'Add a note' }).click()
      await card.getByLabel('Note to the organizer').fill('See you.')
      await card.getByRole('button', { name: 'Accept' }).click()
      await expectToast(page, 'Response to Ben Okafor sent')
      await card.getByRole('button', { name: 'Accept', pressed: true }).waitFor()
      await fixture.passUndoDelay()
      await eventually(async () => {
        const { envelope, source } = await lastMailOfBen()
        return envelope?.subject === 'Accepted: Design review' && String(source).includes('See you.')
      })
      await card.getByRole('button', { name: 'Maybe' }).click()
      await card.getByText('You answered maybe.').waitFor()
      await card.getByRole('link', { name: 'Show in calendar' }).click()
      await page
        .getByRole('button', { name: /^Design review/ })
        .first()
        .waitFor()
      expect(page.url()).toContain(`view=day&date=${day}`)
      const moved = lines.map((line) => line.replace('Room 4', 'Room 5').replace('T093000', 'T100000'))
      await sendAsBen(calendar('REQUEST', ...moved, 'SEQUENCE:1'), 'New time')
      await openPage(page, '/mail')
      await mailLink(page, 'New time').click()
      await page.getByText(/Updated: was .* · Room 4/).waitFor()
      await sendAsBen(calendar('CANCEL', ...moved, 'SEQUENCE:2'), 'Called off')
      await openPage(page, '/mail')
      await mailLink(page, 'Called off').click()
      await page.getByText('This event is cancelled.').waitFor()
      expect(visitor.browserErrors).toEqual([])
    })

    it('fits a phone and speaks German', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      await fixture.instance.call('PATCH', '/api/settings/preferences', { body: { locale: 'de-DE' }, token })
      await page.goto('/mail')
      await page
        .getByRole('link', { name: /Please come/ })
        .first()
        .click()
      await page.getByRole('region', { name: 'Einladung: Design review' }).waitFor()
      expect(await pageWidth(page)).toBeLessThanOrEqual(390)
      await expectNoIssues()
      await takeScreenshots(page, 'card-phone-german')
    })
  })
})
