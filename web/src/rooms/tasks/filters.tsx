import { X } from 'lucide-react'
import { useTags } from '../../api/tags.ts'
import type { Task } from './groups.ts'
import type { Filter, View } from './use-tasks.ts'

const VIEWS: readonly (readonly [View, string])[] = [
  ['open', 'Open'],
  ['done', 'Done'],
  ['all', 'All'],
]

interface FiltersProps {
  filter: Filter
  onChange: (change: Partial<Filter>) => void
}

export const Filters = ({ filter, onChange }: FiltersProps) => {
  const tags = useTags('tasks')
  return (
    <search className="task-filters">
      <fieldset className="segments">
        <legend className="only-heard">Show</legend>
        {VIEWS.map(([view, label]) => (
          <label key={view}>
            <input
              type="radio"
              name="view"
              checked={filter.view === view}
              onChange={() => onChange({ view })}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      <input
        className="input"
        type="search"
        aria-label="Search tasks"
        placeholder="Search"
        maxLength={200}
        value={filter.q}
        onChange={(event) => onChange({ q: event.target.value })}
      />
      <select
        className="input"
        aria-label="Priority"
        value={filter.priority ?? ''}
        onChange={(event) => onChange({ priority: (event.target.value || null) as Task['priority'] | null })}
      >
        <option value="">Any priority</option>
        <option value="urgent">Urgent</option>
        <option value="high">High</option>
        <option value="normal">Normal</option>
        <option value="low">Low</option>
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
