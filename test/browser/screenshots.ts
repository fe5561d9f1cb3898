import type { Page } from 'playwright-core'
import { waitForAnimations } from './faults.ts'

/** Takes screenshots in light and dark mode, if TEST_PICTURES names a directory. */
export const takeScreenshots = async (page: Page, name: string): Promise<void> => {
  const directory = process.env.TEST_PICTURES
  if (!directory) return
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await waitForAnimations(page)
    await page.screenshot({ path: `${directory}/${name}-${colorScheme}.png`, fullPage: true })
  }
}
