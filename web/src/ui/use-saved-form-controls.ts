import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import {
  findFormChanges,
  readControls,
  resetControls,
  restoreControls,
  type Values,
} from './form-controls.ts'
import { useSavedForm } from './use-saved-form.ts'

/** Whether saved input was restored. `moved`: the saved value of a field has changed meanwhile. */
type RestoreState = 'no' | 'yes' | 'moved'

export type SavedFormControls = ReturnType<typeof useSavedFormControls>

/** Saves the input of a form's controls and restores it on the next mount. */
export const useSavedFormControls = (
  form: RefObject<HTMLFormElement | null>,
  name: string | null,
  { silent }: { silent: boolean },
) => {
  const savedForm = useSavedForm(name, { silent })
  const before = useRef<Values | null>(null)
  const [restored, setRestored] = useState<RestoreState>('no')
  useLayoutEffect(() => {
    const [element, changes] = [form.current, savedForm.read()]
    if (!element) return
    before.current ??= readControls(element)
    const initialValues = before.current
    if (!changes || !restoreControls(element, changes) || silent) return
    const isChangedElsewhere = Object.entries(changes).some(
      ([field, { was }]) => (initialValues.get(field) ?? was) !== was,
    )
    setRestored(isChangedElsewhere ? 'moved' : 'yes')
  }, [form, savedForm, silent])

  return {
    restored,
    save(): void {
      if (form.current && before.current) savedForm.save(findFormChanges(form.current, before.current))
    },
    markSubmitting: savedForm.markSubmitting,
    discard: savedForm.discard,
    /** Call after a successful submit: the current values become the initial ones. */
    markSaved(): void {
      savedForm.discard()
      setRestored('no')
      if (form.current) before.current = readControls(form.current)
    },
    discardAndReset(): void {
      if (form.current && before.current) resetControls(form.current, before.current)
      savedForm.discard()
      setRestored('no')
    },
  }
}
