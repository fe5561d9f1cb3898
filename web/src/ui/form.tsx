import { CircleAlert, History } from 'lucide-react'
import {
  createContext,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { ApiError, tell } from '../api/problem.ts'
import { Button } from './button.tsx'
import { type Control, controlsOf, put } from './kept-controls.ts'
import { Notice } from './notice.tsx'
import { type KeptForm, useKeptForm } from './use-kept-form.ts'

type Errors = Readonly<Record<string, string>>

interface FormState {
  errors: Errors
  pending: boolean
  clear(name: string): void
  /** What was written is not wanted any more. */
  forget(): void
}

const FormContext = createContext<FormState>({
  errors: {},
  pending: false,
  clear: () => {},
  forget: () => {},
})

export const useFormState = (): FormState => useContext(FormContext)

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
    controlsOf(form)
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
  const names = new Set(controlsOf(form).map(({ name }) => name))
  const blamed = codes[error.code]
  if (blamed !== undefined && names.has(blamed)) return { errors: { [blamed]: tell(error) }, message: null }
  const known = error.fields.filter(({ path }) => names.has(path))
  return {
    errors: Object.fromEntries(known.map(({ path, message }) => [path, message])),
    message: known.length > 0 && known.length === error.fields.length ? null : tell(error),
  }
}

/** What was refused stands in its field again, unless something else was typed there meanwhile. */
const giveBack = (form: HTMLFormElement, values: FormData): string | null => {
  const lost = controlsOf(form)
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
  /** Under this name what is written waits until it is sent: that of the form, unless it says otherwise. */
  keeps?: string | null
  /** For a form whose state is kept by who has it. */
  kept?: KeptForm | undefined
  onTouch?: () => void
  children: ReactNode
}

const NO_CODES = {}

/** Says that what stands in the form was written before, and not sent. */
const Again = ({ kept }: { kept: KeptForm }) =>
  kept.again !== 'no' && (
    <div className="form-again" role="status">
      <History size={16} aria-hidden="true" />
      <span>
        {kept.again === 'moved'
          ? 'Here is what you had written. It was changed elsewhere since: saving writes over that.'
          : 'Here is what you had written, not saved yet.'}
      </span>
      <Button kind="quiet" size="small" onClick={kept.startOver}>
        Start over
      </Button>
    </div>
  )

export const Form = (props: FormProps) => {
  const { onSubmit, codes = NO_CODES, resets = false, flows = false, label, onTouch, children } = props
  const { keeps = label ?? null } = props
  const turn = useRef<Promise<void>>(Promise.resolve())
  const form = useRef<HTMLFormElement>(null)
  const own = useKeptForm(form, props.kept ? null : keeps, { silent: flows })
  const kept = props.kept ?? own
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
      kept.settle()
      turn.current = turn.current.then(() => take(element, values))
      return
    }
    setPending(true)
    kept.send()
    try {
      await onSubmit(values)
      if (resets) element.reset()
      kept.settle()
    } catch (error) {
      kept.keep()
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

  /** Also from where Enter begins a new line. */
  const onKey = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    // What lies over the form is no part of it, although it is heard here.
    if (!event.currentTarget.contains(event.target as Node)) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }

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
      onKeyDown={onKey}
      onInput={() => {
        kept.keep()
        onTouch?.()
      }}
    >
      <FormContext value={{ errors: outcome.errors, pending, clear, forget: kept.forget }}>
        <Again kept={kept} />
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
