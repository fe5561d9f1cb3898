import axe from 'axe-core'
import type { Page } from 'playwright-core'

type Rules = Record<string, { enabled: boolean }>

/** What moves or fades in is judged when it has come to rest. */
export const atRest = (page: Page): Promise<unknown> =>
  page.evaluate(
    'Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})))',
  )

const judge = async (page: Page, options: object): Promise<string[]> => {
  await atRest(page)
  // As an expression: the pages' policy refuses scripts that are added to them. Once in a document is enough.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source)
  // The one frame there is holds a message, and runs nothing: nobody there would answer.
  const asked = JSON.stringify({ resultTypes: ['violations'], iframes: false, ...options })
  const { violations } = (await page.evaluate(`axe.run(document, ${asked})`)) as axe.AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

/** Each rule of WCAG 2.2 AA and of good practice that is broken, and by what. */
export const findFaults = (page: Page, rules: Rules = {}): Promise<string[]> => judge(page, { rules })

/** The same page in dark colours differs in these alone. */
export const findFaultsInDark = async (page: Page): Promise<string[]> => {
  await page.emulateMedia({ colorScheme: 'dark' })
  const faults = await judge(page, { runOnly: ['color-contrast', 'link-in-text-block'] })
  await page.emulateMedia({ colorScheme: 'light' })
  return faults
}

/** What opens on top of the page is not a part of its regions; the focus is in it while it is open. */
export const ON_TOP = { region: { enabled: false } }
/** An open list hides the rest of the page from those who hear it; leaving it closes it. */
export const OPEN_LIST = {
  ...ON_TOP,
  'aria-hidden-focus': { enabled: false },
  'page-has-heading-one': { enabled: false },
}
