import { useState } from 'react'
import { useServices } from '../../../api/context.tsx'
import { useHasPageWidth } from '../../../shell/panel-state.ts'

/** On narrower screens the views need the whole width, and the calendars open in a popover. */
const WIDE_PX = 1200
const STORAGE_KEY = 'calendar-sidebar'

export type CalendarSidebar = ReturnType<typeof useCalendarSidebar>

/** Whether the list of calendars is displayed. A closed sidebar stays closed after a reload. */
export const useCalendarSidebar = () => {
  const { browserStorage } = useServices()
  const isWide = useHasPageWidth(WIDE_PX)
  const [isKeptOpen, setIsKeptOpen] = useState(() => browserStorage.read(STORAGE_KEY) !== 'closed')
  const [isPopoverOpen, setIsPopoverOpen] = useState(false)
  return {
    /** There is space for a sidebar. */
    isWide,
    isOpen: isWide && isKeptOpen,
    isPopoverOpen,
    toggle() {
      browserStorage.write(STORAGE_KEY, isKeptOpen ? 'closed' : null)
      setIsKeptOpen(!isKeptOpen)
    },
    openPopover: () => setIsPopoverOpen(true),
    closePopover: () => setIsPopoverOpen(false),
  }
}
