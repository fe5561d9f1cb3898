import { flushSync } from 'react-dom'
import type { FormChanges } from '../api/saved-forms.ts'

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isControl = (element: Element): element is Control =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLSelectElement ||
  element instanceof HTMLTextAreaElement

export const getControls = (form: HTMLFormElement): Control[] => [...form.elements].filter(isControl)

const NEVER_SAVED =
  '[type="hidden"], [type="file"], [type="search"], [type="password"], [data-secret], [autocomplete="one-time-code"]'
const TEXT_CONTROLS =
  'textarea, input:not([type="checkbox"], [type="radio"], [type="date"], [type="time"], [type="datetime-local"])'

const isCheckable = (control: Control): control is HTMLInputElement =>
  control.type === 'checkbox' || control.type === 'radio'

const keyOf = (control: Control): string =>
  isCheckable(control) ? `${control.name}=${control.value}` : control.name

const readControl = (control: Control): string | boolean =>
  isCheckable(control) ? control.checked : control.value

const findSavedControls = (form: HTMLFormElement): Control[] =>
  getControls(form).filter((control) => control.name !== '' && !control.matches(NEVER_SAVED))

/** Sets the value and dispatches events, so that React and other listeners notice the change. */
export const setControlValue = (control: Control, value: string): void => {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value)
  for (const event of ['input', 'change']) control.dispatchEvent(new Event(event, { bubbles: true }))
}

const resetControl = (control: Control, value: unknown): void => {
  if (readControl(control) === value) return
  if (isCheckable(control)) control.click()
  else setControlValue(control, String(value))
}

export type Values = ReadonlyMap<string, string | boolean>

/** Initial value of a control. A control that was added later started empty. */
const valueBefore = (control: Control, before: Values): string | boolean =>
  before.get(keyOf(control)) ?? (isCheckable(control) ? false : '')

export const readControls = (form: HTMLFormElement): Values =>
  new Map(findSavedControls(form).map((control) => [keyOf(control), readControl(control)]))

/** Returns the changed values, or nothing when no text is among them. */
export const findFormChanges = (form: HTMLFormElement, before: Values): FormChanges => {
  const changed = findSavedControls(form).filter(
    (control) => readControl(control) !== valueBefore(control, before),
  )
  if (!changed.some((control) => control.matches(TEXT_CONTROLS))) return {}
  return Object.fromEntries(
    changed.map((control) => [
      keyOf(control),
      { was: valueBefore(control, before), now: readControl(control) },
    ]),
  )
}

/** Returns whether any control was restored. */
export const restoreControls = (form: HTMLFormElement, changes: FormChanges): boolean => {
  const found = findSavedControls(form).filter((control) => keyOf(control) in changes)
  for (const control of found) resetControl(control, changes[keyOf(control)]?.now)
  return found.length > 0
}

export const resetControls = (form: HTMLFormElement, before: Values): void => {
  // Runs twice: a checkbox that depends on another one becomes resettable only after that one was reset.
  for (let round = 0; round < 2; round++)
    flushSync(() => {
      for (const control of findSavedControls(form)) resetControl(control, valueBefore(control, before))
    })
  findSavedControls(form)[0]?.focus()
}
