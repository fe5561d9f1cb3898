import { Dialog } from '@base-ui/react/dialog'
import { Command, useCommandState } from 'cmdk'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { type Entry, findPages, type Group } from './entries.ts'
import { useSearchResults } from './use-search-results.ts'
import './finder.css'

const PAGE_STEP = 8
const OPTIONS = '[role="option"]:not([aria-disabled="true"])'

/** Page Up and Page Down move by several results and stop at the ends. The other keys are handled by cmdk. */
const stepByPage = (event: KeyboardEvent<HTMLElement>): void => {
  if (event.key !== 'PageDown' && event.key !== 'PageUp') return
  event.preventDefault()
  const options = [...event.currentTarget.querySelectorAll<HTMLElement>(OPTIONS)]
  const at = options.findIndex((option) => option.ariaSelected === 'true')
  const to =
    event.key === 'PageDown' ? Math.min(at + PAGE_STEP, options.length - 1) : Math.max(at - PAGE_STEP, 0)
  // cmdk exports no function that selects an item.
  options[to]?.dispatchEvent(new PointerEvent('pointermove', { bubbles: true }))
  options[to]?.scrollIntoView({ block: 'nearest' })
}

/** cmdk would move to the first or last result. In a text field, Home and End move the cursor. */
const keepCursorKeys = (event: KeyboardEvent): void => {
  if (event.key === 'Home' || event.key === 'End') event.stopPropagation()
}

/** Sets aria-activedescendant, which cmdk does not update when it selects the first result itself. */
const SearchField = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => {
  const field = useRef<HTMLInputElement>(null)
  const [activeId, setActiveId] = useState<string>()
  useCommandState((state) => state.value)
  useLayoutEffect(() => {
    setActiveId(field.current?.closest('[cmdk-root]')?.querySelector('[aria-selected="true"]')?.id)
  })
  return (
    <Command.Input asChild ref={field} value={value} onValueChange={onChange} onKeyDown={keepCursorKeys}>
      <input
        aria-activedescendant={activeId}
        placeholder="Find mail, tasks, events and settings, or go somewhere"
        maxLength={500}
      />
    </Command.Input>
  )
}

const SearchPanel = ({ onGo }: { onGo: (entry: Entry) => void }) => {
  const [typed, setTyped] = useState('')
  const query = typed.trim()
  const places = findPages(query)
  const { groups: found, isPending } = useSearchResults(query)
  const groups: Group[] = [{ title: 'Go to', entries: places }, ...found].filter(
    ({ entries }) => entries.length > 0,
  )
  // While results load, only a page is preselected. Enter must not open a result that just moved there.
  const isWaiting = isPending && places.length === 0
  return (
    <Command label="Find anything" shouldFilter={false} loop vimBindings={false} onKeyDown={stepByPage}>
      <div className="finder-field">
        <Search size={19} aria-hidden="true" />
        <SearchField value={typed} onChange={setTyped} />
        <kbd>Esc</kbd>
      </div>
      <Command.List label="Found" aria-busy={isPending} className="finder-list">
        {groups.map(({ title, entries }) => (
          <Command.Group key={title} heading={title}>
            {entries.map((entry) => (
              <Command.Item
                // A new key mounts the item again, because cmdk selects the first item only then.
                key={`${entry.key} ${isWaiting}`}
                value={entry.key}
                disabled={isWaiting}
                className="finder-entry"
                onSelect={() => onGo(entry)}
              >
                <entry.icon size={18} aria-hidden="true" />
                <span className="finder-label">{entry.label}</span>
                {entry.note !== undefined && <span className="finder-note">{entry.note}</span>}
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
      <p className="only-heard" role="status">
        {isPending ? '' : `${groups.flatMap(({ entries }) => entries).length} found`}
      </p>
    </Command>
  )
}

/**
 * Global search dialog for pages, mail, tasks, events and settings. The dialog of cmdk is not used, because it
 * inserts a style element, which the Content-Security-Policy forbids.
 */
export const Finder = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const [, navigate] = useLocation()
  const popup = useRef<HTMLDivElement>(null)
  const isGoing = useRef(false)
  const go = ({ href, startAction, act }: Entry) => {
    isGoing.current = href !== undefined
    onClose()
    act?.()
    if (href !== undefined) navigate(href, { state: startAction ? { startAction } : null })
  }
  /** Restores the focus only if the user stays on the page. A new page moves the focus itself. */
  const afterwards = () => {
    const stays = !isGoing.current
    isGoing.current = false
    return stays
  }
  return (
    <Dialog.Root open={open} onOpenChange={(wanted) => !wanted && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-veil" />
        <Dialog.Viewport className="dialog-place finder-place">
          <Dialog.Popup
            ref={popup}
            className="dialog finder"
            initialFocus={() => popup.current?.querySelector('input') ?? true}
            finalFocus={afterwards}
          >
            <Dialog.Title className="only-heard">Find anything</Dialog.Title>
            <SearchPanel onGo={go} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
