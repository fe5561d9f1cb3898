import { Menu } from '@base-ui/react/menu'
import { Popover } from '@base-ui/react/popover'
import { CircleHelp, ListFilter, MailOpen, Newspaper, PenLine, Rows4, Tag as TagIcon, X } from 'lucide-react'
import { useRef } from 'react'
import { Link } from 'wouter'
import { Button } from '../../../ui/button.tsx'
import { useSearchField } from '../../../ui/use-search-field.ts'
import { FOLDERS, labelOf } from '../folders.ts'
import { hrefOf, type MailNavigation } from '../url-state.ts'
import { useCounts } from '../use-emails.ts'
import type { useDensity } from './use-density.ts'

const OPERATORS: readonly (readonly [example: string, meaning: string])[] = [
  ['invoice march', 'both words, anywhere'],
  ['"final report"', 'these words, in this order'],
  ['invo*', 'words that begin so'],
  ['-draft', 'without this word'],
  ['from:ana', 'written by Ana'],
  ['to:ben', 'sent to Ben'],
  ['subject:lunch', 'in the subject'],
  ['tag:work', 'with this tag'],
  ['list:news.example.org', 'by this mailing list'],
  ['is:unread', 'also is:read, is:starred'],
  ['has:attachment', 'with a file'],
  ['in:archive', 'in one folder'],
  ['after:2026-03-01', 'from that day on; also before:'],
  ['after:7d', 'the last 7 days; also 2w, 3m, 1y, yesterday'],
]

/** Search operators. Selecting one inserts its example. */
const SearchHelp = ({ onPick }: { onPick: (example: string) => void }) => (
  <Popover.Root>
    <Popover.Trigger
      className="button"
      data-kind="quiet"
      data-shape="icon"
      data-size="small"
      aria-label="What the search understands"
    >
      <CircleHelp size={17} aria-hidden="true" />
    </Popover.Trigger>
    <Popover.Portal>
      <Popover.Positioner className="menu-place" sideOffset={8} align="end" collisionPadding={8}>
        <Popover.Popup className="menu search-help">
          <Popover.Title className="search-help-title">What the search understands</Popover.Title>
          <ul>
            {OPERATORS.map(([example, meaning]) => (
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

export const FolderNav = ({ navigation }: { navigation: MailNavigation }) => {
  const counts = useCounts().data
  const { folder: current } = navigation.urlState
  return (
    <nav className="mail-folders" aria-label="Folders">
      <ul>
        {FOLDERS.map(({ folder, label, icon: Icon }) => (
          <li key={folder}>
            <Link
              className="mail-folder"
              href={hrefOf({ folder, open: null, q: '', here: false, tag: null, unread: false })}
              aria-current={folder === current ? 'page' : undefined}
            >
              <Icon size={16} aria-hidden="true" />
              <span className="mail-folder-name">{label}</span>
              {counts?.[folder] && (
                <>
                  <span className="mail-count" aria-hidden="true">
                    {counts[folder]}
                  </span>
                  <span className="only-heard">
                    , {counts[folder]} {folder === 'drafts' ? 'to finish' : 'unread'}
                  </span>
                </>
              )}
            </Link>
          </li>
        ))}
        <li>
          <Link className="mail-folder" href="/mail/lists" title="Mailing lists">
            <Newspaper size={16} aria-hidden="true" />
            <span className="mail-folder-name">Lists</span>
          </Link>
        </li>
        <li>
          <Link className="mail-folder" href="/mail/rules" title="Mail rules">
            <ListFilter size={16} aria-hidden="true" />
            <span className="mail-folder-name">Rules</span>
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
      Tags
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
    <search className="mail-search" aria-label="E-mails">
      <div className="mail-search-field">
        <input
          ref={field}
          className="input"
          type="search"
          aria-label="Search mail"
          placeholder="Search mail"
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
          Unread
        </Button>
        <TagMenu tags={tags} onPick={(tag) => go({ tag, open: null })} />
        {urlState.q !== '' && (
          <Button
            kind="quiet"
            size="small"
            aria-pressed={urlState.here}
            onClick={() => go({ here: !urlState.here, open: null })}
          >
            Only {labelOf(urlState.folder)}
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
            <span className="only-heard"> Show all tags</span>
          </button>
        )}
        <span className="mail-density">
          <Button
            kind="quiet"
            shape="icon"
            size="small"
            aria-label="Compact list"
            title="Compact list"
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
    New e-mail
  </Button>
)
