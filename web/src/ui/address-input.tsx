import { type ComponentProps, type KeyboardEvent, type Ref, useId, useState } from 'react'
import * as t from '#locale/ui'
import { type Suggestion, useAddressSuggestions } from '../api/contacts.ts'
import './style/address-input.css'

interface AddressInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'role' | 'list'> {
  ref?: Ref<HTMLInputElement>
  value: string
  onValueChange: (text: string) => void
  onChoose: (person: Suggestion) => void
  /** Addresses that are chosen already and need no suggestion. */
  chosen: readonly string[]
}

/**
 * A text input that suggests addresses of contacts. It follows the ARIA combobox pattern: the focus stays in the input, and
 * arrow keys move the active option. Enter and Tab choose it, Escape closes the list.
 */
export const AddressInput = ({
  value,
  onValueChange,
  onChoose,
  chosen,
  onKeyDown,
  onBlur,
  onFocus,
  ...rest
}: AddressInputProps) => {
  const listId = useId()
  const [isFocused, setIsFocused] = useState(false)
  /** The text for which the user closed the list. */
  const [closedFor, setClosedFor] = useState<string | null>(null)
  const [activeAddress, setActiveAddress] = useState<string | null>(null)
  const taken = new Set(chosen.map((address) => address.toLowerCase()))
  const suggestions = useAddressSuggestions(value, isFocused).filter(({ address }) => !taken.has(address))
  const isOpen = isFocused && suggestions.length > 0 && closedFor !== value
  // The first option is active, so that Enter completes the typed text.
  const activeIndex = Math.max(
    0,
    suggestions.findIndex(({ address }) => address === activeAddress),
  )

  const choose = (person: Suggestion): void => {
    setActiveAddress(null)
    onChoose(person)
  }
  const move = (step: number): void => {
    const index = (activeIndex + step + suggestions.length) % suggestions.length
    setActiveAddress(suggestions[index]?.address ?? null)
  }
  const onKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    const person = suggestions[activeIndex]
    if (isOpen && person && !event.nativeEvent.isComposing) {
      const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp'
      const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey
      if (isArrow || event.key === 'Escape' || (isPlain && (event.key === 'Enter' || event.key === 'Tab'))) {
        event.preventDefault()
        // The dialog around the field must not close with the list.
        event.stopPropagation()
        if (isArrow) move(event.key === 'ArrowDown' ? 1 : -1)
        else if (event.key === 'Escape') setClosedFor(value)
        else choose(person)
        return
      }
    }
    onKeyDown?.(event)
  }
  return (
    <div className="address-input">
      <input
        {...rest}
        type="text"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={isOpen ? `${listId}-${activeIndex}` : undefined}
        value={value}
        onChange={(event) => {
          setActiveAddress(null)
          setClosedFor(null)
          onValueChange(event.target.value)
        }}
        onKeyDown={onKey}
        onFocus={(event) => {
          setIsFocused(true)
          onFocus?.(event)
        }}
        onBlur={(event) => {
          setIsFocused(false)
          onBlur?.(event)
        }}
      />
      <div
        id={listId}
        className="address-options"
        role="listbox"
        aria-label={t.suggestedAddresses}
        hidden={!isOpen}
      >
        {isOpen &&
          suggestions.map((person, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input
            <div
              key={person.address}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === activeIndex}
              // Keeps the focus in the input.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(person)}
            >
              <span className="address-option-name">{person.name || person.address}</span>
              {person.name !== '' && <span className="address-option-note">{person.address}</span>}
            </div>
          ))}
      </div>
      <span className="visually-hidden" role="status">
        {isOpen ? t.suggestionCount(suggestions.length) : ''}
      </span>
    </div>
  )
}
