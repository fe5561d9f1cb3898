import type { Page } from 'playwright-core'

export const INPUTS = ['mouse', 'keyboard', 'touch'] as const
export type Input = (typeof INPUTS)[number]

const LANGUAGES = ['en', 'de'] as const
/** A desktop, a tablet and a phone. */
const WIDTHS = [1440, 820, 390] as const

export interface Setting {
  language: (typeof LANGUAGES)[number]
  width: (typeof WIDTHS)[number]
  input: Input
}

/** `GESTURES=all` tests each gesture in each language and width. `GESTURE_INPUTS=touch` limits the inputs. */
const isComplete = process.env.GESTURES === 'all'
const wanted = process.env.GESTURE_INPUTS?.split(',') ?? INPUTS

/** Each input once, spread over the languages and widths; with `GESTURES=all` their product. */
export const listSettings = (gesture: number, inputs: readonly Input[] = INPUTS): Setting[] => {
  const chosen = inputs.filter((input) => wanted.includes(input))
  if (isComplete)
    return chosen.flatMap((input) =>
      LANGUAGES.flatMap((language) => WIDTHS.map((width) => ({ input, language, width }))),
    )
  return chosen.map((input, at) => ({
    input,
    language: LANGUAGES[(gesture + at) % LANGUAGES.length] as Setting['language'],
    width: WIDTHS[(gesture + at) % WIDTHS.length] as Setting['width'],
  }))
}

export interface Point {
  x: number
  y: number
  /** The pointer stays here for some milliseconds. */
  rest?: number
}

export interface Pointer {
  tap(at: Point): Promise<void>
  /** Presses at the first point and moves through the others. */
  drag(points: readonly Point[], options?: { cancel?: boolean; isHandle?: boolean }): Promise<void>
  /** A long press without a move. */
  press(at: Point): Promise<void>
}

const STEPS = 6
/** Longer than the long press that starts a drag. */
const LONG_PRESS_MS = 500

const between = (from: Point, to: Point): Point[] =>
  Array.from({ length: STEPS }, (_, step) => ({
    x: from.x + ((to.x - from.x) * (step + 1)) / STEPS,
    y: from.y + ((to.y - from.y) * (step + 1)) / STEPS,
    rest: step === STEPS - 1 ? (to.rest ?? 0) : 0,
  }))

const pathThrough = (points: readonly Point[]): Point[] =>
  points.slice(1).flatMap((point, at) => between(points[at] as Point, point))

const createMouse = (page: Page): Pointer => ({
  tap: ({ x, y }) => page.mouse.click(x, y),
  async drag(points, { cancel = false } = {}) {
    const [start] = points as [Point]
    await page.mouse.move(start.x, start.y)
    await page.mouse.down()
    for (const { x, y, rest = 0 } of pathThrough(points)) {
      await page.mouse.move(x, y)
      await page.waitForTimeout(rest)
    }
    if (cancel) await page.keyboard.press('Escape')
    await page.mouse.up()
  },
  press: ({ x, y }) => page.mouse.click(x, y),
})

const createFinger = async (page: Page): Promise<Pointer> => {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: Point) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [{ x: point.x, y: point.y }] : [] })
  return {
    tap: ({ x, y }) => page.touchscreen.tap(x, y),
    async drag(points, { cancel = false, isHandle = false } = {}) {
      const [start] = points as [Point]
      await send('touchStart', start)
      if (!isHandle) await page.waitForTimeout(LONG_PRESS_MS)
      for (const point of pathThrough(points)) {
        await send('touchMove', point)
        await page.waitForTimeout(point.rest ?? 0)
      }
      // A finger cancels by going back.
      if (cancel)
        for (const point of pathThrough([points.at(-1) as Point, start])) await send('touchMove', point)
      await send('touchEnd')
    },
    async press(at) {
      await send('touchStart', at)
      await page.waitForTimeout(LONG_PRESS_MS)
      await send('touchEnd')
    },
  }
}

export const createPointer = async (page: Page, input: Input): Promise<Pointer> =>
  input === 'touch' ? createFinger(page) : createMouse(page)

/** Moves a finger without a long press before. */
export const swipe = async (page: Page, from: Point, to: Point): Promise<void> =>
  (await createFinger(page)).drag([from, to], { isHandle: true })
