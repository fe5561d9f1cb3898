import { Menu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import * as t from '#locale/calendar'
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
  onChange: (change: Partial<CalendarOptions>) => void
}

/** Menu items for what the views display. */
export const DisplayMenu = ({ options, onChange }: DisplayMenuProps) => (
  <CheckItem checked={options.weekNumbers} onChange={(weekNumbers) => onChange({ weekNumbers })}>
    {t.weekNumbers}
  </CheckItem>
)
