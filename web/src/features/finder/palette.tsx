import { Dialog } from '@base-ui/react/dialog'
import { Command as CommandMenu, useCommandState } from 'cmdk'
import { ChevronLeft, ChevronRight, Search } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import * as t from '#locale/commands'
import type { Command, CommandGroup } from '../../shell/commands.ts'
import type { PaletteProps } from '../../shell/frame.tsx'
import { DialogPopup } from '../../ui/dialog.tsx'
import { useGeneralCommands } from './general-commands.ts'
import { CERTAIN, rankCommands } from './match.ts'
import { useRecent } from './recent.ts'
import { useSearchResults } from './use-search-results.ts'
import './palette.css'

const PAGE_STEP = 8
const MAX_RECENT = 5
const MAX_MATCHES = 8
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

interface SearchFieldProps {
  value: string
  placeholder: string
  onChange: (value: string) => void
  onBack: () => void
}

/** Sets aria-activedescendant, which cmdk does not update when it selects the first result itself. */
const SearchField = ({ value, placeholder, onChange, onBack }: SearchFieldProps) => {
  const field = useRef<HTMLInputElement>(null)
  const [activeId, setActiveId] = useState<string>()
  useCommandState((state) => state.value)
  useLayoutEffect(() => {
    setActiveId(field.current?.closest('[cmdk-root]')?.querySelector('[aria-selected="true"]')?.id)
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    // cmdk would move to the first or last result. In a text field, Home and End move the cursor.
    if (event.key === 'Home' || event.key === 'End') event.stopPropagation()
    if (event.key === 'Backspace' && value === '') onBack()
  }
  return (
    <CommandMenu.Input asChild ref={field} value={value} onValueChange={onChange} onKeyDown={onKeyDown}>
      <input aria-activedescendant={activeId} placeholder={placeholder} maxLength={500} />
    </CommandMenu.Input>
  )
}

interface PanelProps extends Omit<PaletteProps, 'open' | 'onClose'> {
  onRun: (command: Command) => void
}

interface Groups {
  groups: readonly CommandGroup[]
  isPending: boolean
  /** False while results load that may become the first one. Enter must not open a result that just moved there. */
  canChoose: boolean
}

/** Everything that the palette lists for a query. */
const useGroups = (
  query: string,
  { pageCommands, onQuickAdd, onAssistant, onShortcuts }: PanelProps,
): Groups => {
  const general = useGeneralCommands({ onQuickAdd, onAssistant, onShortcuts })
  const recent = useRecent()
  const { groups: results, isPending } = useSearchResults(query)
  const known = [...general.create, ...general.pages, ...general.other, ...general.unlisted]
  if (query === '')
    return {
      groups: [
        ...pageCommands,
        { title: t.groups.recent, commands: recent.listCommands(known, MAX_RECENT) },
        { title: t.groups.create, commands: general.create },
        { title: t.groups.goTo, commands: general.pages },
        { title: t.groups.commands, commands: general.other },
      ],
      isPending: false,
      canChoose: true,
    }
  const ranked = rankCommands(
    [...pageCommands.flatMap(({ commands }) => commands), ...known],
    query,
    recent.ids,
  ).slice(0, MAX_MATCHES)
  const commandsOf = (isCertain: boolean): CommandGroup => ({
    title: t.groups.commands,
    commands: ranked.filter(({ score }) => score >= CERTAIN === isCertain).map(({ command }) => command),
  })
  const [certain, guessed] = [commandsOf(true), commandsOf(false)]
  return {
    groups: [
      certain,
      ...results.found,
      ...(certain.commands.length > 0 ? [] : [guessed]),
      results.settings,
      results.search,
    ],
    isPending,
    canChoose: !isPending || certain.commands.length > 0,
  }
}

const Keys = ({ keys }: { keys: readonly string[] }) => (
  <span className="palette-keys" aria-hidden="true">
    {keys.map((key) => (
      <kbd key={key}>{key}</kbd>
    ))}
  </span>
)

const Panel = (props: PanelProps) => {
  const [typed, setTyped] = useState('')
  const [parent, setParent] = useState<Command | null>(null)
  const query = typed.trim()
  const top = useGroups(parent ? '' : query, props)
  const choices = parent?.choices?.(query)
  const groups: readonly CommandGroup[] = (
    parent && choices
      ? [
          {
            title: parent.label,
            commands: query === '' ? choices : rankCommands(choices, query).map(({ command }) => command),
          },
        ]
      : top.groups
  ).filter(({ commands }) => commands.length > 0)
  const isPending = parent === null && top.isPending
  const isWaiting = parent === null && !top.canChoose
  const choose = (command: Command): void => {
    if (!command.choices) props.onRun(command)
    else {
      setTyped('')
      setParent(command)
    }
  }
  const count = groups.reduce((sum, { commands }) => sum + commands.length, 0)
  return (
    <CommandMenu label={t.palette} shouldFilter={false} loop vimBindings={false} onKeyDown={stepByPage}>
      <div className="palette-field">
        {parent ? <ChevronLeft size={19} aria-hidden="true" /> : <Search size={19} aria-hidden="true" />}
        <SearchField
          value={typed}
          placeholder={parent?.label ?? t.placeholder}
          onChange={setTyped}
          onBack={() => setParent(null)}
        />
        <kbd>Esc</kbd>
      </div>
      <CommandMenu.List label={t.results} aria-busy={isPending} className="palette-list">
        {groups.map(({ title, commands }) => (
          <CommandMenu.Group key={title} heading={title}>
            {commands.map((command) => (
              <CommandMenu.Item
                // A new key mounts the item again, because cmdk selects the first item only then.
                key={`${command.id} ${isWaiting}`}
                value={`${title} ${command.id}`}
                disabled={isWaiting}
                className="palette-entry"
                onSelect={() => choose(command)}
              >
                <command.icon size={18} aria-hidden="true" />
                <span className="palette-label">{command.label}</span>
                {command.note !== undefined && <span className="palette-note">{command.note}</span>}
                {command.keys && <Keys keys={command.keys} />}
                {command.choices && <ChevronRight size={16} aria-hidden="true" />}
              </CommandMenu.Item>
            ))}
          </CommandMenu.Group>
        ))}
      </CommandMenu.List>
      {count === 0 && !isPending && <p className="palette-empty quiet">{t.noResults}</p>}
      <p className="visually-hidden" role="status">
        {isPending ? '' : t.resultCount(count)}
      </p>
    </CommandMenu>
  )
}

/**
 * Command palette: runs commands and finds pages, mail, tasks, events and settings. The dialog of cmdk is not used,
 * because it inserts a style element, which the Content-Security-Policy forbids.
 */
export const Palette = ({ open, onClose, ...rest }: PaletteProps) => {
  const [, navigate] = useLocation()
  const recent = useRecent()
  const chosen = useRef<Command | null>(null)
  const choose = (command: Command) => {
    recent.add(command)
    chosen.current = command
    onClose()
    if (command.href !== undefined) navigate(command.href, { state: command.state ?? null })
  }
  /** Runs after the focus has returned, because commands act like shortcuts: on the focused row. */
  const runChosen = () => {
    const command = chosen.current
    chosen.current = null
    command?.run?.()
  }
  return (
    <DialogPopup
      open={open}
      onClose={onClose}
      className="palette"
      focusesField
      // A new page moves the focus itself.
      returnsFocus={() => chosen.current?.href === undefined}
      onClosed={runChosen}
    >
      <Dialog.Title className="visually-hidden">{t.palette}</Dialog.Title>
      <Panel {...rest} onRun={choose} />
    </DialogPopup>
  )
}
