import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { type Entry, findPages, type Group } from './entries.ts'
import { useSearchResults } from './use-search-results.ts'
import './finder.css'

interface OptionProps {
  id: string
  entry: Entry
  isChosen: boolean
  onPoint: () => void
  onPick: () => void
}

const Option = ({ id, entry, isChosen, onPoint, onPick }: OptionProps) => {
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isChosen) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field has the focus and handles the keys
    <div
      ref={line}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className="finder-entry"
      onMouseMove={isChosen ? undefined : onPoint}
      onClick={onPick}
    >
      <entry.icon size={18} aria-hidden="true" />
      <span className="finder-label">{entry.label}</span>
      {entry.note !== undefined && <span className="finder-note">{entry.note}</span>}
    </div>
  )
}

/** Arrow keys wrap around; Page Up and Page Down stop at the ends. */
const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (Math.max(at, 0) + count - 1) % count,
  PageDown: (at, count) => Math.min(at + 8, count - 1),
  PageUp: (at) => Math.max(at - 8, 0),
}

const SearchPanel = ({ onGo }: { onGo: (entry: Entry) => void }) => {
  const list = useId()
  const [typed, setTyped] = useState('')
  const [highlightedKey, setHighlightedKey] = useState<string | null>(null)
  const query = typed.trim()
  const places = findPages(query)
  const { groups: found, isPending } = useSearchResults(query)
  const groups: Group[] = [{ title: 'Go to', entries: places }, ...found].filter(
    ({ entries }) => entries.length > 0,
  )
  const entries = groups.flatMap((group) => group.entries)
  // While results load, only the first page is preselected. Enter must not open a result that just moved
  // there.
  const first = isPending ? places[0] : entries[0]
  const chosen = entries.find(({ key }) => key === highlightedKey) ?? first
  const idOf = ({ key }: Entry) => `${list}-${key}`
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step && entries.length > 0) {
      const at = chosen ? entries.indexOf(chosen) : -1
      setHighlightedKey(entries[step(at, entries.length)]?.key ?? null)
    } else if (event.key === 'Enter' && chosen) onGo(chosen)
    else return
    event.preventDefault()
  }
  return (
    <>
      <div className="finder-field">
        <Search size={19} aria-hidden="true" />
        <input
          type="text"
          role="combobox"
          aria-label="Find anything"
          aria-expanded="true"
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={chosen && idOf(chosen)}
          placeholder="Find mail, tasks, events and settings, or go somewhere"
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setHighlightedKey(null)
          }}
          onKeyDown={onKey}
        />
        <kbd>Esc</kbd>
      </div>
      <div id={list} role="listbox" aria-label="Found" aria-busy={isPending} className="finder-list">
        {groups.map(({ title, entries: own }) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox contains groups, not fieldsets
          <div key={title} role="group" aria-label={title}>
            <div className="finder-title" aria-hidden="true">
              {title}
            </div>
            {own.map((entry) => (
              <Option
                key={entry.key}
                id={idOf(entry)}
                entry={entry}
                isChosen={entry === chosen}
                onPoint={() => setHighlightedKey(entry.key)}
                onPick={() => onGo(entry)}
              />
            ))}
          </div>
        ))}
      </div>
      <p className="only-heard" role="status">
        {isPending ? '' : `${entries.length} found`}
      </p>
    </>
  )
}

/** Global search dialog for pages, mail, tasks, events and settings. */
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
