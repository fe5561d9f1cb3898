import { Menu } from '@base-ui/react/menu'
import {
  ChevronLeft,
  ChevronRight,
  Download,
  Ellipsis,
  FileUp,
  ListFilter,
  Plus,
  Printer,
  Rss,
  Search,
} from 'lucide-react'
import type { ReactNode } from 'react'
import * as t from '#locale/calendar'
import * as common from '#locale/shared-texts'
import { Button } from '../../ui/button.tsx'
import { type UrlState, VIEWS } from './address.ts'
import { SOURCES, type Source, STATUSES, type Status } from './event.ts'

interface ToolbarProps {
  urlState: UrlState
  go: (change: Partial<UrlState>, options?: { replace?: boolean }) => void
  onToday: () => void
  onStep: (steps: number) => void
  onNew: () => void
  onImport: () => void
  onExport: () => void
  onPrint: () => void
  onSubscribe: () => void
  calendarsButton: ReactNode
  goToDate: ReactNode
  displayMenu: ReactNode
}

const ViewSwitch = ({ urlState, go }: Pick<ToolbarProps, 'urlState' | 'go'>) => (
  <fieldset className="views">
    <legend className="visually-hidden">{t.view}</legend>
    {VIEWS.map((view) => (
      <button key={view} type="button" aria-pressed={urlState.view === view} onClick={() => go({ view })}>
        {t.views[view]}
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
        aria-label={count > 0 ? t.activeFilters(count) : t.filter}
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
              <Menu.GroupLabel className="menu-label">{t.status}</Menu.GroupLabel>
              {['', ...STATUSES].map((status) => (
                <Menu.RadioItem key={status} value={status} className="menu-item menu-radio">
                  {status === '' ? t.any : t.statuses[status as Status]}
                  <Menu.RadioItemIndicator className="menu-note">✓</Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Separator className="menu-rule" />
            <Menu.RadioGroup
              value={urlState.source ?? ''}
              onValueChange={(value) => go({ source: (value || null) as Source | null }, { replace: true })}
            >
              <Menu.GroupLabel className="menu-label">{t.source}</Menu.GroupLabel>
              {['', ...SOURCES].map((source) => (
                <Menu.RadioItem key={source} value={source} className="menu-item menu-radio">
                  {source === '' ? t.any : t.sources[source as Source]}
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
  onPrint,
  onSubscribe,
  displayMenu,
}: Pick<ToolbarProps, 'onImport' | 'onExport' | 'onPrint' | 'onSubscribe' | 'displayMenu'>) => (
  <Menu.Root>
    <Menu.Trigger className="button" data-kind="quiet" data-shape="icon" aria-label={t.moreActions}>
      <Ellipsis size={18} aria-hidden="true" />
    </Menu.Trigger>
    <Menu.Portal>
      <Menu.Positioner className="menu-place" sideOffset={6} align="end" collisionPadding={8}>
        <Menu.Popup className="menu">
          {displayMenu}
          <Menu.Separator className="menu-rule" />
          <Menu.Item className="menu-item" onClick={onImport}>
            <FileUp size={17} aria-hidden="true" />
            {t.importMenu}
          </Menu.Item>
          <Menu.Item className="menu-item" onClick={onExport}>
            <Download size={17} aria-hidden="true" />
            {t.exportMenu}
          </Menu.Item>
          <Menu.Item className="menu-item" onClick={onPrint}>
            <Printer size={17} aria-hidden="true" />
            {t.printMenu}
          </Menu.Item>
          <Menu.Item className="menu-item" onClick={onSubscribe}>
            <Rss size={17} aria-hidden="true" />
            {t.subscribeMenu}
          </Menu.Item>
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
)

export const Toolbar = ({ urlState, go, ...on }: ToolbarProps) => (
  <div className="calendar-tools" data-view={urlState.view}>
    {on.calendarsButton}
    <div className="calendar-steps">
      <Button onClick={on.onToday}>{t.today}</Button>
      <Button kind="quiet" shape="icon" aria-label={t.back} onClick={() => on.onStep(-1)}>
        <ChevronLeft size={20} aria-hidden="true" />
      </Button>
      <Button kind="quiet" shape="icon" aria-label={t.forward} onClick={() => on.onStep(1)}>
        <ChevronRight size={20} aria-hidden="true" />
      </Button>
      {on.goToDate}
    </div>
    <search className="calendar-search">
      <Search size={16} aria-hidden="true" />
      <input
        className="input"
        type="search"
        placeholder={common.search}
        aria-label={t.searchEvents}
        value={urlState.search}
        onChange={(event) => go({ search: event.target.value }, { replace: true })}
      />
    </search>
    <Filter urlState={urlState} go={go} />
    <More {...on} />
    <ViewSwitch urlState={urlState} go={go} />
    <Button kind="primary" data-new-event-button="" onClick={on.onNew}>
      <Plus size={18} aria-hidden="true" />
      <span>{t.newEvent}</span>
    </Button>
  </div>
)
