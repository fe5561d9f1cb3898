const FOCUS_TIMEOUT_MS = 600
const TARGETS = 'a[href], button:not([disabled]), input:not([disabled]), [tabindex="0"]'

const targetsIn = (row: Element): HTMLElement[] => [...row.querySelectorAll<HTMLElement>(TARGETS)]

/**
 * Call before a row is removed, also from its menu. The returned function moves the focus to the row that
 * takes its place, or to the page heading. Without this, keyboard users would start at the top of the page
 * again.
 */
export const rememberRowFocus = (): (() => void) => {
  const at = document.querySelector('[data-popup-open]') ?? document.activeElement
  const row = at?.closest('main li') ?? null
  // Focuses the same control in the next row, so that the user can delete several rows in turn.
  const part = row && at ? targetsIn(row).indexOf(at as HTMLElement) : 0
  // The popup that is about to close. One that the user opens afterwards keeps the focus.
  const closing = document.activeElement?.closest('.menu, .popover')
  const isLost = (): boolean => {
    const active = document.activeElement
    return active === null || active === document.body || closing?.contains(active) === true
  }
  const neighbours = [row?.nextElementSibling, row?.previousElementSibling]
  return () => {
    const until = performance.now() + FOCUS_TIMEOUT_MS
    // Repeats for a while, because a closing menu or dialog returns the focus to its removed trigger.
    const check = (): void => {
      if (performance.now() > until) return
      requestAnimationFrame(check)
      if (row?.isConnected || !isLost()) return
      const next = neighbours.find((neighbour) => neighbour?.isConnected)
      const parts = next ? targetsIn(next) : []
      const target = parts[part] ?? parts[0] ?? document.querySelector<HTMLElement>('main h1')
      target?.focus()
    }
    requestAnimationFrame(check)
  }
}
