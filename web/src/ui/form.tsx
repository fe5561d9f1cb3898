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
import { ApiError, describeError } from '../api/problem.ts'
import { Button } from './button.tsx'
import { type Control, getControls, setControlValue } from './form-controls.ts'
import { Notice } from './notice.tsx'
import { type SavedFormControls, useSavedFormControls } from './use-saved-form-controls.ts'

type Errors = Readonly<Record<string, string>>

interface FormState {
  errors: Errors
  pending: boolean
  clear(name: string): void
  /** Deletes the saved input. */
  discard(): void
}

const FormContext = createContext<FormState>({
  errors: {},
  pending: false,
  clear: () => {},
  discard: () => {},
})

export const useFormState = (): FormState => useContext(FormContext)

/** Browser validation messages in the form of API messages: they continue the field label. */
const validationMessageOf = ({ validity, validationMessage, type }: Control): string => {
  if (validity.customError) return validationMessage
  if (validity.valueMissing) return 'is required'
  if (validity.typeMismatch && type === 'email') return 'must look like ana@example.org'
  if (validity.badInput) return 'is not complete'
  return validationMessage
}

const check = (form: HTMLFormElement): Errors =>
  Object.fromEntries(
    getControls(form)
      .filter((control) => control.name !== '' && !control.validity.valid)
      .map((control) => [control.name, validationMessageOf(control)]),
  )

interface Outcome {
  errors: Errors
  message: string | null
}

const NO_OUTCOME: Outcome = { errors: {}, message: null }

/** Maps an API error to field errors, or to a message above the form when no field matches. */
const mapError = (
  form: HTMLFormElement,
  error: unknown,
  codes: Readonly<Record<string, string>>,
): Outcome => {
  if (!(error instanceof ApiError)) return { errors: {}, message: describeError(error) }
  const names = new Set(getControls(form).map(({ name }) => name))
  const fieldName = codes[error.code]
  if (fieldName !== undefined && names.has(fieldName))
    return { errors: { [fieldName]: describeError(error) }, message: null }
  const known = error.fields.filter(({ path }) => names.has(path))
  return {
    errors: Object.fromEntries(known.map(({ path, message }) => [path, message])),
    message: known.length > 0 && known.length === error.fields.length ? null : describeError(error),
  }
}

/**
 * Restores rejected values to their fields. Returns the values as text when the user has typed something else
 * meanwhile.
 */
const restoreRejected = (form: HTMLFormElement, values: FormData): string | null => {
  const lost = getControls(form)
    .map((control) => ({ control, value: String(values.get(control.name) ?? '') }))
    .filter(({ control, value }) => control.type !== 'hidden' && control.value !== value)
  if (lost.some(({ control }) => control.value !== '')) return lost.map(({ value }) => value).join(', ')
  for (const { control, value } of lost) setControlValue(control, value)
  return null
}

interface FormProps {
  onSubmit(values: FormData): Promise<void> | void
  /** Maps error codes to the field that they concern. */
  codes?: Readonly<Record<string, string>>
  resetOnSuccess?: boolean
  /** For rapid entry: resets the form at once and sends submissions one after the other. */
  queuesSubmits?: boolean
  label?: string
  /** Name under which unsent input is saved. Defaults to the label; null saves nothing. */
  savedAs?: string | null
  /** Set when the caller manages the saved input. */
  savedForm?: SavedFormControls | undefined
  onTouch?: () => void
  children: ReactNode
}

const NO_CODES = {}

/** Tells the user that the form contains restored, unsent input. */
const RestoredNotice = ({ savedForm }: { savedForm: SavedFormControls }) =>
  savedForm.restored !== 'no' && (
    <div className="form-again" role="status">
      <History size={16} aria-hidden="true" />
      <span>
        {savedForm.restored === 'moved'
          ? 'Here is what you had written. It was changed elsewhere since: saving writes over that.'
          : 'Here is what you had written, not saved yet.'}
      </span>
      <Button kind="quiet" size="small" onClick={savedForm.discardAndReset}>
        Start over
      </Button>
    </div>
  )

export const Form = (props: FormProps) => {
  const {
    onSubmit,
    codes = NO_CODES,
    resetOnSuccess = false,
    queuesSubmits = false,
    label,
    onTouch,
    children,
  } = props
  const { savedAs = label ?? null } = props
  const submitQueue = useRef<Promise<void>>(Promise.resolve())
  const form = useRef<HTMLFormElement>(null)
  const own = useSavedFormControls(form, props.savedForm ? null : savedAs, { silent: queuesSubmits })
  const savedForm = props.savedForm ?? own
  const focusBefore = useRef<Element | null>(null)
  const [pending, setPending] = useState(false)
  const [outcome, setOutcome] = useState(NO_OUTCOME)

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const element = event.currentTarget
    if (pending) return
    focusBefore.current = document.activeElement
    const validationErrors = check(element)
    if (Object.keys(validationErrors).length > 0)
      return setOutcome({ errors: validationErrors, message: null })
    const values = new FormData(element)
    setOutcome(NO_OUTCOME)
    if (queuesSubmits) {
      element.reset()
      savedForm.markSaved()
      submitQueue.current = submitQueue.current.then(() => submitQueued(element, values))
      return
    }
    setPending(true)
    savedForm.markSubmitting()
    try {
      await onSubmit(values)
      if (resetOnSuccess) element.reset()
      savedForm.markSaved()
    } catch (error) {
      savedForm.save()
      setOutcome(mapError(element, error, codes))
    } finally {
      setPending(false)
    }
  }

  const submitQueued = async (element: HTMLFormElement, values: FormData): Promise<void> => {
    try {
      await onSubmit(values)
    } catch (error) {
      const lost = restoreRejected(element, values)
      const errorOutcome = mapError(element, error, codes)
      setOutcome(
        lost === null
          ? errorOutcome
          : { errors: {}, message: `“${lost}” was not taken: ${describeError(error)}` },
      )
    }
  }

  // Disabling a form drops the focus. Moves it to the first invalid field, or back to where it was.
  useEffect(() => {
    if (pending) return
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (wrong && Object.keys(outcome.errors).length > 0) return wrong.focus()
    if (document.activeElement === document.body && focusBefore.current instanceof HTMLElement)
      focusBefore.current.focus()
  }, [pending, outcome])

  /** Ctrl+Enter submits from a textarea too. */
  const onKey = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    // React bubbles events from portals, such as a dialog opened by the form. Ignores those.
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
        savedForm.save()
        onTouch?.()
      }}
    >
      <FormContext value={{ errors: outcome.errors, pending, clear, discard: savedForm.discard }}>
        <RestoredNotice savedForm={savedForm} />
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
