import { flushSync } from 'react-dom'
import type { Written } from '../api/begun.ts'

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isControl = (element: Element): element is Control =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLSelectElement ||
  element instanceof HTMLTextAreaElement

export const controlsOf = (form: HTMLFormElement): Control[] => [...form.elements].filter(isControl)

const NEVER_KEPT =
  '[type="hidden"], [type="file"], [type="search"], [type="password"], [data-secret], [autocomplete="one-time-code"]'
const TYPED =
  'textarea, input:not([type="checkbox"], [type="radio"], [type="date"], [type="time"], [type="datetime-local"])'

const isTick = (control: Control): control is HTMLInputElement =>
  control.type === 'checkbox' || control.type === 'radio'

const nameOf = (control: Control): string =>
  isTick(control) ? `${control.name}=${control.value}` : control.name

const standsIn = (control: Control): string | boolean => (isTick(control) ? control.checked : control.value)

const keptControls = (form: HTMLFormElement): Control[] =>
  controlsOf(form).filter((control) => control.name !== '' && !control.matches(NEVER_KEPT))

/** As if it had been typed, so that whoever watches the control sees it too. */
export const put = (control: Control, value: string): void => {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value)
  for (const event of ['input', 'change']) control.dispatchEvent(new Event(event, { bubbles: true }))
}

const putBack = (control: Control, value: unknown): void => {
  if (standsIn(control) === value) return
  if (isTick(control)) control.click()
  else put(control, String(value))
}

export type Values = ReadonlyMap<string, string | boolean>

/** What stood there; a control that came later began empty. */
const valueBefore = (control: Control, before: Values): string | boolean =>
  before.get(nameOf(control)) ?? (isTick(control) ? false : '')

export const readControls = (form: HTMLFormElement): Values =>
  new Map(keptControls(form).map((control) => [nameOf(control), standsIn(control)]))

/** What differs from what stood there; nothing as long as no words are among it. */
export const writtenIn = (form: HTMLFormElement, before: Values): Written => {
  const changed = keptControls(form).filter((control) => standsIn(control) !== valueBefore(control, before))
  if (!changed.some((control) => control.matches(TYPED))) return {}
  return Object.fromEntries(
    changed.map((control) => [
      nameOf(control),
      { was: valueBefore(control, before), now: standsIn(control) },
    ]),
  )
}

/** Whether anything of it found its place. */
export const restore = (form: HTMLFormElement, written: Written): boolean => {
  const found = keptControls(form).filter((control) => nameOf(control) in written)
  for (const control of found) putBack(control, written[nameOf(control)]?.now)
  return found.length > 0
}

export const startOver = (form: HTMLFormElement, before: Values): void => {
  // Twice, for a box that another one holds: it gives way when that one has.
  for (let round = 0; round < 2; round++)
    flushSync(() => {
      for (const control of keptControls(form)) putBack(control, valueBefore(control, before))
    })
  keptControls(form)[0]?.focus()
}
