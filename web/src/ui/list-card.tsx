import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { AddButton } from './button.tsx'
import { Card } from './card.tsx'
import { Empty } from './notice.tsx'
import { RowList } from './rows.tsx'

interface ListCardProps<P, T>
  extends Omit<ComponentProps<typeof Card>, 'children' | 'tone'>,
    Omit<ComponentProps<typeof RowList<P, T>>, 'empty'> {
  /** Shown instead of an empty list. */
  empty: { icon: LucideIcon; title: string; about?: string }
  /** A button beside the title. */
  add?: { label: string; onClick: () => void }
}

/** A card with the items that the account can add, change and delete. */
export const ListCard = <P, T>({ id, title, about, aside, add, empty, ...list }: ListCardProps<P, T>) => (
  <Card
    id={id}
    title={title}
    about={about}
    aside={
      add ? (
        <AddButton kind="primary" onClick={add.onClick}>
          {add.label}
        </AddButton>
      ) : (
        aside
      )
    }
  >
    <RowList {...list} empty={<Empty {...empty} />} />
  </Card>
)
