import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, findDarkModeIssues, ON_TOP } from './faults.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, PASSWORD, pageWidth, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const expectToast = (page: Page, text: string) => page.locator('.toast', { hasText: text }).first().waitFor()
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

withBrowser('comments on tasks and their time', () => {
  let service: Service
  let browser: Browser
  let ana: Visitor
  /** Uses a phone, in German. */
  let ben: Visitor
  let taskId: number

  const call = async (email: string, path: string, body?: object) => {
    const post = async (to: string, data: object | undefined, token = '') => {
      const answer = await fetch(`${service.url}${to}`, {
        method: 'POST',
        headers: {
          ...(data && { 'content-type': 'application/json' }),
          ...(token !== '' && { authorization: `Bearer ${token}` }),
        },
        ...(data && { body: JSON.stringify(data) }),
      })
      expect([to, answer.ok]).toEqual([to, true])
      return (await answer.json()) as { token: string; id: number }
    }
    const { token } = await post('/api/auth/login', { email, password: PASSWORD })
    return post(path, body, token)
  }

  const openTask = async (page: Page): Promise<void> => {
    await page.evaluate(`history.pushState(null, '', '/tasks?task=${taskId}')`)
  }

  beforeAll(async () => {
    service = await startService({ TZ_DEFAULT: 'Europe/Berlin' })
    browser = await openBrowser()
    ana = await visit(browser, service.url)
    ben = await visit(browser, service.url, { width: 390, locale: 'de-DE' })
    const emails = { ana: 'ana@example.org', ben: 'ben@example.org' }
    await signUp(ana, '/', { name: 'Ana Ruiz', email: emails.ana, locale: 'en-GB' })
    await signUp(ben, '/', { name: 'Ben Okafor', email: emails.ben, locale: 'de-DE' })
    const list = await call(emails.ana, '/api/task-lists', { name: 'Garden' })
    const share = { email: emails.ben, role: 'editor' }
    const offer = await call(emails.ana, `/api/task-lists/${list.id}/shares`, share)
    await call(emails.ben, `/api/shares/${offer.id}/accept`)
    taskId = (await call(emails.ana, '/api/tasks', { title: 'Paint the fence', listId: list.id })).id
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('reach the other person of a shared list, with a notification and at once', async () => {
    const phone = ben.page
    await openTask(phone)
    const comments = section(phone, 'Kommentare')
    await comments.getByLabel('Kommentar schreiben').fill('Welche Farbe?')
    await comments.getByRole('button', { name: 'Kommentieren' }).click()
    await comments.getByRole('listitem').getByText('Welche Farbe?').waitFor()
    expect(await findAccessibilityIssues(phone, ON_TOP)).toEqual([])
    expect(await pageWidth(phone)).toBeLessThanOrEqual(390)

    const { page } = ana
    await button(page, 'Notifications, 1 new').click()
    await page.getByRole('link', { name: /Ben Okafor commented on “Paint the fence”/ }).click()
    const own = section(page, 'Comments')
    await own.getByText('Welche Farbe?').waitFor()
    await own.getByLabel('Write a comment').fill('Green.')
    await page.keyboard.press('Control+Enter')
    await comments.getByText('Green.').waitFor()

    await own.getByRole('button', { name: 'Actions for the comment by Ana Ruiz' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await own.getByLabel('Edit comment').fill('Dark green.')
    await own.getByRole('button', { name: 'Save' }).click()
    await comments.getByText('Dark green.').waitFor()
    await comments.getByText('bearbeitet').waitFor()
    // Ben is no owner of the list.
    expect(await comments.getByRole('button', { name: /Ana Ruiz/ }).count()).toBe(0)
    await own.getByRole('button', { name: 'Actions for the comment by Ben Okafor' }).click()
    expect(await page.getByRole('menuitem', { name: 'Edit' }).count()).toBe(0)
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expectToast(page, 'Comment deleted')
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await own.getByText('Welche Farbe?').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
  })

  it('a timer runs on after a reload, and is stopped on any page', async () => {
    const { page } = ana
    const time = section(page, 'Time')
    await time.getByRole('button', { name: 'Start timer' }).click()
    await time.getByRole('button', { name: 'Stop timer' }).waitFor()
    const timer = page.getByRole('region', { name: 'Running timer' })
    await page.goto('/contacts')
    await timer.getByRole('link', { name: /Paint the fence/ }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await timer.getByRole('button', { name: 'Stop the timer of “Paint the fence”' }).click()
    await expectToast(page, 'Timer of “Paint the fence” stopped')
    await expect.poll(() => timer.count()).toBe(0)
  })

  it('time is entered by hand, and the other person sees the sum', async () => {
    const { page } = ana
    await openTask(page)
    const time = section(page, 'Time')
    await time.getByRole('button', { name: 'Add time' }).click()
    const form = page.getByRole('dialog', { name: 'Add time' })
    await form.getByLabel('From', { exact: true }).fill('09:00')
    await form.getByLabel('To', { exact: true }).fill('10:30')
    await form.getByLabel('Note').fill('Sanded')
    await form.getByRole('button', { name: 'Save' }).click()
    await time.getByText('Sanded').waitFor()
    await time.getByText('Total: 1 h 30 min').waitFor()
    const phone = ben.page
    const shared = section(phone, 'Zeit')
    await shared.getByText('Gesamt: 1 Std. 30 Min.').waitFor()
    await shared.getByRole('button', { name: 'Stoppuhr starten' }).click()
    await phone.locator('.running-timer').waitFor({ state: 'attached' })
    expect(await pageWidth(phone)).toBeLessThanOrEqual(390)
    await shared.getByText('läuft').waitFor()
    await shared.getByRole('button', { name: 'Stoppuhr anhalten' }).click()
    await expect.poll(() => phone.locator('.running-timer').count()).toBe(0)
    expect([ana.browserErrors, ben.browserErrors]).toEqual([[], []])
  })
})
