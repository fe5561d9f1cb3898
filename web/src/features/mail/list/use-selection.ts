import { useRef, useState } from 'react'
import type { EmailSummary } from '../folders.ts'

export type Selection = ReturnType<typeof useSelection>

/** Selected emails. Emails that leave the list are deselected. */
export const useSelection = (emails: readonly EmailSummary[]) => {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const last = useRef<number | null>(null)
  const selected = emails.filter(({ id }) => ids.has(id))
  return {
    selected,
    has: (id: number): boolean => ids.has(id),
    /** With `isRange`, selects all emails since the previously selected one. */
    set(id: number, isSelected: boolean, isRange = false): void {
      const [from, to] = [last.current, id].map((one) => emails.findIndex((email) => email.id === one))
      const these =
        isRange && from !== undefined && to !== undefined && from >= 0 && to >= 0
          ? emails.slice(Math.min(from, to), Math.max(from, to) + 1).map((email) => email.id)
          : [id]
      last.current = id
      setIds((before) => {
        const after = new Set(before)
        for (const each of these) isSelected ? after.add(each) : after.delete(each)
        return after
      })
    },
    all: (): void => setIds(new Set(emails.map(({ id }) => id))),
    clear(): void {
      last.current = null
      setIds(new Set())
    },
  }
}
