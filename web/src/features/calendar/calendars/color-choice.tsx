import { Menu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import * as t from '#locale/calendars'
import { CALENDAR_COLORS } from '../../../api/calendars.ts'
import { toColorStyle } from './calendar-color.ts'
import './color-choice.css'

interface ColorFieldProps {
  name: string
  defaultValue: string
}

/** The colors of calendars as radio buttons of a form. */
export const ColorField = ({ name, defaultValue }: ColorFieldProps) => (
  <fieldset className="calendar-color-field">
    <legend>{t.color}</legend>
    <div className="calendar-swatches">
      {CALENDAR_COLORS.map((color) => (
        <label
          key={color}
          className="calendar-swatch tinted"
          style={toColorStyle(color)}
          title={t.colors[color]}
        >
          <input
            className="visually-hidden"
            type="radio"
            name={name}
            value={color}
            defaultChecked={color === defaultValue}
          />
          <span className="visually-hidden">{t.colors[color]}</span>
          <Check size={16} aria-hidden="true" />
        </label>
      ))}
    </div>
  </fieldset>
)

interface ColorMenuGroupProps {
  value: string
  onChange: (color: string) => void
}

/** The colors of calendars as a part of a menu. */
export const ColorMenuGroup = ({ value, onChange }: ColorMenuGroupProps) => (
  <Menu.RadioGroup value={value} onValueChange={onChange}>
    <Menu.GroupLabel className="menu-label">{t.color}</Menu.GroupLabel>
    <div className="calendar-swatches">
      {CALENDAR_COLORS.map((color) => (
        <Menu.RadioItem
          key={color}
          value={color}
          closeOnClick
          className="calendar-swatch tinted"
          style={toColorStyle(color)}
          aria-label={t.colors[color]}
          title={t.colors[color]}
        >
          <Check size={16} aria-hidden="true" />
        </Menu.RadioItem>
      ))}
    </div>
  </Menu.RadioGroup>
)
