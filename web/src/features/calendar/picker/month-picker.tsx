import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/calendar'
import { IconButton } from '../../../ui/button.tsx'
import { type Day, isSameDay } from '../days.ts'
import { MonthGrid, type MonthGridProps } from './month-grid.tsx'

type MonthPickerProps = Omit<MonthGridProps, 'month' | 'counts' | 'onLeave'> & {
  /** The day whose month is displayed first, and again after it changes. */
  day: Day
}

/** A small month with buttons for the months before and after it. */
export const MonthPicker = ({ day, ...grid }: MonthPickerProps) => {
  const [view, setView] = useState({ day, month: day })
  if (!isSameDay(view.day, day)) setView({ day, month: day })
  const show = (month: Day) => setView({ day, month })
  return (
    <div className="month-picker">
      <div className="month-picker-head">
        <span aria-live="polite">{grid.words.month(view.month)}</span>
        <IconButton
          icon={ChevronLeft}
          label={t.previousMonth}
          onClick={() => show(view.month.subtract({ months: 1 }))}
        />
        <IconButton
          icon={ChevronRight}
          label={t.nextMonth}
          onClick={() => show(view.month.add({ months: 1 }))}
        />
      </div>
      <MonthGrid {...grid} month={view.month} onLeave={show} />
    </div>
  )
}
