import { Menu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import * as t from '#locale/tasks'
import type { Task } from './groups.ts'
import { PRIORITIES } from './url-state.ts'

interface PriorityMenuProps {
  priority: Task['priority']
  /** The button that opens it. */
  trigger: ReactElement
  /** The content of the button. */
  children: ReactNode
  onChange: (priority: Task['priority']) => void
}

/** Sets the priority beside the row. */
export const PriorityMenu = ({ priority, trigger, children, onChange }: PriorityMenuProps) => (
  <Menu.Root>
    <Menu.Trigger render={trigger}>{children}</Menu.Trigger>
    <Menu.Portal>
      <Menu.Positioner className="menu-place" sideOffset={6} align="start" collisionPadding={8}>
        <Menu.Popup className="menu">
          <Menu.RadioGroup value={priority} onValueChange={(chosen) => onChange(chosen as Task['priority'])}>
            {PRIORITIES.map((value) => (
              <Menu.RadioItem key={value} value={value} className="menu-item" closeOnClick>
                {t.priorities[value]}
                <Menu.RadioItemIndicator className="menu-note">
                  <Check size={16} aria-hidden="true" />
                </Menu.RadioItemIndicator>
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
)
