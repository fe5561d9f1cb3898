import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { LoadedList, type LoadedListProps } from './loaded.tsx'

interface RowProps extends Omit<ComponentProps<'li'>, 'title'> {
  icon?: LucideIcon
  title: ReactNode
  /** Beside the title. */
  tags?: ReactNode
  /** Buttons, or a menu. */
  actions?: ReactNode
}

/** An entry of a list in a card. Its children are below the title. */
export const Row = ({ icon: Icon, title, tags, actions, children, ...rest }: RowProps) => (
  <li {...rest}>
    {Icon && (
      <span className="row-icon">
        <Icon size={18} aria-hidden="true" />
      </span>
    )}
    <div className="row-main">
      <p className="row-title">
        {title}
        {tags}
      </p>
      {children}
    </div>
    {actions && <div className="row-actions">{actions}</div>}
  </li>
)

interface RowListProps<P, T> extends Omit<LoadedListProps<P, T>, 'children'> {
  label?: string
  /** Renders an item as a row with a key. */
  children: (item: T) => ReactNode
}

/** A list of resources: the rows, or loading, an error, or why it is empty. */
export const RowList = <P, T>({ label, children, ...list }: RowListProps<P, T>) => (
  <LoadedList {...list}>
    {(items) => (
      <ul className="rows" aria-label={label}>
        {items.map((item) => children(item))}
      </ul>
    )}
  </LoadedList>
)
