import { Combobox } from '@base-ui/react/combobox'
import { ChevronsUpDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import * as t from '#locale/ui'
import { Field } from './field.tsx'
import { useFormState } from './form.tsx'
import './style/combobox.css'

export interface Choice {
  value: string
  label: string
  /** Displayed at the right of the option. */
  note?: string
  /** Additional search words. */
  keywords?: string
}

const normalizeText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+:]+/gu, ' ')
    .trim()

/** Matches when every word of the query is a prefix of a word of the choice, in any order. */
const matchesQuery = ({ value, label, note = '', keywords = '' }: Choice, query: string): boolean => {
  const words = ` ${normalizeText(`${value} ${label} ${note} ${keywords}`)}`
  return normalizeText(query)
    .split(' ')
    .every((word) => words.includes(` ${word}`))
}

interface ComboboxFieldProps {
  name: string
  label: string
  hint?: string
  choices: readonly Choice[]
  defaultValue: string
  onChange?: (value: string) => void
}

/**
 * A searchable select for long lists. A choice is always selected; typed text without a match is discarded.
 */
export const ComboboxField = ({ name, label, hint, choices, defaultValue, onChange }: ComboboxFieldProps) => {
  const [chosen, setChosen] = useState<Choice>(
    () => choices.find(({ value }) => value === defaultValue) ?? { value: defaultValue, label: defaultValue },
  )
  const { compareValues } = useFormState()
  const compare = useRef(compareValues)
  compare.current = compareValues
  // The hidden input has the new value after rendering and dispatches no event.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each choice
  useEffect(() => compare.current(), [chosen])
  return (
    <Field name={name} label={label} hint={hint}>
      {({ id, onInput, name: _, ...control }) => (
        <Combobox.Root
          items={choices}
          value={chosen}
          isItemEqualToValue={(item, other) => item.value === other.value}
          filter={matchesQuery}
          name={name}
          autoHighlight
          onValueChange={(choice) => {
            if (choice === null) return
            setChosen(choice)
            onInput()
            onChange?.(choice.value)
          }}
        >
          <div className="input-with-button">
            <Combobox.Input
              id={id}
              className="input"
              // An open list hides everything else from screen readers, including the visible label.
              aria-label={label}
              // Selects the text, so that typing starts a new search instead of appending to the label.
              onFocus={(event) => event.currentTarget.select()}
              onClick={(event) => event.currentTarget.select()}
              {...control}
            />
            <Combobox.Trigger
              className="button"
              data-kind="quiet"
              data-shape="icon"
              aria-label={t.showAll(label)}
            >
              <ChevronsUpDown size={16} aria-hidden="true" />
            </Combobox.Trigger>
          </div>
          <Combobox.Portal>
            <Combobox.Positioner className="menu-place" sideOffset={6}>
              <Combobox.Popup className="combobox-popup">
                <Combobox.Empty className="combobox-empty">{t.noMatches}</Combobox.Empty>
                <Combobox.List>
                  {(choice: Choice) => (
                    <Combobox.Item key={choice.value} value={choice} className="combobox-item">
                      {choice.label}
                      {choice.note !== undefined && <span className="combobox-note">{choice.note}</span>}
                    </Combobox.Item>
                  )}
                </Combobox.List>
              </Combobox.Popup>
            </Combobox.Positioner>
          </Combobox.Portal>
        </Combobox.Root>
      )}
    </Field>
  )
}
