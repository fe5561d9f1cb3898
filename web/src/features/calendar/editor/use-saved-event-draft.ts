import { useEffect, useState } from 'react'
import type { FormChanges } from '../../../api/saved-forms.ts'
import { useSavedForm } from '../../../ui/use-saved-form.ts'
import type { SavedFormControls } from '../../../ui/use-saved-form-controls.ts'
import type { Draft } from './draft.ts'

type Name = keyof Draft

/** Saved and restored together, because they depend on each other. */
const WHEN: readonly Name[] = ['allDay', 'startDay', 'startTime', 'endDay', 'endTime', 'timezone', 'repeat']
const WORDS: readonly Name[] = [
  'title',
  'location',
  'meetingUrl',
  'attendees',
  'description',
  'notes',
  'tags',
]

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Returns the changed fields, or nothing when no text is among them. */
const findDraftChanges = (before: Draft, draft: Draft): FormChanges => {
  const changed = (Object.keys(draft) as Name[]).filter((name) => !isSame(before[name], draft[name]))
  if (!changed.some((name) => WORDS.includes(name))) return {}
  const isRetimed = changed.some((name) => WHEN.includes(name))
  const names = new Set(isRetimed ? [...changed, ...WHEN] : changed)
  return Object.fromEntries([...names].map((name) => [name, { was: before[name], now: draft[name] }]))
}

/** Forms saved by older versions may contain an incomplete date or time. */
const isIncomplete = (changes: FormChanges): boolean => WHEN.some((name) => changes[name]?.now === '')

const isChangedElsewhere = (before: Draft, changes: FormChanges, names: readonly Name[]): boolean =>
  names.some((name) => changes[name] !== undefined && !isSame(changes[name].was, before[name]))

/**
 * Applies the saved changes to the current event. If the event was rescheduled meanwhile, its new times win.
 */
const applyChanges = (before: Draft, changes: FormChanges): Draft => {
  const names =
    isChangedElsewhere(before, changes, WHEN) || isIncomplete(changes)
      ? (Object.keys(before) as Name[]).filter((name) => !WHEN.includes(name))
      : (Object.keys(before) as Name[])
  const fitting = names.filter((name) => changes[name] !== undefined)
  return { ...before, ...Object.fromEntries(fitting.map((name) => [name, changes[name]?.now])) }
}

/**
 * Event form state that is saved under `name` until it is submitted; null saves nothing. `initial` is input that was
 * already entered elsewhere.
 */
export const useSavedEventDraft = (name: string | null, before: Draft, initial = before) => {
  const savedForm = useSavedForm(name)
  const [found, setFound] = useState(savedForm.read)
  const [draft, setDraft] = useState(found ? applyChanges(before, found) : initial)
  const save = () => savedForm.save(findDraftChanges(before, draft))
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after every change of the draft
  useEffect(save, [draft])
  const markSaved = () => {
    savedForm.discard()
    setFound(null)
  }
  const form: SavedFormControls = {
    restored: found === null ? 'no' : isChangedElsewhere(before, found, WORDS) ? 'moved' : 'yes',
    save,
    markSubmitting: savedForm.markSubmitting,
    discard: savedForm.discard,
    markSaved,
    discardAndReset() {
      setDraft(before)
      markSaved()
    },
  }
  return { draft, setDraft, form }
}
