/** Changed form values by field name: the initial value and the current one. */
export type FormChanges = Readonly<Record<string, { was: unknown; now: unknown }>>

interface FormStorage {
  /** User id of the owner. */
  owner: string | null
  forms: Readonly<Record<string, FormChanges>>
}

const STORAGE_KEY = 'factotum.begun'
const EMPTY: FormStorage = { owner: null, forms: {} }

const readStorage = (): FormStorage => {
  try {
    return {
      ...EMPTY,
      ...(JSON.parse(window.sessionStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<FormStorage>),
    }
  } catch {
    return EMPTY
  }
}

const writeStorage = (storage: FormStorage): void => {
  try {
    if (Object.keys(storage.forms).length === 0) window.sessionStorage.removeItem(STORAGE_KEY)
    else window.sessionStorage.setItem(STORAGE_KEY, JSON.stringify(storage))
  } catch {
    // The storage is full or blocked. The forms stay in memory until the page is closed.
  }
}

export type SavedForms = ReturnType<typeof createSavedForms>

/**
 * Unsent form input by form name. It survives closing the form, navigation, a reload and an expired session,
 * but only in this tab. Signing out deletes it, and another user never sees it.
 */
export const createSavedForms = () => {
  let storage = readStorage()
  /** Callbacks that dismiss the toast shown when the user left a form. */
  const dismissCallbacks = new Map<string, () => void>()
  const change = (next: FormStorage): void => {
    storage = next
    writeStorage(next)
  }
  return {
    get: (name: string): FormChanges | null => storage.forms[name] ?? null,
    set(name: string, changes: FormChanges | null): void {
      const { [name]: _, ...others } = storage.forms
      change({ ...storage, forms: changes === null ? others : { ...others, [name]: changes } })
    },
    onReopen: (name: string, act: () => void): void => void dismissCallbacks.set(name, act),
    reopen(name: string): void {
      dismissCallbacks.get(name)?.()
      dismissCallbacks.delete(name)
    },
    setOwner(owner: string): void {
      if (storage.owner !== owner) change({ owner, forms: {} })
    },
    clear: (): void => change(EMPTY),
  }
}
