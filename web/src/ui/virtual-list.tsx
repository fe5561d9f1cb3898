import {
  defaultRangeExtractor,
  measureElement,
  type Range,
  type ReactVirtualizer,
  useVirtualizer,
  useWindowVirtualizer,
  type Virtualizer,
} from '@tanstack/react-virtual'
import {
  type FocusEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

const OVERSCAN = 8

/** Attributes of the list item that shows a row. */
export interface RowProps {
  /** Measures the row. */
  ref: (row: HTMLLIElement | null) => void
  'data-index': number
  'aria-posinset': number
  'aria-setsize': number
}

/** A request to scroll to a row and to focus its element that matches `part`. A new object is a new request. */
export interface RowTarget {
  id: number
  part: string | null
}

interface VirtualListProps<T> {
  items: readonly T[]
  /** True while more pages exist, so that the number of rows is unknown. */
  hasMore: boolean
  estimatedHeight: number
  /** Selector of the ancestor that scrolls. Without it, the page scrolls. */
  scrollsIn?: string | undefined
  target: RowTarget | null
  className?: string
  label?: string
  children: (item: T, row: RowProps) => ReactNode
}

type Item = { id: number }

/** A list that renders only the rows near the visible part, and the row that has the focus. */
export const VirtualList = <T extends Item>(props: VirtualListProps<T>) =>
  props.scrollsIn === undefined ? <PageList {...props} /> : <ElementList {...props} />

const PageList = <T extends Item>(props: VirtualListProps<T>) => {
  const rows = useRows(props)
  const virtualizer = useWindowVirtualizer<HTMLLIElement>(rows.options)
  return <Rows list={props} rows={rows} virtualizer={virtualizer} />
}

const ElementList = <T extends Item>(props: VirtualListProps<T>) => {
  const rows = useRows(props)
  const virtualizer = useVirtualizer<HTMLElement, HTMLLIElement>({
    ...rows.options,
    getScrollElement: () => rows.list.current?.closest<HTMLElement>(props.scrollsIn ?? '') ?? null,
  })
  return <Rows list={props} rows={rows} virtualizer={virtualizer} />
}

/** Positions of a list within its scroll container, in pixels. Null while the list is hidden. */
const readScroll = (list: HTMLElement | null, scrollsIn: string | undefined) => {
  const scroller = scrollsIn === undefined ? document.documentElement : list?.closest(scrollsIn)
  if (!list || !scroller || list.getClientRects().length === 0) return null
  const offset = scroller.scrollTop
  const top = list.getBoundingClientRect().top - scroller.getBoundingClientRect().top
  return { offset, margin: Math.round(scrollsIn === undefined ? top : top + offset) }
}

/**
 * A new row has its estimated height until the observer reports the real one, before the paint. Reading it at once would
 * compute the layout again for each row. A hidden row has no height and keeps the last one, so that the scroll position
 * stays.
 */
const measureRow = <S extends Element | Window>(
  element: HTMLLIElement,
  entry: ResizeObserverEntry | undefined,
  instance: Virtualizer<S, HTMLLIElement>,
): number => {
  const { getItemKey, estimateSize } = instance.options
  const index = instance.indexFromElement(element)
  return (
    (entry && measureElement(element, entry, instance)) ||
    (instance.itemSizeCache.get(getItemKey(index)) ?? estimateSize(index))
  )
}

const useRows = <T extends Item>({ items, estimatedHeight, scrollsIn, target }: VirtualListProps<T>) => {
  const list = useRef<HTMLUListElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  const [focusedId, setFocusedId] = useState<number | null>(null)
  // Content above the list may have changed its height.
  useLayoutEffect(() => setScrollMargin((before) => readScroll(list.current, scrollsIn)?.margin ?? before))

  /** Keeps the row with the focus, and its neighbours for the Tab key. */
  const rangeExtractor = (range: Range): number[] => {
    const indexes = new Set(defaultRangeExtractor(range))
    const focused = items.findIndex(({ id }) => id === focusedId)
    const wanted = items.findIndex(({ id }) => id === target?.id)
    const kept = [...(focused < 0 ? [] : [focused - 1, focused, focused + 1]), wanted]
    for (const index of kept) if (index >= 0 && index < range.count) indexes.add(index)
    return [...indexes].sort((one, other) => one - other)
  }
  const scroll = readScroll(list.current, scrollsIn)
  const options = {
    count: items.length,
    estimateSize: () => estimatedHeight,
    getItemKey: (index: number) => items[index]?.id ?? index,
    measureElement: measureRow,
    rangeExtractor,
    scrollMargin,
    overscan: OVERSCAN,
    // New rows above the visible ones must not move them. At the top of the list, new rows are shown.
    anchorTo: scroll && scroll.offset > scroll.margin ? 'end' : 'start',
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
  } as const
  return { list, options, setFocusedId }
}

interface RowsProps<T> {
  list: VirtualListProps<T>
  rows: { list: RefObject<HTMLUListElement | null>; setFocusedId: (id: number | null) => void }
  virtualizer: Pick<
    ReactVirtualizer<HTMLElement, HTMLLIElement>,
    'containerRef' | 'getVirtualItems' | 'measureElement'
  >
}

const Rows = <T extends Item>({ list, rows, virtualizer }: RowsProps<T>) => {
  const { items, hasMore, target, className = '', label, children } = list
  const handled = useRef<RowTarget | null>(null)
  const virtualItems = virtualizer.getVirtualItems()
  const setList = useCallback(
    (element: HTMLUListElement | null) => {
      rows.list.current = element
      virtualizer.containerRef(element)
    },
    [rows.list, virtualizer],
  )
  // Runs after each render, because the row of the target may be rendered later.
  useLayoutEffect(() => {
    const index = items.findIndex(({ id }) => id === target?.id)
    const row = rows.list.current?.querySelector(`:scope > [data-index="${index}"]`)
    if (!target || !row || handled.current === target) return
    handled.current = target
    row.scrollIntoView({ block: 'nearest' })
    if (target.part !== null) row.querySelector<HTMLElement>(target.part)?.focus()
  })
  const onFocus = (event: FocusEvent) => {
    const row = event.target.closest<HTMLElement>('[data-index]')
    rows.setFocusedId(items[Number(row?.dataset.index)]?.id ?? null)
  }
  return (
    <ul ref={setList} className={`virtual-list ${className}`} aria-label={label} onFocus={onFocus}>
      {virtualItems.map(({ index }) => {
        const item = items[index]
        return (
          item &&
          children(item, {
            ref: virtualizer.measureElement,
            'data-index': index,
            'aria-posinset': index + 1,
            'aria-setsize': hasMore ? -1 : items.length,
          })
        )
      })}
    </ul>
  )
}
