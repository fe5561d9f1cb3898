import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Each rule of WCAG 2.2 AA and of good practice that is broken, and by what. */
export const findFaults = async (
  page: Page,
  rules: Record<string, { enabled: boolean }> = {},
): Promise<string[]> => {
  // As an expression: the pages' policy refuses scripts that are added to them.
  await page.evaluate(axe.source)
  const options = JSON.stringify({ resultTypes: ['violations'], rules })
  const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as axe.AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

/** What opens on top of the page is not a part of its regions; the focus is in it while it is open. */
export const ON_TOP = { region: { enabled: false } }
/** An open list hides the rest of the page from those who hear it; leaving it closes it. */
export const OPEN_LIST = {
  ...ON_TOP,
  'aria-hidden-focus': { enabled: false },
  'page-has-heading-one': { enabled: false },
}

/** What moves or fades in is judged when it has come to rest. */
export const atRest = (page: Page): Promise<unknown> =>
  page.evaluate(
    'Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})))',
  )
