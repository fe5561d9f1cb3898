import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { type Entry, type Group, placesFor } from './entries.ts'
import { useFound } from './use-found.ts'
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys
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

/** Up and down go round; the first and the last are a key away. */
const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (Math.max(at, 0) + count - 1) % count,
  PageDown: (at, count) => Math.min(at + 8, count - 1),
  PageUp: (at) => Math.max(at - 8, 0),
}

const Inside = ({ onGo }: { onGo: (entry: Entry) => void }) => {
  const list = useId()
  const [typed, setTyped] = useState('')
  const [pointed, setPointed] = useState<string | null>(null)
  const query = typed.trim()
  const places = placesFor(query)
  const { groups: found, isPending } = useFound(query)
  const groups: Group[] = [{ title: 'Go to', entries: places }, ...found].filter(
    ({ entries }) => entries.length > 0,
  )
  const entries = groups.flatMap((group) => group.entries)
  // Nothing that may still move is chosen for whoever types and presses Enter at once.
  const first = isPending ? places[0] : entries[0]
  const chosen = entries.find(({ key }) => key === pointed) ?? first
  const idOf = ({ key }: Entry) => `${list}-${key}`
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step && entries.length > 0) {
      const at = chosen ? entries.indexOf(chosen) : -1
      setPointed(entries[step(at, entries.length)]?.key ?? null)
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
            setPointed(null)
          }}
          onKeyDown={onKey}
        />
        <kbd>Esc</kbd>
      </div>
      <div id={list} role="listbox" aria-label="Found" aria-busy={isPending} className="finder-list">
        {groups.map(({ title, entries: own }) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox is parted by groups, and knows no fieldset
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
                onPoint={() => setPointed(entry.key)}
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

/** Lies over every room: leads to the others, and to whatever is in them. */
export const Finder = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const [, navigate] = useLocation()
  const popup = useRef<HTMLDivElement>(null)
  const isGoing = useRef(false)
  const go = ({ href, asked, act }: Entry) => {
    isGoing.current = href !== undefined
    onClose()
    act?.()
    if (href !== undefined) navigate(href, { state: asked ? { asked } : null })
  }
  /** Where one goes takes the focus; it only comes back where one stays. */
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
            <Inside onGo={go} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
