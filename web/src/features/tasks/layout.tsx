import { Kanban, List } from 'lucide-react'
import * as t from '#locale/task-board'
import { type Filter, LAYOUTS, type Layout } from './url-state.ts'
import { useStoredIds } from './use-stored-ids.ts'
import { isTree } from './use-tasks.ts'

interface LayoutProps {
  layout: Layout
  onChange: (layout: Layout) => void
}

const ICONS = { list: List, board: Kanban }

/** Shows a list as rows or as a board. */
export const LayoutSwitch = ({ layout, onChange }: LayoutProps) => (
  <fieldset className="segments task-layout">
    <legend className="visually-hidden">{t.layout}</legend>
    {LAYOUTS.map((each) => {
      const Icon = ICONS[each]
      return (
        <label key={each} title={t.layouts[each]}>
          <input
            type="radio"
            name="layout"
            aria-label={t.layouts[each]}
            checked={layout === each}
            onChange={() => onChange(each)}
          />
          <span>
            <Icon size={18} aria-hidden="true" />
          </span>
        </label>
      )
    })}
  </fieldset>
)

/** The layout of the address, else the one that this browser remembers for the list. Null if the page shows no tree. */
export const useLayout = (
  state: Filter & { layout: Layout | null },
  go: (to: { layout: Layout }) => void,
) => {
  const boards = useStoredIds('task-boards')
  const { list } = state
  if (list === null || !isTree(state)) return null
  return {
    layout: state.layout ?? (boards.ids.has(list) ? 'board' : 'list'),
    choose(layout: Layout): void {
      boards.set(list, layout === 'board')
      go({ layout })
    },
  }
}
