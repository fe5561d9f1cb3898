import { Menu } from '@base-ui/react/menu'
import { Ellipsis, type LucideIcon } from 'lucide-react'

export interface RowAction {
  label: string
  icon: LucideIcon
  onSelect: () => void
}

/** Menu of actions on one list row. */
export const RowMenu = ({ label, actions }: { label: string; actions: readonly RowAction[] }) => (
  <Menu.Root>
    <Menu.Trigger className="button" data-kind="quiet" data-shape="icon" data-size="small" aria-label={label}>
      <Ellipsis size={18} aria-hidden="true" />
    </Menu.Trigger>
    <Menu.Portal>
      <Menu.Positioner className="menu-place" sideOffset={4} align="end" collisionPadding={8}>
        <Menu.Popup className="menu">
          {actions.map(({ label: text, icon: Icon, onSelect }) => (
            <Menu.Item key={text} className="menu-item" onClick={onSelect}>
              <Icon size={17} aria-hidden="true" />
              {text}
            </Menu.Item>
          ))}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
)
