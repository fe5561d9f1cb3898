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

const runAxe = async (page: Page, options: object): Promise<string[]> => {
  await waitForAnimations(page)
  // Evaluated as an expression, because the content security policy blocks added scripts. Once per document
  // is enough.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(AXE)
  // The only frame contains a message and runs no scripts, so axe would get no answer there.
  // No rule in use reads style sheets or media, which axe would load again before each check.
  const asked = JSON.stringify({ resultTypes: ['violations'], iframes: false, preload: false, ...options })
  const { violations } = (await page.evaluate(`axe.run(document, ${asked})`)) as AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

/** Lists violations of WCAG 2.2 AA and best practices. */
export const findAccessibilityIssues = (page: Page, rules: Rules = {}): Promise<string[]> =>
  runAxe(page, { rules })

/** Checks only the rules whose result depends on colors. */
export const findDarkModeIssues = async (page: Page): Promise<string[]> => {
  await page.emulateMedia({ colorScheme: 'dark' })
  const issues = await runAxe(page, { runOnly: ['color-contrast', 'link-in-text-block'] })
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
