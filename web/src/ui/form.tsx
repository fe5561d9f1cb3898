import { CircleAlert } from 'lucide-react'
import { createContext, type FormEvent, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { ApiError, tell } from '../api/problem.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

type Errors = Readonly<Record<string, string>>

interface FormState {
  errors: Errors
  pending: boolean
  clear(name: string): void
}

const FormContext = createContext<FormState>({ errors: {}, pending: false, clear: () => {} })

export const useFormState = (): FormState => useContext(FormContext)

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isControl = (element: Element): element is Control =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLSelectElement ||
  element instanceof HTMLTextAreaElement

/** What the browser itself finds wrong, in the words of the API: they follow the field's label. */
const complaintOf = ({ validity, validationMessage, type }: Control): string => {
  if (validity.customError) return validationMessage
  if (validity.valueMissing) return 'is required'
  if (validity.typeMismatch && type === 'email') return 'must look like ana@example.org'
  if (validity.badInput) return 'is not complete'
  return validationMessage
}

const check = (form: HTMLFormElement): Errors =>
  Object.fromEntries(
    [...form.elements]
      .filter(isControl)
      .filter((control) => control.name !== '' && !control.validity.valid)
      .map((control) => [control.name, complaintOf(control)]),
  )

interface Outcome {
  errors: Errors
  message: string | null
}

const FINE: Outcome = { errors: {}, message: null }

/** Puts each part of a refusal where it belongs: beside its field, or above the form when no field is to blame. */
const placeRefusal = (
  form: HTMLFormElement,
  error: unknown,
  codes: Readonly<Record<string, string>>,
): Outcome => {
  if (!(error instanceof ApiError)) return { errors: {}, message: tell(error) }
  const names = new Set([...form.elements].filter(isControl).map(({ name }) => name))
  const blamed = codes[error.code]
  if (blamed !== undefined && names.has(blamed)) return { errors: { [blamed]: tell(error) }, message: null }
  const known = error.fields.filter(({ path }) => names.has(path))
  return {
    errors: Object.fromEntries(known.map(({ path, message }) => [path, message])),
    message: known.length > 0 && known.length === error.fields.length ? null : tell(error),
  }
}

/** As if it had been typed, so that whoever watches the control sees it too. */
const put = (control: Control, value: string): void => {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value)
  control.dispatchEvent(new Event('input', { bubbles: true }))
}

/** What was refused stands in its field again, unless something else was typed there meanwhile. */
const giveBack = (form: HTMLFormElement, values: FormData): string | null => {
  const lost = [...form.elements]
    .filter(isControl)
    .map((control) => ({ control, value: String(values.get(control.name) ?? '') }))
    .filter(({ control, value }) => control.type !== 'hidden' && control.value !== value)
  if (lost.some(({ control }) => control.value !== '')) return lost.map(({ value }) => value).join(', ')
  for (const { control, value } of lost) put(control, value)
  return null
}

interface FormProps {
  onSubmit(values: FormData): Promise<void> | void
  /** Codes of refusals that speak of one field. */
  codes?: Readonly<Record<string, string>>
  resets?: boolean
  /** For line after line: it is empty and ready at once, and what was sent is taken in its order. */
  flows?: boolean
  label?: string
  onTouch?: () => void
  children: ReactNode
}

const NO_CODES = {}

export const Form = (props: FormProps) => {
  const { onSubmit, codes = NO_CODES, resets = false, flows = false, label, onTouch, children } = props
  const turn = useRef<Promise<void>>(Promise.resolve())
  const form = useRef<HTMLFormElement>(null)
  const focusBefore = useRef<Element | null>(null)
  const [pending, setPending] = useState(false)
  const [outcome, setOutcome] = useState(FINE)

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const element = event.currentTarget
    if (pending) return
    focusBefore.current = document.activeElement
    const complaints = check(element)
    if (Object.keys(complaints).length > 0) return setOutcome({ errors: complaints, message: null })
    const values = new FormData(element)
    setOutcome(FINE)
    if (flows) {
      element.reset()
      turn.current = turn.current.then(() => take(element, values))
      return
    }
    setPending(true)
    try {
      await onSubmit(values)
      if (resets) element.reset()
    } catch (error) {
      setOutcome(placeRefusal(element, error, codes))
    } finally {
      setPending(false)
    }
  }

  const take = async (element: HTMLFormElement, values: FormData): Promise<void> => {
    try {
      await onSubmit(values)
    } catch (error) {
      const lost = giveBack(element, values)
      const refusal = placeRefusal(element, error, codes)
      setOutcome(lost === null ? refusal : { errors: {}, message: `“${lost}” was not taken: ${tell(error)}` })
    }
  }

  // A disabled form gives the focus away; it goes to what needs attention, or back to where it was.
  useEffect(() => {
    if (pending) return
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (wrong && Object.keys(outcome.errors).length > 0) return wrong.focus()
    if (document.activeElement === document.body && focusBefore.current instanceof HTMLElement)
      focusBefore.current.focus()
  }, [pending, outcome])

  const clear = (name: string): void => {
    if (name in outcome.errors)
      setOutcome(({ message, errors: { [name]: _, ...errors } }) => ({ message, errors }))
  }

  return (
    <form
      ref={form}
      className="form"
      noValidate
      aria-label={label}
      onSubmit={(event) => void submit(event)}
      onInput={onTouch}
    >
      <FormContext value={{ errors: outcome.errors, pending, clear }}>
        <div role="alert" hidden={outcome.message === null}>
          {outcome.message !== null && (
            <Notice tone="bad" icon={CircleAlert}>
              {outcome.message}
            </Notice>
          )}
        </div>
        <fieldset disabled={pending}>{children}</fieldset>
      </FormContext>
    </form>
  )
}

interface SubmitProps {
  kind?: 'primary' | 'danger' | 'plain'
  wide?: boolean
  children: ReactNode
}

export const Submit = ({ kind = 'primary', wide = false, children }: SubmitProps) => (
  <Button type="submit" kind={kind} wide={wide} busy={useFormState().pending}>
    {children}
  </Button>
)
