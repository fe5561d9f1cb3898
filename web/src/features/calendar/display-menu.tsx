import { Menu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import * as t from '#locale/calendar'
import { toCityName } from '../../ui/time-zone.ts'
import type { CalendarOptions } from './calendar-options.ts'

interface CheckItemProps {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}

const CheckItem = ({ checked, onChange, children }: CheckItemProps) => (
  <Menu.CheckboxItem className="menu-item" checked={checked} onCheckedChange={onChange} closeOnClick>
    {children}
    <Menu.CheckboxItemIndicator className="menu-note">
      <Check size={16} aria-hidden="true" />
    </Menu.CheckboxItemIndicator>
  </Menu.CheckboxItem>
)

interface DisplayMenuProps {
  options: CalendarOptions
  onSecondZone: () => void
  onChange: (change: Partial<CalendarOptions>) => void
}

/** Menu items for what the views display. */
export const DisplayMenu = ({ options, onChange, onSecondZone }: DisplayMenuProps) => (
  <>
    <CheckItem checked={options.weekNumbers} onChange={(weekNumbers) => onChange({ weekNumbers })}>
      {t.weekNumbers}
    </CheckItem>
    <CheckItem checked={options.tasks} onChange={(tasks) => onChange({ tasks })}>
      {t.showTasks}
    </CheckItem>
    <CheckItem checked={options.taskLane} onChange={(taskLane) => onChange({ taskLane })}>
      {t.showTaskLane}
    </CheckItem>
    {options.secondZone === null ? (
      <Menu.Item className="menu-item" onClick={onSecondZone}>
        {t.secondZoneMenu}
      </Menu.Item>
    ) : (
      <CheckItem checked onChange={() => onChange({ secondZone: null })}>
        {toCityName(options.secondZone)}
      </CheckItem>
    )}
  </>
)
