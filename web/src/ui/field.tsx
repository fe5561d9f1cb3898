import { CircleAlert, Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import * as t from '#locale/ui'
import { Button } from './button.tsx'
import { useFormState } from './form.tsx'

/** Props that connect a control with its label, hint and error. */
export interface ControlProps {
  id: string
  name: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  onInput: () => void
}

/** A message that starts with a lower-case letter continues the label. */
const sentenceOf = (label: string, message: string): string => {
  const text = /^\p{Ll}/u.test(message) ? `${label} ${message}` : message
  return /[.!?]$/.test(text) ? text : `${text}.`
}

export const FieldError = ({ id, label, message }: { id: string; label: string; message: string }) => (
  <p className="field-error" id={id}>
    <CircleAlert size={15} aria-hidden="true" />
    {sentenceOf(label, message)}
  </p>
)

interface FieldProps {
  name: string
  label: string
  hint?: ReactNode
  children: (control: ControlProps) => ReactNode
}

export const Field = ({ name, label, hint, children }: FieldProps) => {
  const id = useId()
  const { errors, clear } = useFormState()
  const error = errors[name]
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`]
  const described = [error !== undefined && errorId, hint !== undefined && hintId].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        name,
        'aria-describedby': described || undefined,
        'aria-invalid': error === undefined ? undefined : true,
        onInput: () => clear(name),
      })}
      {error !== undefined && <FieldError id={errorId} label={label} message={error} />}
      {hint !== undefined && (
        <div className="field-hint" id={hintId}>
          {hint}
        </div>
      )}
    </div>
  )
}

type Labelled = Omit<FieldProps, 'children'>
type InputProps = Labelled & Omit<ComponentProps<'input'>, 'id' | 'name' | 'className'> & { code?: boolean }

export const TextField = ({ name, label, hint, code = false, ...rest }: InputProps) => (
  <Field name={name} label={label} hint={hint}>
    {(control) => (
      <input className={code ? 'input code-input' : 'input'} type="text" {...rest} {...control} />
    )}
  </Field>
)

export const AreaField = ({
  name,
  label,
  hint,
  ...rest
}: Labelled & Omit<ComponentProps<'textarea'>, 'id' | 'name' | 'className'>) => (
  <Field name={name} label={label} hint={hint}>
    {(control) => <textarea className="input" rows={3} {...rest} {...control} />}
  </Field>
)

export const SelectField = ({
  name,
  label,
  hint,
  children,
  ...rest
}: Labelled & Omit<ComponentProps<'select'>, 'id' | 'name' | 'className'>) => (
  <Field name={name} label={label} hint={hint}>
    {(control) => (
      <select className="input" {...rest} {...control}>
        {children}
      </select>
    )}
  </Field>
)

interface OptionsProps {
  entries: readonly (readonly [value: string | number, label: string])[]
}

/** The options of a select. */
export const Options = ({ entries }: OptionsProps) =>
  entries.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))

interface CheckFieldProps extends Omit<ComponentProps<'input'>, 'type' | 'className'> {
  label: ReactNode
}

/** A checkbox with its label beside it. */
export const CheckField = ({ label, ...rest }: CheckFieldProps) => (
  <label className="check">
    <input type="checkbox" {...rest} />
    <span>{label}</span>
  </label>
)

export const PasswordField = ({ name, label, hint, ...rest }: Omit<InputProps, 'code' | 'type'>) => {
  const [isVisible, setIsVisible] = useState(false)
  return (
    <Field name={name} label={label} hint={hint}>
      {(control) => (
        <div className="input-with-button">
          <input
            className="input"
            type={isVisible ? 'text' : 'password'}
            data-secret
            spellCheck={false}
            autoCapitalize="none"
            maxLength={1000}
            required
            {...rest}
            {...control}
          />
          <Button
            kind="quiet"
            shape="icon"
            size="small"
            aria-label={isVisible ? t.hideField(label) : t.showField(label)}
            aria-pressed={isVisible}
            onClick={() => setIsVisible(!isVisible)}
          >
            {isVisible ? <EyeOff size={18} aria-hidden="true" /> : <Eye size={18} aria-hidden="true" />}
          </Button>
        </div>
      )}
    </Field>
  )
}
