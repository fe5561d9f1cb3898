const PATIENCE_MS = 600
const TARGETS = 'a[href], button:not([disabled]), input:not([disabled]), [tabindex="0"]'

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
  const neighbours = [row?.nextElementSibling, row?.previousElementSibling]
  return () => {
    if (!row) return
    const until = performance.now() + PATIENCE_MS
    const look = (): void => {
      if (performance.now() > until || (!row.isConnected && !isLost())) return
      if (row.isConnected) return void requestAnimationFrame(look)
      const next = neighbours.find((neighbour) => neighbour?.isConnected)
      const target =
        next?.querySelector<HTMLElement>(TARGETS) ?? document.querySelector<HTMLElement>('main h1')
      target?.focus()
      // A menu that closes hands the focus back to what opened it, which is gone.
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }
}
