const PATIENCE_MS = 600
const TARGETS = 'a[href], button:not([disabled]), input:not([disabled]), [tabindex="0"]'

const targetsIn = (row: Element): HTMLElement[] => [...row.querySelectorAll<HTMLElement>(TARGETS)]

const isLost = (): boolean => {
  const active = document.activeElement
  return active === null || active === document.body || active.closest('.menu') !== null
}

/**
 * Before the row that is worked in leaves, be it by its menu: what is returned leads the focus to the row that takes its
 * place, or to the page's heading, when nobody else has. Whoever types would have to begin at the top again.
 */
export const rememberRow = (): (() => void) => {
  const at = document.querySelector('[data-popup-open]') ?? document.activeElement
  const row = at?.closest('main li') ?? null
  // The same part of the next row: who deletes one after the other presses the same button.
  const part = row && at ? targetsIn(row).indexOf(at as HTMLElement) : 0
  const neighbours = [row?.nextElementSibling, row?.previousElementSibling]
  return () => {
    const until = performance.now() + PATIENCE_MS
    // For a while, because a menu or a dialog that closes hands the focus back to what opened it, which is gone.
    const look = (): void => {
      if (performance.now() > until) return
      requestAnimationFrame(look)
      if (row?.isConnected || !isLost()) return
      const next = neighbours.find((neighbour) => neighbour?.isConnected)
      const parts = next ? targetsIn(next) : []
      const target = parts[part] ?? parts[0] ?? document.querySelector<HTMLElement>('main h1')
      target?.focus()
    }
    requestAnimationFrame(look)
  }
}
