import type { BrowserStorage } from '../api/browser-storage.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export const isTheme = (value: unknown): value is Theme => THEMES.includes(value as Theme)

export const readTheme = (browserStorage: BrowserStorage): Theme => {
  const theme = browserStorage.read('theme')
  return isTheme(theme) ? theme : 'system'
}

/** head/theme.js does the same before the first paint of the next visit. */
export const chooseTheme = (browserStorage: BrowserStorage, theme: Theme): void => {
  browserStorage.write('theme', theme === 'system' ? null : theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
