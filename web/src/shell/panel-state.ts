import { useSyncExternalStore } from 'react'
import { createStore } from '../api/store.ts'
import { toPaneSize } from '../ui/divider.tsx'
import { useMediaQuery } from '../ui/use-media-query.ts'

const isOpen = createStore(false)

/** Whether the assistant panel is open. The frame reads the saved state when it starts. */
export const panelIsOpen = isOpen

/** Below this width the panel covers the page. The stylesheet of the frame uses it too. */
export const BESIDE = '(min-width: 1240px)'

export const PANEL_WIDTHS = { min: 320, max: 560, default: 388 } as const

/** Width of the panel beside the page. The frame reads the saved width when it starts. */
export const panelWidth = createStore<number>(PANEL_WIDTHS.default)

/** Limits a width. A text that is no number gives the default. */
export const toPanelWidth = (width: number | string | null): number => toPaneSize(PANEL_WIDTHS, width)

/** Whether the user reduced the navigation to its icons. The frame reads the saved state when it starts. */
export const navigationIsCollapsed = createStore(false)

/** The width that the navigation loses when it shows its icons only. */
const NAVIGATION_SHRINKS_BY_PX = 248 - 72

/** Whether the page is as wide as it is in a window of `px` with the whole navigation and no assistant panel. */
export const useHasPageWidth = (px: number): boolean => {
  const open = useSyncExternalStore(isOpen.subscribe, isOpen.get)
  const width = useSyncExternalStore(panelWidth.subscribe, panelWidth.get)
  const isBeside = useMediaQuery(BESIDE)
  const isCollapsed = useSyncExternalStore(navigationIsCollapsed.subscribe, navigationIsCollapsed.get)
  const hasPanel = open && isBeside
  const narrowsBy = (hasPanel ? width : 0) - (hasPanel || isCollapsed ? NAVIGATION_SHRINKS_BY_PX : 0)
  return useMediaQuery(`(width >= ${px + narrowsBy}px)`)
}
