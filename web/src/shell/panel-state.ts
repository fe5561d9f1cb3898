import { useSyncExternalStore } from 'react'
import { createStore } from '../api/store.ts'
import { useMediaQuery } from '../ui/use-media-query.ts'

const isOpen = createStore(false)

/** Whether the assistant panel is open. The frame reads the saved state when it starts. */
export const panelIsOpen = isOpen

/** Below this width the panel covers the page. The stylesheet of the frame uses it too. */
export const BESIDE = '(min-width: 1240px)'
/** The panel narrows the page by this much, because the navigation shrinks to its icons. */
const NARROWS_BY_PX = 212

/** Whether the page is as wide as it is in a window of `px` without the assistant panel. */
export const useHasPageWidth = (px: number): boolean => {
  const open = useSyncExternalStore(isOpen.subscribe, isOpen.get)
  return useMediaQuery(`(width >= ${open ? px + NARROWS_BY_PX : px}px)`)
}
