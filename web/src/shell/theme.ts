import type { Memory } from '../api/memory.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export const isTheme = (value: unknown): value is Theme => THEMES.includes(value as Theme)

export const readTheme = (memory: Memory): Theme => {
  const theme = memory.read('theme')
  return isTheme(theme) ? theme : 'system'
}

/** head/theme.js does the same before the first paint of the next visit. */
export const chooseTheme = (memory: Memory, theme: Theme): void => {
  memory.write('theme', theme === 'system' ? null : theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
