import { useState } from 'react'
import { useLastValue } from './use-last-value.ts'

/** The open dialog of a list: an action, and the item that it concerns. */
export const useItemDialog = <T, A extends string>() => {
  const [chosen, setChosen] = useState<{ action: A; item: T } | null>(null)
  return {
    /** The item of the last dialog, which is still visible while the dialog closes. */
    lastItem: useLastValue(chosen)?.item ?? null,
    open: (action: A, item: T): void => setChosen({ action, item }),
    close: (): void => setChosen(null),
    /** The item of this dialog, or null if the dialog is closed. */
    itemOf: (action: A): T | null => (chosen?.action === action ? chosen.item : null),
  }
}
