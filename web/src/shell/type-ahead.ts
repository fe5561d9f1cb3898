import * as t from '#locale/shell'

/** Controls that accept text. */
const FIELDS = 'input:not([type="checkbox"], [type="radio"]), textarea, select'

export const isTextField = (target: EventTarget | null): target is HTMLElement =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(FIELDS))

/** Keys that act on the opened field. All other keys are text or edit it. */
const REPLAYED_KEYS = new Set(['Enter', 'ArrowUp', 'ArrowDown', 'Tab'])

type Typed = string | KeyboardEventInit

interface Hold {
  typed: Typed[]
  cancel: () => void
}

let hold: Hold | null = null
/** The element that has the focus again after the opened dialog has closed. */
let opener: HTMLElement | null = null
let buffer: HTMLTextAreaElement | null = null

const nextTask = () => new Promise((resolve) => setTimeout(resolve))

/** Dispatches a key to the focused field. An untrusted event has no default action, so this performs it. */
const pressKey = (key: KeyboardEventInit): void => {
  const field = document.activeElement
  const event = new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true })
  if (!field?.dispatchEvent(event) || key.key !== 'Enter') return
  if (field instanceof HTMLInputElement) field.form?.requestSubmit()
  else document.execCommand('insertText', false, '\n')
}

/** `execCommand` types text at the cursor of inputs and of rich text editors, with all their events. */
const replay = async (typed: readonly Typed[]): Promise<void> => {
  for (const part of typed) {
    if (typeof part !== 'string') pressKey(part)
    else if (part !== '') document.execCommand('insertText', false, part)
    // The page renders the change before the next key.
    await nextTask()
  }
}

const end = (): Hold | null => {
  const ended = hold
  hold = null
  document.removeEventListener('focusin', onFocusMoved)
  window.removeEventListener('pointerdown', releaseKeys, true)
  if (buffer) {
    ended?.typed.push(buffer.value)
    buffer.value = ''
    buffer.ariaHidden = 'true'
  }
  return ended
}

/** Ends the hold without a field, for example after a failed load. */
export const releaseKeys = (): void => {
  end()
  if (document.activeElement === buffer) focusOpener()
}

/** The body cannot take the focus, and the opener may be gone. */
const focusOpener = (): void => {
  opener?.focus({ preventScroll: true })
  if (document.activeElement === buffer) buffer?.blur()
}

/** A new page may focus its heading first and its field after that. */
const onFocusMoved = (): void =>
  queueMicrotask(() => {
    if (!hold || document.activeElement === buffer) return
    const isField = isTextField(document.activeElement)
    const ended = end()
    if (isField && ended) void replay(ended.typed)
  })

const onKey = (event: KeyboardEvent): void => {
  if (!hold || !buffer) return
  event.stopPropagation()
  if (event.isComposing) return
  if (event.key === 'Escape') {
    event.preventDefault()
    const { cancel } = hold
    releaseKeys()
    cancel()
  } else if (REPLAYED_KEYS.has(event.key)) {
    event.preventDefault()
    const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event
    hold.typed.push(buffer.value, { key, code, ctrlKey, metaKey, shiftKey, altKey })
    buffer.value = ''
  }
}

/** A text area, so that the browser handles Backspace, dead keys and input methods as in any field. */
const createBuffer = (): HTMLTextAreaElement => {
  const element = document.createElement('textarea')
  element.classList.add('visually-hidden', 'type-ahead')
  element.ariaLabel = t.typeAhead
  element.tabIndex = -1
  element.ariaHidden = 'true'
  element.addEventListener('keydown', onKey)
  // A closing dialog returns the focus to the element that had it before.
  element.addEventListener('focus', () => {
    if (!hold) focusOpener()
  })
  // An open dialog hides the children of the body, and restores their `aria-hidden` when it closes. The text area is
  // not one of them, because `end` hides it meanwhile.
  const parent = document.createElement('div')
  parent.append(element)
  document.body.append(parent)
  return element
}

/**
 * Opens something with a text field. Holds all keys until the field has the focus, and types them there. Its code may
 * have to load, and the page must not react to the keys. Escape calls `cancel`.
 */
export const openField = (open: () => void, cancel: () => void): void => {
  const active = document.activeElement
  open()
  if (document.activeElement !== active) return
  // On touch devices, the on-screen keyboard would open.
  const isByKey = hold !== null || window.event instanceof KeyboardEvent
  if (!isByKey && !window.matchMedia('(pointer: fine)').matches) return
  buffer ??= createBuffer()
  if (active !== buffer) opener = active instanceof HTMLElement ? active : null
  hold = { typed: hold?.typed ?? [], cancel }
  buffer.ariaHidden = null
  buffer.focus({ preventScroll: true })
  document.addEventListener('focusin', onFocusMoved)
  window.addEventListener('pointerdown', releaseKeys, true)
}
