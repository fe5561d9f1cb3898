import { useRef, useState } from 'react'
import type { Versioned } from '../../api/client.ts'
import { ApiError } from '../../api/problem.ts'

interface EditingOptions<T, C> {
  /** The latest known version. */
  current: Versioned<T>
  /** Selects the fields that this form edits. */
  part: (value: T) => C
  read: () => Promise<Versioned<T>>
  send: (change: C, etag: string | null) => Promise<Versioned<T>>
}

const isOutdated = (error: unknown): boolean => error instanceof ApiError && error.status === 412

/**
 * Form state with optimistic concurrency. One database row holds the whole account, so its ETag also changes
 * with other fields. The change is then sent again. Only a change of the same fields is a conflict.
 */
export const useVersionedForm = <T, C>({ current, part, read, send }: EditingOptions<T, C>) => {
  const [base, setBase] = useState(current)
  const [lastSeen, setLastSeen] = useState(current)
  const [generation, setGeneration] = useState(0)
  const [conflict, setConflict] = useState<{ theirs: Versioned<T>; mine: C } | null>(null)
  const touched = useRef(false)
  const isSame = (one: T, other: T) => JSON.stringify(part(one)) === JSON.stringify(part(other))

  /** Resets the form to the saved values. */
  const show = (next: Versioned<T>) => {
    touched.current = false
    setConflict(null)
    setBase(next)
    setGeneration((count) => count + 1)
  }
  const settle = (next: Versioned<T>) => {
    touched.current = false
    setConflict(null)
    setBase(next)
  }

  // After a save, `current` is out of date until the query has been read again. Without this check the form would
  // be reset to the old values in between, and lose the focus.
  if (current !== lastSeen) {
    setLastSeen(current)
    if (!touched.current && current.etag !== base.etag) {
      setBase(current)
      if (!isSame(current.value, base.value)) setGeneration(generation + 1)
    }
  }

  return {
    base: base.value,
    /** Use as `key` of the form: a new generation resets it. */
    generation,
    conflict,
    touch() {
      touched.current = true
    },

    /** Resolves to false if there is a conflict to display. */
    async save(mine: C): Promise<boolean> {
      try {
        settle(await send(mine, base.etag))
        return true
      } catch (error) {
        if (!isOutdated(error)) throw error
      }
      const theirs = await read()
      if (isSame(theirs.value, base.value)) {
        settle(await send(mine, theirs.etag))
        return true
      }
      setConflict({ theirs, mine })
      return false
    },

    takeTheirs() {
      if (conflict) show(conflict.theirs)
    },

    async keepMine(): Promise<void> {
      if (conflict) settle(await send(conflict.mine, conflict.theirs.etag))
    },
  }
}
