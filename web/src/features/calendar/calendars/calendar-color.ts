import type { CSSProperties } from 'react'
import type { Calendar } from '../../../api/calendars.ts'
import './calendar-color.css'

/** Sets the colour for elements with the class `tinted`. Without a calendar they have the accent colour. */
export const toColorStyle = (color: Calendar['color'] | undefined): CSSProperties =>
  (color === undefined ? {} : { '--calendar': color }) as CSSProperties
