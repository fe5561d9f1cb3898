import { Menu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'

interface ChoiceMenuProps<Value> {
  value: Value
  choices: readonly (readonly [value: Value, label: ReactNode])[]
  /** The button that opens it. */
  trigger: ReactElement
  /** The content of the button. */
  children: ReactNode
  onChange: (value: Value) => void
}

/** Sets a value beside the row. */
export const ChoiceMenu = <Value extends string | number | null>(props: ChoiceMenuProps<Value>) => {
  const { value, choices, trigger, children, onChange } = props
  return (
    <Menu.Root>
      <Menu.Trigger render={trigger}>{children}</Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="menu-place" sideOffset={6} align="start" collisionPadding={8}>
          <Menu.Popup className="menu">
            <Menu.RadioGroup value={value} onValueChange={(chosen) => onChange(chosen as Value)}>
              {choices.map(([choice, label]) => (
                <Menu.RadioItem key={choice} value={choice} className="menu-item" closeOnClick>
                  {label}
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
}
