/** What was written in place of what, by the name of the field. */
export type Written = Readonly<Record<string, { was: unknown; now: unknown }>>

interface Shelf {
  /** Whose it is. */
  owner: string | null
  forms: Readonly<Record<string, Written>>
}

const PLACE = 'factotum.begun'
const EMPTY: Shelf = { owner: null, forms: {} }

const take = (): Shelf => {
  try {
    return { ...EMPTY, ...(JSON.parse(window.sessionStorage.getItem(PLACE) ?? '{}') as Partial<Shelf>) }
  } catch {
    return EMPTY
  }
}

const lay = (shelf: Shelf): void => {
  try {
    if (Object.keys(shelf.forms).length === 0) window.sessionStorage.removeItem(PLACE)
    else window.sessionStorage.setItem(PLACE, JSON.stringify(shelf))
  } catch {
    // Full, or blocked: it is still kept as long as the page is.
  }
}

export type Begun = ReturnType<typeof createBegun>

/**
 * What somebody began to write and has not sent, by the name of the form. It outlives the form, the room, a reload and
 * the end of the session, in this tab alone; whoever signs out takes it along, and nobody else finds it.
 */
export const createBegun = () => {
  let shelf = take()
  /** What was said to those who left a form. */
  const said = new Map<string, () => void>()
  const change = (next: Shelf): void => {
    shelf = next
    lay(next)
  }
  return {
    get: (name: string): Written | null => shelf.forms[name] ?? null,
    set(name: string, written: Written | null): void {
      const { [name]: _, ...others } = shelf.forms
      change({ ...shelf, forms: written === null ? others : { ...others, [name]: written } })
    },
    onReturn: (name: string, act: () => void): void => void said.set(name, act),
    returnTo(name: string): void {
      said.get(name)?.()
      said.delete(name)
    },
    belongTo(owner: string): void {
      if (shelf.owner !== owner) change({ owner, forms: {} })
    },
    clear: (): void => change(EMPTY),
  }
}
