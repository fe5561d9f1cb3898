import { useRef, useState } from 'react'
import type { Versioned } from '../../api/client.ts'
import { ApiError } from '../../api/problem.ts'

interface EditingOptions<T, C> {
  /** The newest that is known. */
  current: Versioned<T>
  /** The part of it that this form changes. */
  part: (value: T) => C
  read: () => Promise<Versioned<T>>
  send: (change: C, etag: string | null) => Promise<Versioned<T>>
}

const isOutdated = (error: unknown): boolean => error instanceof ApiError && error.status === 412

/**
 * Editing against the version that was read. One row holds the whole account, so its version also moves when another
 * part of it changes; that is no conflict, and the change is sent again. A conflict is when the very same part moved.
 */
export const useEditing = <T, C>({ current, part, read, send }: EditingOptions<T, C>) => {
  const [base, setBase] = useState(current)
  const [generation, setGeneration] = useState(0)
  const [conflict, setConflict] = useState<{ theirs: Versioned<T>; mine: C } | null>(null)
  const touched = useRef(false)
  const isSame = (one: T, other: T) => JSON.stringify(part(one)) === JSON.stringify(part(other))

  /** Shows what is there; what was typed goes. */
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

  if (!touched.current && current.etag !== base.etag) {
    setBase(current)
    if (!isSame(current.value, base.value)) setGeneration(generation + 1)
  }

  return {
    base: base.value,
    /** The form starts anew with each: give it as its `key`. */
    generation,
    conflict,
    touch() {
      touched.current = true
    },

    /** Whether it was saved; if not, there is a conflict to show. */
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
