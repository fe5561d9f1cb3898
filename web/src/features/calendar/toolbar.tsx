import { Menu } from '@base-ui/react/menu'
import {
  ChevronLeft,
  ChevronRight,
  Download,
  Ellipsis,
  FileUp,
  ListFilter,
  Plus,
  Rss,
  Search,
} from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import type { UrlState, View } from './url-state.ts'
import { VIEWS } from './url-state.ts'
import { SOURCE_WORDS, SOURCES, type Source, STATUS_WORDS, STATUSES, type Status } from './words.ts'

const VIEW_WORDS: Record<View, string> = { month: 'Month', week: 'Week', day: 'Day', agenda: 'Agenda' }

interface ToolbarProps {
  urlState: UrlState
  go: (change: Partial<UrlState>, options?: { replace?: boolean }) => void
  onToday: () => void
  onStep: (steps: number) => void
  onNew: () => void
  onImport: () => void
  onExport: () => void
  onSubscribe: () => void
}

const ViewSwitch = ({ urlState, go }: Pick<ToolbarProps, 'urlState' | 'go'>) => (
  <fieldset className="views">
    <legend className="only-heard">View</legend>
    {VIEWS.map((view) => (
      <button key={view} type="button" aria-pressed={urlState.view === view} onClick={() => go({ view })}>
        {VIEW_WORDS[view]}
      </button>
    ))}
  </fieldset>
)

const Filter = ({ urlState, go }: Pick<ToolbarProps, 'urlState' | 'go'>) => {
  const count = [urlState.status, urlState.source].filter(Boolean).length
  return (
    <Menu.Root>
      <Menu.Trigger
        className="button"
        data-kind={count > 0 ? 'plain' : 'quiet'}
        data-shape={count > 0 ? 'text' : 'icon'}
        aria-label={count > 0 ? `Filter: ${count} set` : 'Filter'}
      >
        <ListFilter size={18} aria-hidden="true" />
        {count > 0 && count}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="menu-place" sideOffset={6} align="end" collisionPadding={8}>
          <Menu.Popup className="menu">
            <Menu.RadioGroup
              value={urlState.status ?? ''}
              onValueChange={(value) => go({ status: (value || null) as Status | null }, { replace: true })}
            >
              <Menu.GroupLabel className="menu-label">How it stands</Menu.GroupLabel>
              {['', ...STATUSES].map((status) => (
                <Menu.RadioItem key={status} value={status} className="menu-item menu-radio">
                  {status === '' ? 'Any' : STATUS_WORDS[status as Status]}
                  <Menu.RadioItemIndicator className="menu-note">✓</Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Separator className="menu-rule" />
            <Menu.RadioGroup
              value={urlState.source ?? ''}
              onValueChange={(value) => go({ source: (value || null) as Source | null }, { replace: true })}
            >
              <Menu.GroupLabel className="menu-label">Where it came from</Menu.GroupLabel>
              {['', ...SOURCES].map((source) => (
                <Menu.RadioItem key={source} value={source} className="menu-item menu-radio">
                  {source === '' ? 'Anywhere' : SOURCE_WORDS[source as Source]}
                  <Menu.RadioItemIndicator className="menu-note">✓</Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

const More = ({
  onImport,
  onExport,
  onSubscribe,
}: Pick<ToolbarProps, 'onImport' | 'onExport' | 'onSubscribe'>) => (
  <Menu.Root>
    <Menu.Trigger
      className="button"
      data-kind="quiet"
      data-shape="icon"
      aria-label="Import, export, subscribe"
    >
      <Ellipsis size={18} aria-hidden="true" />
    </Menu.Trigger>
    <Menu.Portal>
      <Menu.Positioner className="menu-place" sideOffset={6} align="end" collisionPadding={8}>
        <Menu.Popup className="menu">
          <Menu.Item className="menu-item" onClick={onImport}>
            <FileUp size={17} aria-hidden="true" />
            Import a file…
          </Menu.Item>
          <Menu.Item className="menu-item" onClick={onExport}>
            <Download size={17} aria-hidden="true" />
            Export as a file
          </Menu.Item>
          <Menu.Item className="menu-item" onClick={onSubscribe}>
            <Rss size={17} aria-hidden="true" />
            Subscribe from elsewhere…
          </Menu.Item>
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
)

export const Toolbar = ({ urlState, go, ...on }: ToolbarProps) => (
  <div className="calendar-tools" data-view={urlState.view}>
    <div className="calendar-steps">
      <Button onClick={on.onToday}>Today</Button>
      <Button kind="quiet" shape="icon" aria-label="Back" onClick={() => on.onStep(-1)}>
        <ChevronLeft size={20} aria-hidden="true" />
      </Button>
      <Button kind="quiet" shape="icon" aria-label="Forward" onClick={() => on.onStep(1)}>
        <ChevronRight size={20} aria-hidden="true" />
      </Button>
    </div>
    <search className="calendar-search">
      <Search size={16} aria-hidden="true" />
      <input
        className="input"
        type="search"
        placeholder="Search"
        aria-label="Search the calendar"
        value={urlState.search}
        onChange={(event) => go({ search: event.target.value }, { replace: true })}
      />
    </search>
    <Filter urlState={urlState} go={go} />
    <More {...on} />
    <ViewSwitch urlState={urlState} go={go} />
    <Button kind="primary" onClick={on.onNew}>
      <Plus size={18} aria-hidden="true" />
      <span>New event</span>
    </Button>
  </div>
)
