import type { CSSProperties } from 'react'
import type { Calendar } from '../../../api/calendars.ts'
import './calendar-color.css'

/** Sets the color for elements with the class `tinted`. Without a calendar they have the accent color. */
export const toColorStyle = (color: Calendar['color'] | undefined): CSSProperties =>
  (color === undefined ? {} : { '--calendar': color }) as CSSProperties
