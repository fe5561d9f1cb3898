import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from './service.ts'
import { openBrowser, type Visitor, visit, withBrowser } from './visitor.ts'

/** A line to the service that can be cut. */
const layLine = async () => {
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
    leadTo(address: string) {
      port = Number(new URL(address).port)
    },
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend() {
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

  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
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
  const sees = (text: string) => page.locator('.overlay-text', { hasText: text }).waitFor()

  it('is transparent, and empty before anything is said', async () => {
    await open()
    const colours = await page.evaluate(
      '[document.documentElement, document.body, document.querySelector(".overlay")].map((one) => getComputedStyle(one).backgroundColor)',
    )
    expect(new Set(colours as string[])).toEqual(new Set(['rgba(0, 0, 0, 0)']))
    await expect.poll(lines).toEqual([])
  })

  it('rolls captions up as they come, the newest at the bottom, and corrects them in their place', async () => {
    await call('POST', '/start', { title: 'Live' })
    await say('first', { speaker: 'Ada' })
    await sees('first')
    const second = await say('secnod')
    await say('third')
    await sees('third')
    await expect.poll(lines).toEqual(['first', 'secnod', 'third'])
    await call('PATCH', `/captions/${second.id}`, { text: 'second' })
    await sees('second')
    await expect.poll(lines).toEqual(['first', 'second', 'third'])
    for (let n = 4; n < 9; n++) await say(`line ${n}`)
    await sees('line 8')
    await page.evaluate(
      'Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})))',
    )
    const box = (selector: string) => page.locator(selector).last().boundingBox()
    const [region, last] = [await box('.overlay-captions'), await box('.overlay-line')]
    if (!region || !last) throw new Error('Nothing is seen.')
    expect(Math.abs(region.y + region.height - (last.y + last.height))).toBeLessThan(2)
    const firstBox = await page.locator('.overlay-line').first().boundingBox()
    expect((firstBox?.y ?? 0) + (firstBox?.height ?? 0)).toBeLessThanOrEqual(region.y + 1)
    expect(await page.locator('.overlay-speaker').first().textContent()).toBe('Ada')
  })

  it('shows what is said when it is opened in the middle', async () => {
    await open()
    await sees('line 8')
    await sees('line 7')
  })

  it('shows what is hostile as text, and stays in its place', async () => {
    await say('<img src=x onerror="document.body.dataset.hacked=1"><script>x</script>')
    await say('\u202Eevil \u2067text')
    await say(`${'word '.repeat(500)}end`)
    await sees('end')
    expect(await page.locator('.overlay img, .overlay script').count()).toBe(0)
    expect(await page.evaluate('document.body.dataset.hacked')).toBeUndefined()
    const region = await page.locator('.overlay-captions').boundingBox()
    const size = page.viewportSize()
    expect((region?.y ?? 0) + (region?.height ?? 0)).toBeLessThanOrEqual(size?.height ?? 0)
  })

  it('shows milestones with how far they have come', async () => {
    const { id } = await call('POST', '/milestones', { title: 'Microphone', target: 200, unit: '€' })
    const bar = page.getByRole('progressbar', { name: 'Microphone' })
    await bar.waitFor()
    await call('POST', `/milestones/${id}/progress`, { amount: 50 })
    await page.getByText('50 / 200 €').waitFor()
    await expect.poll(() => bar.getAttribute('aria-valuenow')).toBe('50')
    await call('POST', `/milestones/${id}/progress`, { amount: 150 })
    await page.locator('.overlay-milestone[data-reached="true"]').waitFor()
  })

  it('is empty at once in a panic, also for who opens it then, and goes on with what comes', async () => {
    await call('POST', '/panic')
    await isEmpty()
    await open()
    await expect.poll(lines).toEqual([])
    await expect.poll(() => page.locator('.overlay-milestone').count()).toBe(0)
    await say('onwards')
    await sees('onwards')
    await call('POST', '/panic', { hold: true })
    await isEmpty()
    await say('hidden')
    await call('PATCH', '/state', { held: false })
    await sees('hidden')
  })

  it('shows one language, and follows its address in how it looks', async () => {
    await open('?language=de&size=60&color=ff0000&background=00ff00&position=top&lines=2&show=captions,title')
    await say('Guten Tag', { language: 'de' })
    await say('Good day', { language: 'en' })
    await say('Auf Wiedersehen', { language: 'de-AT' })
    await sees('Auf Wiedersehen')
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

  it('comes back by itself when the line was cut, and shows what was missed', async () => {
    const line = await layLine()
    const distant = await startService({ PUBLIC_URL: line.url })
    line.leadTo(distant.url)
    const speak = (text: string) => say(text, {}, distant.url)
    await page.goto(`${line.url}/overlay`)
    await page.locator('html[data-shown]').waitFor({ state: 'attached' })
    await speak('before')
    await sees('before')
    line.cut()
    await page.locator('html[data-line="lost"]').waitFor({ state: 'attached' })
    await speak('while you were away')
    line.mend()
    await sees('while you were away')
    await speak('and now')
    await sees('and now')
    await expect
      .poll(async () => (await lines()).slice(-3))
      .toEqual(['before', 'while you were away', 'and now'])
    await page.goto('about:blank')
    await distant.stop()
  })

  it('lets captions go when nothing more is said, and when the stream ends', async () => {
    await open('?linger=1&language=en')
    await say('soon gone', { language: 'en' })
    await sees('soon gone')
    await page.locator('.overlay-text').first().waitFor({ state: 'detached' })
    await open('?language=en')
    await say('to the end', { language: 'en' })
    await sees('to the end')
    await call('POST', '/stop')
    await page.locator('.overlay-text').first().waitFor({ state: 'detached' })
    const troubles = visitor.troubles.filter((trouble) => !/ERR_(INCOMPLETE|CONNECTION|EMPTY)/.test(trouble))
    expect(troubles).toEqual([])
  })
})
