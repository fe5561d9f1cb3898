import { CircleAlert, History } from 'lucide-react'
import {
  createContext,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/ui'
import { ApiError, describeError, type FieldError } from '../api/problem.ts'
import { Button } from './button.tsx'
import { type Control, getControls, setControlValue } from './form-controls.ts'
import { Notice } from './notice.tsx'
import { type SavedFormControls, useSavedFormControls } from './use-saved-form-controls.ts'

type Errors = Readonly<Record<string, string>>

interface FormState {
  errors: Errors
  pending: boolean
  /** Whether a value differs from the saved one. */
  isChanged: boolean
  /** Compares the values again. For controls that dispatch no input event. */
  compareValues(): void
  clear(name: string): void
  /** Deletes the saved input. */
  discard(): void
}

const FormContext = createContext<FormState>({
  errors: {},
  pending: false,
  isChanged: false,
  compareValues: () => {},
  clear: () => {},
  discard: () => {},
})

export const useFormState = (): FormState => useContext(FormContext)

const labelOf = (control: Control): string =>
  control.labels?.[0]?.textContent || control.ariaLabel || control.name

const limitOf = (control: Control, name: 'min' | 'max'): string => control.getAttribute(name) ?? ''

/** Replaces the browser's validation messages, which are in the language of the browser. */
const validationMessageOf = (control: Control): string => {
  const { validity, type } = control
  const label = labelOf(control)
  if (validity.customError) return control.validationMessage
  if (validity.valueMissing) return t.isRequired(label)
  if (validity.typeMismatch && type === 'email') return t.emailRequired(label)
  if (validity.badInput) return t.isIncomplete(label)
  if (validity.rangeUnderflow && type === 'number')
    return t.tooSmall({ label, limit: limitOf(control, 'min') })
  if (validity.rangeOverflow && type === 'number')
    return t.tooLarge({ label, limit: limitOf(control, 'max') })
  return t.isInvalid(label)
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
  const controls = getControls(form)
  const names = new Set(controls.map(({ name }) => name))
  const fieldName = codes[error.code]
  if (fieldName !== undefined && names.has(fieldName))
    return { errors: { [fieldName]: describeError(error) }, message: null }
  const known = error.fields.filter(({ path }) => names.has(path))
  const describeField = ({ path, message, describe }: FieldError): string => {
    const control = controls.find(({ name }) => name === path)
    return control && describe ? describe(labelOf(control)) : message
  }
  return {
    errors: Object.fromEntries(known.map((field) => [field.path, describeField(field)])),
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

/** The values of a form as text, to find out whether they have changed. */
const toComparableText = (values: FormData): string =>
  JSON.stringify([...values].map(([name, value]) => [name, String(value)]))

/** Whether the user pressed a save button although nothing has changed. */
const isUnchangedSave = (event: FormEvent<HTMLFormElement>): boolean => {
  const { submitter } = event.nativeEvent as SubmitEvent
  return submitter?.getAttribute('aria-disabled') === 'true'
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
  /** For forms whose values are React state: whether a value differs from the saved one. */
  isChanged?: boolean
  children: ReactNode
}

const NO_CODES = {}

/** Tells the user that the form contains restored, unsent input. */
const RestoredNotice = ({ savedForm }: { savedForm: SavedFormControls }) =>
  savedForm.restored !== 'no' && (
    <div className="form-restored" role="status">
      <History size={16} aria-hidden="true" />
      <span>{savedForm.restored === 'moved' ? t.inputRestoredOverNewer : t.inputRestored}</span>
      <Button kind="quiet" size="small" onClick={savedForm.discardAndReset}>
        {t.discard}
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
  const savedValues = useRef('')
  const [isChanged, setIsChanged] = useState(false)
  const setSavedValues = (values: FormData) => {
    savedValues.current = toComparableText(values)
    setIsChanged(false)
  }
  const compareValues = () => {
    if (form.current) setIsChanged(toComparableText(new FormData(form.current)) !== savedValues.current)
  }
  // Must run before `useSavedFormControls` restores unsent input.
  useLayoutEffect(() => {
    if (form.current) savedValues.current = toComparableText(new FormData(form.current))
  }, [])
  const own = useSavedFormControls(form, props.savedForm ? null : savedAs, { silent: queuesSubmits })
  const savedForm = props.savedForm ?? own
  const focusBefore = useRef<Element | null>(null)
  const [pending, setPending] = useState(false)
  const [outcome, setOutcome] = useState(NO_OUTCOME)

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const element = event.currentTarget
    if (pending || isUnchangedSave(event)) return
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
      setSavedValues(values)
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
          : { errors: {}, message: t.notAdded({ text: lost, reason: describeError(error) }) },
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
        compareValues()
        onTouch?.()
      }}
    >
      <FormContext
        value={{
          errors: outcome.errors,
          pending,
          isChanged: props.isChanged ?? isChanged,
          compareValues,
          clear,
          discard: () => {
            savedForm.discard()
            if (form.current) setSavedValues(new FormData(form.current))
          },
        }}
      >
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

/**
 * The button of a form that edits saved settings. All settings follow one rule:
 * - A form with saved values has one Save button. It is disabled until a value differs from the saved one, and a toast
 *   confirms the save. Leaving the form keeps the unsent input (see `savedAs`).
 * - A single switch or choice outside of a form takes effect at once, and its toast offers Undo.
 * - A form that creates something or confirms an action (`FormDialog`, `Submit`) names the action and is never disabled.
 */
export const SaveButton = () => {
  const { pending, isChanged } = useFormState()
  return (
    // With `disabled`, the button would lose the focus after saving.
    <Button type="submit" kind="primary" busy={pending} aria-disabled={!isChanged}>
      {common.save}
    </Button>
  )
}
