const THRESHOLD_PX = 4
const LONG_PRESS_MS = 350
const EDGE_PX = 32
const SCROLL_PX = 14
/** A drag that only passes an edge does not scroll. */
const SCROLL_AFTER_MS = 400
/** The pointer must stay at an edge this long before the next days appear. */
const TURN_MS = 800

export interface Point {
  x: number
  y: number
}

interface Handlers {
  /** `isCopy`: Alt is held. */
  onMove: (point: Point, isCopy: boolean) => void
  onDrop: () => void
  /** Called on Escape, or when the browser takes over the pointer. */
  onCancel: () => void
  /** A long press of a finger that ended without a move. */
  onHold?: () => void
  /** A finger on a handle starts the drag at once. */
  isHandle?: boolean
  /** Container that scrolls when the pointer is near its edge. */
  scroller: HTMLElement | null
  /** Shows the days before (-1) or after (+1), because the pointer stays at the left or right edge. */
  onTurn?: (direction: -1 | 1) => void
}

const swallowClick = (event: Event): void => {
  event.stopPropagation()
  event.preventDefault()
}

/** The edge of the days under the pointer. The labels of the hours belong to the left edge. */
const findEdge = ({ x }: Point, scroller: HTMLElement): -1 | 0 | 1 => {
  const { left, right } = scroller.getBoundingClientRect()
  const gutter = scroller.querySelector<HTMLElement>('.hours-gutter')?.offsetWidth ?? 0
  if (x < left + Math.max(gutter, EDGE_PX / 2)) return -1
  return x > right - EDGE_PX / 2 ? 1 : 0
}

/** The header above the hours takes drops, so it does not scroll. */
const findScroll = ({ y }: Point, scroller: HTMLElement): -1 | 0 | 1 => {
  const { top, bottom } = scroller.getBoundingClientRect()
  const first = top + (scroller.querySelector<HTMLElement>('.hours-head')?.offsetHeight ?? 0)
  if (y > first && y < first + EDGE_PX) return -1
  return y > bottom - EDGE_PX ? 1 : 0
}

/**
 * Follows a pointer after a press. A mouse starts the drag by moving. A finger starts it by a long press,
 * because moving at once scrolls.
 */
export const followPointer = (down: PointerEvent, handlers: Handlers): void => {
  const target = down.target as HTMLElement
  const isTouch = down.pointerType === 'touch'
  let lifted = false
  let hasMoved = false
  let last: Point = { x: down.clientX, y: down.clientY }
  let isCopy = down.altKey
  let edgeSince: number | null = null
  let scrollSince: number | null = null

  const report = () => handlers.onMove(last, isCopy)
  const lift = () => {
    lifted = true
    document.documentElement.dataset.dragging = 'true'
    scrolling = requestAnimationFrame(scroll)
  }
  const end = () => {
    clearTimeout(resting)
    cancelAnimationFrame(scrolling)
    delete document.documentElement.dataset.dragging
    window.removeEventListener('pointermove', move)
    window.removeEventListener('pointerup', drop)
    window.removeEventListener('pointercancel', cancel)
    window.removeEventListener('keydown', onKey, true)
    window.removeEventListener('keyup', onKey, true)
    target.removeEventListener('touchmove', preventScroll)
    window.removeEventListener('contextmenu', preventContextMenu)
  }
  const move = (event: PointerEvent) => {
    if (event.pointerId !== down.pointerId) return
    const far = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > THRESHOLD_PX
    last = { x: event.clientX, y: event.clientY }
    isCopy = event.altKey
    hasMoved ||= far
    if (!lifted && far) {
      if (isTouch && !handlers.isHandle) return end()
      lift()
    }
    if (lifted) report()
  }
  const drop = (event: PointerEvent) => {
    if (event.pointerId !== down.pointerId) return
    end()
    if (!lifted) return
    // Suppresses the click that browsers fire after a drag.
    window.addEventListener('click', swallowClick, { capture: true, once: true })
    setTimeout(() => window.removeEventListener('click', swallowClick, true))
    if (hasMoved) handlers.onDrop()
    else {
      handlers.onCancel()
      handlers.onHold?.()
    }
  }
  const cancel = () => {
    end()
    if (lifted) handlers.onCancel()
  }
  /** Escape cancels. Pressing or releasing Alt changes between copy and move. */
  const onKey = (event: KeyboardEvent) => {
    if (!lifted) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      cancel()
    } else if (event.key === 'Alt') {
      // The key alone would open the menu of the browser.
      event.preventDefault()
      isCopy = event.type === 'keydown'
      report()
    }
  }
  /** Only a non-passive listener can prevent scrolling during a touch drag. */
  const preventScroll = (event: TouchEvent) => {
    if (lifted) event.preventDefault()
  }
  /** Suppresses the context menu of a long press. */
  const preventContextMenu = (event: Event) => {
    if (isTouch) event.preventDefault()
  }
  const turn = (scroller: HTMLElement) => {
    const edge = findEdge(last, scroller)
    if (edge === 0 || !hasMoved) {
      edgeSince = null
      return
    }
    edgeSince ??= performance.now()
    if (performance.now() - edgeSince < TURN_MS) return
    edgeSince = performance.now()
    handlers.onTurn?.(edge)
    // The new days are rendered by then.
    setTimeout(() => {
      if (document.documentElement.dataset.dragging) report()
    }, 50)
  }
  const scrollAtEdge = (scroller: HTMLElement) => {
    const direction = hasMoved ? findScroll(last, scroller) : 0
    if (direction === 0) scrollSince = null
    else scrollSince ??= performance.now()
    if (scrollSince === null || performance.now() - scrollSince < SCROLL_AFTER_MS) return
    const before = scroller.scrollTop
    scroller.scrollTop += direction * SCROLL_PX
    if (scroller.scrollTop !== before) report()
  }
  const scroll = () => {
    const { scroller } = handlers
    if (scroller) {
      scrollAtEdge(scroller)
      if (handlers.onTurn) turn(scroller)
    }
    scrolling = requestAnimationFrame(scroll)
  }

  let scrolling = 0
  const resting = setTimeout(() => {
    if (isTouch && !lifted) lift()
  }, LONG_PRESS_MS)
  window.addEventListener('pointermove', move)
  window.addEventListener('pointerup', drop)
  window.addEventListener('pointercancel', cancel)
  window.addEventListener('keydown', onKey, true)
  window.addEventListener('keyup', onKey, true)
  target.addEventListener('touchmove', preventScroll, { passive: false })
  window.addEventListener('contextmenu', preventContextMenu)
}
