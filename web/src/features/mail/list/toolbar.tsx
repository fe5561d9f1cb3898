import { Menu } from '@base-ui/react/menu'
import {
  AlarmClock,
  ListFilter,
  MailOpen,
  Newspaper,
  PenLine,
  Rows3,
  Star,
  Tag as TagIcon,
  X,
} from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import * as t from '#locale/mail'
import * as later from '#locale/mail-later'
import { Button, IconButton } from '../../../ui/button.tsx'
import type { Selection } from '../../../ui/use-selection.ts'
import { acceptThreads } from '../dragged-threads.ts'
import { FOLDER_ICONS, FOLDERS, type Folder } from '../folders.ts'
import type { Thread } from '../threads.ts'
import { hrefOf, type MailNavigation, PLAIN_VIEW } from '../url-state.ts'
import { useCounts } from '../use-emails.ts'
import type { MailLayout } from '../use-mail-layout.ts'
import { LayoutMenu } from './layout-menu.tsx'
import { SavedSearches, SaveSearch } from './saved-searches.tsx'
import { SearchField } from './search-field.tsx'
import type { useDensity } from './use-density.ts'

/** The views to which emails can be moved. */
const DROP_TARGETS: ReadonlySet<Folder> = new Set(['inbox', 'archive', 'junk', 'trash'])

/** The view of snoozed threads, beside the inbox that they left. */
const SnoozedLink = ({ count, isCurrent }: { count: string | undefined; isCurrent: boolean }) => (
  <li>
    <Link
      className="mail-folder"
      href={hrefOf({ ...PLAIN_VIEW, folder: 'inbox', snoozed: true })}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <AlarmClock size={16} aria-hidden="true" />
      <span className="mail-folder-name">{later.snoozed}</span>
      {count && (
        <>
          <span className="mail-count" aria-hidden="true">
            {count}
          </span>
          <span className="visually-hidden">{later.snoozedBadge(count)}</span>
        </>
      )}
    </Link>
  </li>
)

interface FolderNavProps {
  navigation: MailNavigation
  onDrop: (ids: readonly number[], folder: Folder) => void
  children?: ReactNode
}

/** The views over all mail accounts: a column on wide screens, else a row. */
export const FolderNav = ({ navigation, onDrop, children }: FolderNavProps) => {
  const counts = useCounts().data
  const { folder: current, starred, snoozed } = navigation.urlState
  return (
    <nav className="mail-folders" aria-label={t.foldersTitle}>
      <ul>
        {FOLDERS.map((folder) => {
          const Icon = FOLDER_ICONS[folder]
          return (
            <Fragment key={folder}>
              <li>
                <Link
                  className="mail-folder"
                  href={hrefOf({ ...PLAIN_VIEW, folder })}
                  aria-current={folder === current && !starred && !snoozed ? 'page' : undefined}
                  {...(DROP_TARGETS.has(folder) && acceptThreads((ids) => onDrop(ids, folder)))}
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
              {folder === 'inbox' && <SnoozedLink count={counts?.snoozed} isCurrent={snoozed} />}
            </Fragment>
          )
        })}
        <li>
          <Link
            className="mail-folder"
            href={hrefOf({ ...PLAIN_VIEW, folder: 'inbox', starred: true })}
            aria-current={starred ? 'page' : undefined}
          >
            <Star size={16} aria-hidden="true" />
            <span className="mail-folder-name">{t.starred}</span>
          </Link>
        </li>
        {children && <li>{children}</li>}
        <li>
          <SavedSearches navigation={navigation} />
        </li>
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
    <Menu.Trigger
      className="button"
      data-kind="quiet"
      data-shape="icon"
      data-size="small"
      aria-label={t.tags}
      title={t.tags}
      disabled={tags.length === 0}
    >
      <TagIcon size={16} aria-hidden="true" />
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
  layout: MailLayout
  selection: Selection<Thread>
  folderName: string
}

/** Search field, filters and list density. */
export const Toolbar = ({ navigation, tags, density, layout, selection, folderName }: ToolbarProps) => {
  const { urlState, go } = navigation
  const { q, here, unread, starred, snoozed, tag } = urlState
  return (
    <search className="mail-search" aria-label={t.emails}>
      <input
        type="checkbox"
        className="mail-box"
        aria-label={t.selectAll}
        title={t.selectAll}
        checked={false}
        onChange={() => {}}
        onClick={selection.all}
      />
      <SearchField navigation={navigation} />
      <div className="mail-filters">
        <IconButton
          icon={MailOpen}
          iconSize={16}
          label={t.unread}
          aria-pressed={unread}
          title={t.unread}
          onClick={() => go({ unread: !unread, open: null })}
        />
        <TagMenu tags={tags} onPick={(picked) => go({ tag: picked, open: null })} />
        <IconButton
          icon={Rows3}
          iconSize={16}
          label={t.comfortableList}
          title={t.comfortableList}
          aria-pressed={!density.isCompact}
          onClick={density.toggle}
        />
        <LayoutMenu layout={layout} />
      </div>
      {(q !== '' || tag !== null) && (
        <div className="mail-active-filters">
          {q !== '' && !starred && !snoozed && (
            <Button
              kind="quiet"
              size="small"
              aria-pressed={here}
              onClick={() => go({ here: !here, open: null })}
            >
              {t.onlyFolder(folderName)}
            </Button>
          )}
          {q !== '' && <SaveSearch q={q} />}
          {tag !== null && (
            <button
              type="button"
              className="tag mail-tag"
              data-tone="accent"
              onClick={() => go({ tag: null, open: null })}
            >
              #{tag}
              <X size={14} aria-hidden="true" />
              <span className="visually-hidden">{t.clearTagFilter}</span>
            </button>
          )}
        </div>
      )}
    </search>
  )
}

export const WriteButton = ({ navigation }: { navigation: MailNavigation }) => (
  <Button kind="primary" onClick={() => navigation.go({ open: 'new' })}>
    <PenLine size={16} aria-hidden="true" />
    {t.newEmail}
  </Button>
)
