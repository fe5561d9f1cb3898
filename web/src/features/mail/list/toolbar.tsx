import { Menu } from '@base-ui/react/menu'
import { Popover } from '@base-ui/react/popover'
import { CircleHelp, ListFilter, MailOpen, Newspaper, PenLine, Rows4, Tag as TagIcon, X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Link } from 'wouter'
import * as t from '#locale/mail'
import { Button } from '../../../ui/button.tsx'
import { useSearchField } from '../../../ui/use-search-field.ts'
import { FOLDER_ICONS, FOLDERS } from '../folders.ts'
import { hrefOf, type MailNavigation } from '../url-state.ts'
import { useCounts } from '../use-emails.ts'
import type { useDensity } from './use-density.ts'

/** Search operators. Selecting one inserts its example. */
const SearchHelp = ({ onPick }: { onPick: (example: string) => void }) => (
  <Popover.Root>
    <Popover.Trigger
      className="button"
      data-kind="quiet"
      data-shape="icon"
      data-size="small"
      aria-label={t.searchOperators}
    >
      <CircleHelp size={17} aria-hidden="true" />
    </Popover.Trigger>
    <Popover.Portal>
      <Popover.Positioner className="menu-place" sideOffset={8} align="end" collisionPadding={8}>
        <Popover.Popup className="menu search-help">
          <Popover.Title className="search-help-title">{t.searchOperators}</Popover.Title>
          <ul>
            {t.searchExamples.map(({ example, meaning }) => (
              <li key={example}>
                <Popover.Close className="search-help-line" onClick={() => onPick(example)}>
                  <code>{example}</code>
                  <span>{meaning}</span>
                </Popover.Close>
              </li>
            ))}
          </ul>
        </Popover.Popup>
      </Popover.Positioner>
    </Popover.Portal>
  </Popover.Root>
)

export const FolderNav = ({ navigation, children }: { navigation: MailNavigation; children?: ReactNode }) => {
  const counts = useCounts().data
  const { folder: current } = navigation.urlState
  return (
    <nav className="mail-folders" aria-label={t.foldersTitle}>
      <ul>
        {FOLDERS.map((folder) => {
          const Icon = FOLDER_ICONS[folder]
          return (
            <li key={folder}>
              <Link
                className="mail-folder"
                href={hrefOf({
                  folder,
                  folderId: null,
                  open: null,
                  q: '',
                  here: false,
                  tag: null,
                  unread: false,
                })}
                aria-current={folder === current ? 'page' : undefined}
              >
                <Icon size={16} aria-hidden="true" />
                <span className="mail-folder-name">{t.folders[folder]}</span>
                {counts?.[folder] && (
                  <>
                    <span className="mail-count" aria-hidden="true">
                      {counts[folder]}
                    </span>
                    <span className="visually-hidden">
                      {folder === 'drafts' ? t.draftsBadge(counts[folder]) : t.unreadBadge(counts[folder])}
                    </span>
                  </>
                )}
              </Link>
            </li>
          )
        })}
        {children && <li>{children}</li>}
        <li>
          <Link className="mail-folder" href="/mail/lists">
            <Newspaper size={16} aria-hidden="true" />
            <span className="mail-folder-name">{t.subscriptions}</span>
          </Link>
        </li>
        <li>
          <Link className="mail-folder" href="/mail/rules">
            <ListFilter size={16} aria-hidden="true" />
            <span className="mail-folder-name">{t.rules}</span>
          </Link>
        </li>
      </ul>
    </nav>
  )
}

const TagMenu = ({ tags, onPick }: { tags: readonly string[]; onPick: (tag: string) => void }) => (
  <Menu.Root>
    <Menu.Trigger className="button" data-kind="quiet" data-size="small" disabled={tags.length === 0}>
      <TagIcon size={15} aria-hidden="true" />
      {t.tags}
    </Menu.Trigger>
    <Menu.Portal>
      <Menu.Positioner className="menu-place" sideOffset={4} align="start" collisionPadding={8}>
        <Menu.Popup className="menu mail-tag-menu">
          {tags.map((tag) => (
            <Menu.Item key={tag} className="menu-item" onClick={() => onPick(tag)}>
              #{tag}
            </Menu.Item>
          ))}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
)

interface ToolbarProps {
  navigation: MailNavigation
  tags: readonly string[]
  density: ReturnType<typeof useDensity>
}

/** Search field, filters and list density. */
export const Toolbar = ({ navigation, tags, density }: ToolbarProps) => {
  const { urlState, go } = navigation
  const { typed, setTyped, submit } = useSearchField(urlState.q, (q, options) =>
    go({ q, open: null }, options),
  )
  const field = useRef<HTMLInputElement>(null)
  const pick = (example: string) => {
    setTyped(example)
    submit(example)
    field.current?.focus()
  }
  return (
    <search className="mail-search" aria-label={t.emails}>
      <div className="mail-search-field">
        <input
          ref={field}
          className="input"
          type="search"
          aria-label={t.searchEmails}
          placeholder={t.searchEmails}
          maxLength={1000}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') submit(typed)
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
        />
        <SearchHelp onPick={pick} />
      </div>
      <div className="mail-filters">
        <Button
          kind="quiet"
          size="small"
          aria-pressed={urlState.unread}
          onClick={() => go({ unread: !urlState.unread, open: null })}
        >
          <MailOpen size={15} aria-hidden="true" />
          {t.unread}
        </Button>
        <TagMenu tags={tags} onPick={(tag) => go({ tag, open: null })} />
        {urlState.q !== '' && (
          <Button
            kind="quiet"
            size="small"
            aria-pressed={urlState.here}
            onClick={() => go({ here: !urlState.here, open: null })}
          >
            {t.onlyFolder(t.folders[urlState.folder])}
          </Button>
        )}
        {urlState.tag !== null && (
          <button
            type="button"
            className="tag mail-tag"
            data-tone="accent"
            onClick={() => go({ tag: null, open: null })}
          >
            #{urlState.tag}
            <X size={14} aria-hidden="true" />
            <span className="visually-hidden">{t.clearTagFilter}</span>
          </button>
        )}
        <span className="mail-density">
          <Button
            kind="quiet"
            shape="icon"
            size="small"
            aria-label={t.compactList}
            title={t.compactList}
            aria-pressed={density.isCompact}
            onClick={density.toggle}
          >
            <Rows4 size={17} aria-hidden="true" />
          </Button>
        </span>
      </div>
    </search>
  )
}

export const WriteButton = ({ navigation }: { navigation: MailNavigation }) => (
  <Button kind="primary" onClick={() => navigation.go({ open: 'new' })}>
    <PenLine size={16} aria-hidden="true" />
    {t.newEmail}
  </Button>
)
