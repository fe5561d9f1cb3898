import { type ComponentProps, type FocusEvent, type ReactNode, useRef, useState } from 'react'
import type { Versioned } from '../api/client.ts'
import { ApiError } from '../api/problem.ts'
import { ChangedElsewhere } from './changed-elsewhere.tsx'
import { Form, SaveButton, useFormState } from './form.tsx'
import { useNotify } from './toast.tsx'

/** The part of a resource that one form edits. */
export interface EditedPart<T, C> {
  /** The latest known version. */
  current: Versioned<T>
  /** Selects the fields that this form edits. */
  part: (value: T) => C
  /** Shown after saving. */
  toastText: string
}

interface EditingOptions<T, C> extends EditedPart<T, C> {
  read: () => Promise<Versioned<T>>
  send: (change: C, etag: string | null) => Promise<Versioned<T>>
}

const isOutdated = (error: unknown): boolean => error instanceof ApiError && error.status === 412

/**
 * Form state with optimistic concurrency. One database row holds the whole account, so its ETag also changes
 * with other fields. The change is then sent again. Only a change of the same fields is a conflict.
 */
export const useVersionedForm = <T, C>({ current, part, toastText, read, send }: EditingOptions<T, C>) => {
  const [base, setBase] = useState(current)
  const [lastSeen, setLastSeen] = useState(current)
  const [generation, setGeneration] = useState(0)
  const [conflict, setConflict] = useState<{ theirs: Versioned<T>; mine: C } | null>(null)
  const touched = useRef(false)
  const notify = useNotify()
  const isSame = (one: T, other: T) => JSON.stringify(part(one)) === JSON.stringify(part(other))

  /** Resets the form to the saved values. */
  const show = (next: Versioned<T>) => {
    touched.current = false
    setConflict(null)
    setBase(next)
    setGeneration((count) => count + 1)
  }
  const sendChange = async (change: C, etag: string | null) => {
    const saved = await send(change, etag)
    notify(toastText)
    touched.current = false
    setConflict(null)
    setBase(saved)
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
    /** A new generation resets the form. */
    generation,
    conflict,
    touch() {
      touched.current = true
    },

    /** Resolves to false if there is a conflict to display. */
    async save(mine: C): Promise<boolean> {
      try {
        await sendChange(mine, base.etag)
        return true
      } catch (error) {
        if (!isOutdated(error)) throw error
      }
      const theirs = await read()
      if (isSame(theirs.value, base.value)) {
        await sendChange(mine, theirs.etag)
        return true
      }
      setConflict({ theirs, mine })
      return false
    },

    takeTheirs() {
      if (conflict) show(conflict.theirs)
    },

    async keepMine(): Promise<void> {
      if (conflict) await sendChange(conflict.mine, conflict.theirs.etag)
    },
  }
}

interface VersionedFormProps<T, C> extends Pick<ComponentProps<typeof Form>, 'savedAs' | 'isChanged'> {
  editing: ReturnType<typeof useVersionedForm<T, C>>
  label?: string
  /** Saves when the focus leaves a control, instead of with a button. */
  savesOnBlur?: boolean
  /** Describes the values that were saved elsewhere. */
  describeSaved: (value: T) => string
  onSubmit: (values: FormData) => Promise<unknown>
  /** Beside the Save button. */
  actions?: ReactNode
  children: ReactNode
}

/** Saves changed values when the focus leaves a control. */
const SaveOnBlur = ({ children }: { children: ReactNode }) => {
  const { isChanged } = useFormState()
  const save = ({ target }: FocusEvent<HTMLElement>) => {
    if (isChanged) target.closest('form')?.requestSubmit()
  }
  // biome-ignore lint/a11y/noStaticElementInteractions: the event comes from the controls inside
  return <div onBlur={save}>{children}</div>
}

/** A form for one part of a resource. It asks the user if the same fields were changed elsewhere. */
export const VersionedForm = <T, C>({
  editing,
  describeSaved,
  onSubmit,
  savesOnBlur = false,
  actions,
  children,
  ...rest
}: VersionedFormProps<T, C>) => (
  <Form
    key={editing.generation}
    onTouch={editing.touch}
    onSubmit={async (values) => void (await onSubmit(values))}
    {...rest}
  >
    {editing.conflict && (
      <ChangedElsewhere
        theirs={describeSaved(editing.conflict.theirs.value)}
        onTakeTheirs={editing.takeTheirs}
        onKeepMine={editing.keepMine}
      />
    )}
    {savesOnBlur ? (
      <SaveOnBlur>{children}</SaveOnBlur>
    ) : (
      <>
        {children}
        <div className="form-actions">
          <SaveButton />
          {actions}
        </div>
      </>
    )}
  </Form>
)
