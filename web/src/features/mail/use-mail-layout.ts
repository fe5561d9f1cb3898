import { useState } from 'react'
import { useServices } from '../../api/context.tsx'
import { useHasPageWidth } from '../../shell/panel-state.ts'
import { toPaneSize } from '../../ui/divider.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'

export const READING_PANES = ['right', 'below', 'off'] as const
export type ReadingPane = (typeof READING_PANES)[number]

export const FOLDER_WIDTHS = { min: 140, max: 320, default: 188 } as const
export const LIST_WIDTHS = { min: 280, max: 720, default: 328 } as const
export const LIST_HEIGHTS = { min: 160, max: 640, default: 320 } as const

/** The open email keeps this width beside the list. */
const MIN_READING_PX = 400
/** Windows with a column for the folders. */
const WITH_FOLDERS_PX = 1280
/** Windows with the email beside the list. */
const SIDE_BY_SIDE_PX = 1101
/** Wider than a phone, whose page scrolls as a whole; the same width as in mail.css. */
const STACKED = '(min-width: 861px)'

/** A value that this browser remembers. */
const useStored = <Value>(name: string, parse: (text: string | null) => Value) => {
  const { browserStorage } = useServices()
  const [value, setValue] = useState(() => parse(browserStorage.read(name)))
  const store = (text: string | null): void => {
    browserStorage.write(name, text)
    setValue(parse(text))
  }
  return [value, store] as const
}

export type MailLayout = ReturnType<typeof useMailLayout>

/** The arrangement of the mail page on this device. */
export const useMailLayout = (isOpen: boolean) => {
  const [pane, setPane] = useStored<ReadingPane>(
    'mail-reading-pane',
    (text) => READING_PANES.find((each) => each === text) ?? 'right',
  )
  const [hidesFolders, setHidesFolders] = useStored('mail-folders', (text) => text === 'hidden')
  const [foldersWidth, setFoldersWidth] = useStored('mail-folders-width', (text) =>
    toPaneSize(FOLDER_WIDTHS, text),
  )
  const [listWidth, setListWidth] = useStored('mail-list-width', (text) => toPaneSize(LIST_WIDTHS, text))
  const [listHeight, setListHeight] = useStored('mail-list-height', (text) => toPaneSize(LIST_HEIGHTS, text))
  const canShowFolders = useHasPageWidth(WITH_FOLDERS_PX)
  const canBeBeside = useHasPageWidth(SIDE_BY_SIDE_PX)
  const canBeBelow = useMediaQuery(STACKED)
  const isPossible = { right: canBeBeside, below: canBeBelow, off: false }[pane]
  const hasFolders = canShowFolders && !hidesFolders
  /** `alone`: the page shows either the list or the email. */
  const reading: 'right' | 'below' | 'alone' = isPossible && pane !== 'off' ? pane : 'alone'
  const folders = hasFolders ? `${foldersWidth}px 0 ` : ''
  const kept = MIN_READING_PX + (hasFolders ? foldersWidth : 0)
  return {
    pane,
    setPane,
    reading,
    canShowFolders,
    hasFolders,
    toggleFolders: () => setHidesFolders(hidesFolders ? null : 'hidden'),
    foldersWidth,
    resizeFolders: (px: number) => setFoldersWidth(String(px)),
    listWidth,
    resizeListWidth: (px: number) => setListWidth(String(px)),
    listHeight,
    resizeListHeight: (px: number) => setListHeight(String(px)),
    /** The tracks of the grid. A track without a size has a divider. */
    grid: {
      gridTemplateColumns: `${folders}${
        reading === 'right' && isOpen
          ? `min(${listWidth}px, 100% - ${kept}px) 0 minmax(0, 1fr)`
          : 'minmax(0, 1fr)'
      }`,
      gridTemplateRows:
        reading === 'below' && isOpen ? `min(${listHeight}px, 70%) 0 minmax(0, 1fr)` : 'minmax(0, 1fr)',
    },
  }
}
