import { X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import * as t from '#locale/mail-compose'
import { AddressInput } from '../../../ui/address-input.tsx'
import { distinct, isValidRecipient, type Recipient, readRecipients } from './addresses.ts'

interface RecipientsFieldProps {
  label: string
  people: readonly Recipient[]
  onChange: (people: Recipient[]) => void
  autoFocus?: boolean
  /** Error message of the field. */
  error?: string | undefined
}

/** Recipients as removable chips. Invalid addresses stay marked for correction. */
export const RecipientsField = ({ label, people, onChange, autoFocus, error }: RecipientsFieldProps) => {
  const id = useId()
  const [typed, setTyped] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const bad = people.filter((person) => !isValidRecipient(person))
  const errorMessage =
    bad.length > 0 ? t.invalidAddresses(bad.map(({ address }) => address).join(', ')) : error

  const take = (text: string): void => {
    const found = readRecipients(text)
    setTyped('')
    if (found.length > 0) onChange(distinct([...people, ...found]))
  }
  const choose = ({ name, address }: Recipient): void => {
    setTyped('')
    onChange(distinct([...people, { name, address }]))
  }
  const remove = (person: Recipient): void => {
    onChange(people.filter((other) => other !== person))
    input.current?.focus()
  }
  /** Moves a recipient back into the input for correction. */
  const correct = (person: Recipient): void => {
    onChange(people.filter((other) => other !== person))
    setTyped(person.name ? `${person.name} <${person.address}>` : person.address)
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const isDone = event.key === 'Enter' || event.key === ',' || event.key === ';'
    if (isDone && !(event.key === ',' && (typed.match(/"/g)?.length ?? 0) % 2 === 1)) {
      event.preventDefault()
      take(typed)
    }
    const last = people.at(-1)
    if (event.key === 'Backspace' && typed === '' && last) {
      event.preventDefault()
      correct(last)
    }
  }
  const onPaste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const text = event.clipboardData.getData('text')
    if (!/[,;\n]/.test(text)) return
    event.preventDefault()
    take(`${typed}${text}`)
  }
  return (
    <div className="recipients">
      <label htmlFor={id}>{label}</label>
      <div className="recipients-box" data-bad={errorMessage !== undefined}>
        <ul aria-label={t.recipientsOf(label)}>
          {people.map((person) => (
            <li key={person.address} className="recipient" data-bad={!isValidRecipient(person)}>
              <button
                type="button"
                className="recipient-name"
                title={person.address}
                aria-label={t.editRecipient(person.name || person.address)}
                onClick={() => correct(person)}
              >
                {person.name || person.address}
              </button>
              <button
                type="button"
                className="recipient-off"
                aria-label={t.removeRecipient(person.name || person.address)}
                onClick={() => remove(person)}
              >
                <X size={13} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
        <AddressInput
          ref={input}
          id={id}
          autoFocus={autoFocus}
          aria-invalid={errorMessage === undefined ? undefined : true}
          aria-describedby={errorMessage === undefined ? undefined : `${id}-error`}
          value={typed}
          chosen={people.map(({ address }) => address)}
          onValueChange={setTyped}
          onChoose={choose}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => take(typed)}
        />
      </div>
      {errorMessage !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {errorMessage}
        </p>
      )}
    </div>
  )
}
