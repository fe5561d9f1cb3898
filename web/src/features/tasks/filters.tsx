import { X } from 'lucide-react'
import { useTags } from '../../api/tags.ts'
import { useSearchField } from '../../ui/use-search-field.ts'
import type { Task } from './groups.ts'
import { type Filter, PRIORITIES, VIEWS, type View } from './url-state.ts'

const VIEW_WORDS: Record<View, string> = { open: 'Open', done: 'Done', all: 'All' }
const PRIORITY_WORDS: Record<Task['priority'], string> = {
  urgent: 'Urgent',
  high: 'High',
  normal: 'Normal',
  low: 'Low',
}

interface FiltersProps {
  filter: Filter
  onChange: (change: Partial<Filter>, options?: { replace?: boolean }) => void
}

export const Filters = ({ filter, onChange }: FiltersProps) => {
  const tags = useTags('tasks')
  const { typed, setTyped } = useSearchField(filter.q, (q, options) => onChange({ q }, options))
  return (
    <search className="task-filters">
      <fieldset className="segments">
        <legend className="only-heard">Show</legend>
        {VIEWS.map((view) => (
          <label key={view}>
            <input
              type="radio"
              name="view"
              checked={filter.view === view}
              onChange={() => onChange({ view })}
            />
            <span>{VIEW_WORDS[view]}</span>
          </label>
        ))}
      </fieldset>
      <input
        className="input"
        type="search"
        aria-label="Search tasks"
        placeholder="Search"
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <select
        className="input"
        aria-label="Priority"
        value={filter.priority ?? ''}
        onChange={(event) => onChange({ priority: (event.target.value || null) as Task['priority'] | null })}
      >
        <option value="">Any priority</option>
        {PRIORITIES.map((priority) => (
          <option key={priority} value={priority}>
            {PRIORITY_WORDS[priority]}
          </option>
        ))}
      </select>
      {filter.tag === null && tags.length > 0 && (
        <select
          className="input"
          aria-label="Tag"
          value=""
          onChange={(event) => onChange({ tag: event.target.value || null })}
        >
          <option value="">Any tag</option>
          {tags.map((tag) => (
            <option key={tag} value={tag}>
              #{tag}
            </option>
          ))}
        </select>
      )}
      {filter.tag !== null && (
        <button
          type="button"
          className="tag task-tag"
          data-tone="accent"
          onClick={() => onChange({ tag: null })}
        >
          #{filter.tag}
          <X size={14} aria-hidden="true" />
          <span className="only-heard"> Show all tags</span>
        </button>
      )}
    </search>
  )
}
