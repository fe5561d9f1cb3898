import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from './service.ts'
import { openBrowser, type Visitor, visit, withBrowser } from './visitor.ts'

/** A proxy to the service whose connections can be cut. */
const startProxy = async () => {
  let port = 0
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((here) => {
    if (isCut) return void here.destroy()
    const there = connect(port, '127.0.0.1')
    for (const socket of [here, there]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    here.pipe(there).pipe(here)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwardTo(address: string) {
      port = Number(new URL(address).port)
    },
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    restore() {
      isCut = false
    },
  }
}

withBrowser('the overlay', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page
  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
    visitor = await visit(browser, service.url)
    page = visitor.page
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  // biome-ignore lint/suspicious/noExplicitAny: the test knows the shape of the response
  const call = async (method: string, path: string, body?: unknown, url = service.url): Promise<any> => {
    const response = await fetch(`${url}/api/stream${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
    expect([path, response.ok]).toEqual([path, true])
    return response.status === 204 ? null : response.json()
  }
  const say = (text: string, more: Record<string, unknown> = {}, url = service.url) =>
    call('POST', '/captions', { text, ...more }, url)
  const open = async (query = ''): Promise<void> => {
    await page.goto(`/overlay${query}`)
    await page.locator('html[data-shown]').waitFor({ state: 'attached' })
  }
  const lines = () => page.locator('.overlay-text').allTextContents()
  const isEmpty = () =>
    page.locator('.overlay-line, .overlay-milestone').first().waitFor({ state: 'detached' })
  const expectCaption = (text: string) => page.locator('.overlay-text', { hasText: text }).waitFor()

  it('is transparent and empty at first', async () => {
    await open()
    const colors = await page.evaluate(
      '[document.documentElement, document.body, document.querySelector(".overlay")].map((one) => getComputedStyle(one).backgroundColor)',
    )
    expect(new Set(colors as string[])).toEqual(new Set(['rgba(0, 0, 0, 0)']))
    await expect.poll(lines).toEqual([])
  })

  it('scrolls captions with the newest at the bottom, and updates them in place', async () => {
    await call('POST', '/start', { title: 'Live' })
    await say('first', { speaker: 'Ada' })
    await expectCaption('first')
    const second = await say('secnod')
    await say('third')
    await expectCaption('third')
    await expect.poll(lines).toEqual(['first', 'secnod', 'third'])
    await call('PATCH', `/captions/${second.id}`, { text: 'second' })
    await expectCaption('second')
    await expect.poll(lines).toEqual(['first', 'second', 'third'])
    for (let n = 4; n < 9; n++) await say(`line ${n}`)
    await expectCaption('line 8')
    await page.evaluate(
      'Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})))',
    )
    const box = (selector: string) => page.locator(selector).last().boundingBox()
    const [region, last] = [await box('.overlay-captions'), await box('.overlay-line')]
    if (!region || !last) throw new Error('No caption is visible.')
    expect(Math.abs(region.y + region.height - (last.y + last.height))).toBeLessThan(2)
    const firstBox = await page.locator('.overlay-line').first().boundingBox()
    expect((firstBox?.y ?? 0) + (firstBox?.height ?? 0)).toBeLessThanOrEqual(region.y + 1)
    expect(await page.locator('.overlay-speaker').first().textContent()).toBe('Ada')
  })

  it('shows current captions when it opens during the stream', async () => {
    await open()
    await expectCaption('line 8')
    await expectCaption('line 7')
  })

  it('shows hostile input as plain text inside its region', async () => {
    await say('<img src=x onerror="document.body.dataset.hacked=1"><script>x</script>')
    await say('\u202Eevil \u2067text')
    await say(`${'word '.repeat(500)}end`)
    await expectCaption('end')
    expect(await page.locator('.overlay img, .overlay script').count()).toBe(0)
    expect(await page.evaluate('document.body.dataset.hacked')).toBeUndefined()
    const region = await page.locator('.overlay-captions').boundingBox()
    const size = page.viewportSize()
    expect((region?.y ?? 0) + (region?.height ?? 0)).toBeLessThanOrEqual(size?.height ?? 0)
  })

  it('shows the progress of milestones', async () => {
    const { id } = await call('POST', '/milestones', { title: 'Microphone', target: 200, unit: '€' })
    const bar = page.getByRole('progressbar', { name: 'Microphone' })
    await bar.waitFor()
    await call('POST', `/milestones/${id}/progress`, { amount: 50 })
    await page.getByText('50 / 200 €').waitFor()
    await expect.poll(() => bar.getAttribute('aria-valuenow')).toBe('50')
    await call('POST', `/milestones/${id}/progress`, { amount: 150 })
    await page.locator('.overlay-milestone[data-reached="true"]').waitFor()
  })

  it('is in the language of the browser', async () => {
    const { id } = await call('POST', '/milestones', { title: 'Abonnenten', target: 12_000, unit: '' })
    await call('POST', `/milestones/${id}/progress`, { amount: 1_500 })
    await page.getByText('1,500 / 12,000').waitFor()
    const german = await visit(browser, service.url, { locale: 'de-DE' })
    await german.page.goto('/overlay')
    await german.page.getByText('1.500 / 12.000').waitFor()
    expect(await german.page.title()).toBe('Factotum-Overlay')
    expect(await german.page.getAttribute('html', 'lang')).toBe('de')
    await german.context.close()
    await call('DELETE', `/milestones/${id}`)
  })

  it('is cleared by panic, also after a reload, and shows later captions', async () => {
    await call('POST', '/panic')
    await isEmpty()
    await open()
    await expect.poll(lines).toEqual([])
    await expect.poll(() => page.locator('.overlay-milestone').count()).toBe(0)
    await say('onwards')
    await expectCaption('onwards')
    await call('POST', '/panic', { hold: true })
    await isEmpty()
    await say('hidden')
    await call('PATCH', '/state', { held: false })
    await expectCaption('hidden')
  })

  it('shows one language and applies the style parameters of its URL', async () => {
    await open('?language=de&size=60&color=ff0000&background=00ff00&position=top&lines=2&show=captions,title')
    await say('Guten Tag', { language: 'de' })
    await say('Good day', { language: 'en' })
    await say('Auf Wiedersehen', { language: 'de-AT' })
    await expectCaption('Auf Wiedersehen')
    await expect.poll(lines).toEqual(['Guten Tag', 'Auf Wiedersehen'])
    const styles = (await page.evaluate(
      '(({ fontSize, color }) => [fontSize, color])(getComputedStyle(document.querySelector(".overlay-text")))',
    )) as string[]
    expect(styles).toEqual(['60px', 'rgb(255, 0, 0)'])
    expect(await page.locator('.overlay-milestones').count()).toBe(0)
    await page.locator('.overlay-title', { hasText: 'Live' }).waitFor()
    const region = await page.locator('.overlay-captions').boundingBox()
    expect(region?.y).toBeLessThan(100)
    await open('?size=nonsense&color=url(javascript:1)&lines=-5&show=&language=fr')
    expect(await page.locator('.overlay').count()).toBe(1)
  })

  it('reconnects after a lost connection and shows missed captions', async () => {
    const proxy = await startProxy()
    const distant = await startService({ PUBLIC_URL: proxy.url })
    proxy.forwardTo(distant.url)
    const speak = (text: string) => say(text, {}, distant.url)
    await page.goto(`${proxy.url}/overlay`)
    await page.locator('html[data-shown]').waitFor({ state: 'attached' })
    await speak('before')
    await expectCaption('before')
    proxy.cut()
    await page.locator('html[data-line="lost"]').waitFor({ state: 'attached' })
    await speak('while you were away')
    proxy.restore()
    await expectCaption('while you were away')
    await speak('and now')
    await expectCaption('and now')
    await expect
      .poll(async () => (await lines()).slice(-3))
      .toEqual(['before', 'while you were away', 'and now'])
    await page.goto('about:blank')
    await distant.stop()
  })

  it('hides captions after a while and when the stream ends', async () => {
    await open('?linger=8&language=en')
    await say('soon gone', { language: 'en' })
    await expectCaption('soon gone')
    await page.locator('.overlay-text').first().waitFor({ state: 'detached' })
    await open('?language=en')
    await say('to the end', { language: 'en' })
    await expectCaption('to the end')
    await call('POST', '/stop')
    await page.locator('.overlay-text').first().waitFor({ state: 'detached' })
    const browserErrors = visitor.browserErrors.filter(
      (error) => !/ERR_(INCOMPLETE|CONNECTION|EMPTY)/.test(error),
    )
    expect(browserErrors).toEqual([])
  })
})
