import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Half the size of `axe.source`. Each document parses it again. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Rules = Record<string, { enabled: boolean }>

/** Waits for all animations, so that checks see the final state. */
export const waitForAnimations = (page: Page): Promise<unknown> =>
  page.evaluate(
    'Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})))',
  )

/** Rules whose result depends on colors. They take most of the time of a check. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** An open dialog or menu covers the page, whose colors are checked without it. */
const OVERLAY = '.dialog, .popover, [role="menu"]'

const runAxe = async (page: Page, part: 'document' | 'overlay', options: object): Promise<string[]> => {
  // Evaluated as an expression, because the content security policy blocks added scripts. Once per document
  // is enough.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(AXE)
  const context = part === 'document' ? 'document' : `[...document.querySelectorAll('${OVERLAY}')].at(-1)`
  // The only frame contains a message and runs no scripts, so axe would get no answer there.
  // No rule in use reads style sheets or media, which axe would load again before each check.
  const asked = JSON.stringify({ resultTypes: ['violations'], iframes: false, preload: false, ...options })
  const { violations } = (await page.evaluate(`axe.run(${context}, ${asked})`)) as AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

const hasOverlay = async (page: Page): Promise<boolean> => (await page.locator(OVERLAY).count()) > 0

/** Lists violations of WCAG 2.2 AA and best practices. */
export const findAccessibilityIssues = async (page: Page, rules: Rules = {}): Promise<string[]> => {
  await waitForAnimations(page)
  if (!(await hasOverlay(page))) return runAxe(page, 'document', { rules })
  const withoutColors = Object.fromEntries(COLOR_RULES.map((rule) => [rule, { enabled: false }]))
  return [
    ...(await runAxe(page, 'document', { rules: { ...rules, ...withoutColors } })),
    ...(await runAxe(page, 'overlay', { runOnly: COLOR_RULES })),
  ]
}

/** Checks only the rules whose result depends on colors. */
export const findDarkModeIssues = async (page: Page): Promise<string[]> => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await waitForAnimations(page)
  const part = (await hasOverlay(page)) ? 'overlay' : 'document'
  const issues = await runAxe(page, part, { runOnly: COLOR_RULES })
  await page.emulateMedia({ colorScheme: 'light' })
  return issues
}

/** Dialogs and menus are outside the page regions and hold the focus while open. */
export const ON_TOP = { region: { enabled: false } }
/** An open list hides the rest of the page from screen readers until it closes. */
export const OPEN_LIST = {
  ...ON_TOP,
  'aria-hidden-focus': { enabled: false },
  'page-has-heading-one': { enabled: false },
}
