import { useQuery } from '@tanstack/react-query'
import { Clock, CornerDownLeft, Tag as TagIcon, User } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import * as t from '#locale/mail'
import * as common from '#locale/shared-texts'
import { unwrap } from '../../../api/client.ts'
import { useClient, useServices } from '../../../api/context.tsx'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import { useSearchField } from '../../../ui/use-search-field.ts'
import type { MailNavigation } from '../url-state.ts'
import { SearchHelp } from './search-help.tsx'

const RECENT = 'mail-searches'
const MAX_RECENT = 5
/** Operators that most people need. The help lists all of them. */
const HINTS = ['from:', 'has:attachment', 'is:unread', 'after:7d']

/** The last searches, stored in this browser. */
const useRecentSearches = () => {
  const { browserStorage } = useServices()
  const read = (): string[] => {
    try {
      const stored: unknown = JSON.parse(browserStorage.read(RECENT) ?? '[]')
      return Array.isArray(stored)
        ? stored.filter((each) => typeof each === 'string').slice(0, MAX_RECENT)
        : []
    } catch {
      return []
    }
  }
  return {
    read,
    add(q: string): void {
      const typed = q.trim()
      if (typed === '') return
      const others = read().filter((each) => each !== typed)
      browserStorage.write(RECENT, JSON.stringify([typed, ...others].slice(0, MAX_RECENT)))
    },
  }
}

/** Senders and tags that start with the last typed word. Contacts can be added here. */
const useSuggestions = (word: string, isOpen: boolean) => {
  const client = useClient()
  const q = useDebouncedValue(word)
  const { data } = useQuery({
    queryKey: ['emails', 'suggestions', q],
    queryFn: () => unwrap(client.GET('/api/emails/suggestions', { params: { query: { q } } })),
    enabled: isOpen && q.length > 1,
    staleTime: 60_000,
    placeholderData: (previous) => previous,
  })
  return q.length > 1 && data ? data : { senders: [], tags: [] }
}

const quote = (value: string): string => (/\s/.test(value) ? `"${value}"` : value)

interface Suggestion {
  key: string
  icon: typeof User
  label: string
  detail?: string
  q: string
}

/** Search field with suggestions. The arrow keys move between the field and the suggestions. */
export const SearchField = ({ navigation }: { navigation: MailNavigation }) => {
  const { urlState, go } = navigation
  const { typed, setTyped, submit } = useSearchField(urlState.q, (q, options) =>
    go({ q, open: null }, options),
  )
  const [isOpen, setIsOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const area = useRef<HTMLDivElement>(null)
  const listId = useId()
  const recent = useRecentSearches()
  const word = /\S*$/.exec(typed)?.[0] ?? ''
  const { senders, tags } = useSuggestions(word.replace(/^(?:from|to|tag):/i, ''), isOpen)
  const before = typed.slice(0, typed.length - word.length)

  const pick = (q: string) => {
    setTyped(q)
    submit(q)
    recent.add(q)
    setIsOpen(false)
    field.current?.focus()
  }
  const suggestions: Suggestion[] = isOpen
    ? [
        ...senders.map(({ name, address }) => ({
          key: `from ${address}`,
          icon: User,
          label: name || address,
          detail: `from:${address}`,
          q: `${before}from:${quote(address)} `,
        })),
        ...tags.map((tag) => ({
          key: `tag ${tag}`,
          icon: TagIcon,
          label: `#${tag}`,
          detail: `tag:${quote(tag)}`,
          q: `${before}tag:${quote(tag)} `,
        })),
        ...recent
          .read()
          .filter((q) => q !== typed && q.toLowerCase().startsWith(typed.trim().toLowerCase()))
          .map((q) => ({ key: `recent ${q}`, icon: Clock, label: q, q })),
      ]
    : []

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const stops = [field.current, ...(area.current?.querySelectorAll('button[data-suggestion]') ?? [])]
    const at = stops.indexOf(document.activeElement as HTMLInputElement)
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && isOpen && at >= 0) {
      event.preventDefault()
      const next = stops[(at + (event.key === 'ArrowDown' ? 1 : -1) + stops.length) % stops.length]
      ;(next as HTMLElement | null)?.focus()
    }
    if (event.key !== 'Escape') return
    if (isOpen && at > 0) field.current?.focus()
    else field.current?.blur()
    setIsOpen(false)
    event.stopPropagation()
  }
  const showsHints = isOpen && typed.trim() === ''
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: moves the focus between its controls
    <div
      ref={area}
      className="mail-search-field"
      onKeyDown={onKeyDown}
      onBlur={({ relatedTarget }) => {
        if (area.current?.contains(relatedTarget)) return
        if (isOpen) recent.add(typed)
        setIsOpen(false)
      }}
    >
      <input
        ref={field}
        className="input"
        type="search"
        aria-label={t.searchEmails}
        aria-controls={isOpen ? listId : undefined}
        placeholder={common.search}
        maxLength={1000}
        autoComplete="off"
        value={typed}
        onFocus={() => setIsOpen(true)}
        onChange={(event) => {
          setTyped(event.target.value)
          setIsOpen(true)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          submit(typed)
          recent.add(typed)
          setIsOpen(false)
        }}
      />
      <SearchHelp onPick={pick} />
      {(suggestions.length > 0 || showsHints) && (
        <div className="mail-suggestions" id={listId}>
          {suggestions.length > 0 && (
            <ul aria-label={t.suggestions}>
              {suggestions.map(({ key, icon: Icon, label, detail, q }) => (
                <li key={key}>
                  <button type="button" className="mail-suggestion" data-suggestion onClick={() => pick(q)}>
                    <Icon size={15} aria-hidden="true" />
                    <span className="mail-suggestion-label">{label}</span>
                    {detail && <code>{detail}</code>}
                  </button>
                </li>
              ))}
            </ul>
          )}
          {showsHints && (
            <p className="mail-operators">
              {HINTS.map((hint) => (
                <button
                  key={hint}
                  type="button"
                  className="mail-operator"
                  data-suggestion
                  onClick={() => {
                    if (!hint.endsWith(':')) pick(hint)
                    else {
                      setTyped(hint)
                      field.current?.focus()
                    }
                  }}
                >
                  <CornerDownLeft size={12} aria-hidden="true" />
                  {hint}
                </button>
              ))}
            </p>
          )}
        </div>
      )}
    </div>
  )
}
