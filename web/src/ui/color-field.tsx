import { Check } from 'lucide-react'
import * as t from '#locale/ui'
import './style/color-field.css'

/** The colors that the server assigns to new task lists. */
const PALETTE = {
  blue: '#3b82f6',
  green: '#10b981',
  amber: '#f59e0b',
  red: '#ef4444',
  purple: '#8b5cf6',
  pink: '#ec4899',
  teal: '#14b8a6',
  gray: '#6b7280',
} as const satisfies Record<keyof typeof t.colors, string>

interface ColorFieldProps {
  name: string
  /** Without it, the first color is chosen. */
  defaultValue?: string | undefined
}

/** A choice of colors. A color from outside of the palette stays available. */
export const ColorField = ({ name, defaultValue = PALETTE.blue }: ColorFieldProps) => {
  const known = Object.entries(PALETTE).map(([key, value]) => ({
    value: value as string,
    label: t.colors[key as keyof typeof PALETTE],
  }))
  const isKnown = known.some(({ value }) => value === defaultValue)
  const choices = isKnown ? known : [...known, { value: defaultValue, label: t.otherColor(defaultValue) }]
  return (
    <fieldset className="field color-field">
      <legend>{t.color}</legend>
      <div className="color-choices">
        {choices.map(({ value, label }) => (
          <label key={value} className="color-choice" title={label}>
            <input
              type="radio"
              name={name}
              value={value}
              defaultChecked={value === defaultValue}
              aria-label={label}
            />
            <span className="color-swatch" style={{ background: value }}>
              <Check size={16} aria-hidden="true" />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
