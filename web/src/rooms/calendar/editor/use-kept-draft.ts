import { useEffect, useState } from 'react'
import type { Written } from '../../../api/begun.ts'
import { useKept } from '../../../ui/use-kept.ts'
import type { KeptForm } from '../../../ui/use-kept-form.ts'
import type { Draft } from './draft.ts'

type Name = keyof Draft

/** They belong together, and to where one pointed. */
const WHEN: readonly Name[] = ['allDay', 'startDay', 'startTime', 'endDay', 'endTime', 'timezone', 'repeat']
const WORDS: readonly Name[] = [
  'title',
  'location',
  'meetingUrl',
  'attendees',
  'description',
  'notes',
  'tags',
]

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** What differs; nothing as long as no words are among it. */
const writtenOf = (before: Draft, draft: Draft): Written => {
  const changed = (Object.keys(draft) as Name[]).filter((name) => !isSame(before[name], draft[name]))
  if (!changed.some((name) => WORDS.includes(name))) return {}
  const isRetimed = changed.some((name) => WHEN.includes(name))
  const names = new Set(isRetimed ? [...changed, ...WHEN] : changed)
  return Object.fromEntries([...names].map((name) => [name, { was: before[name], now: draft[name] }]))
}

const isMoved = (before: Draft, written: Written, names: readonly Name[]): boolean =>
  names.some((name) => written[name] !== undefined && !isSame(written[name].was, before[name]))

/** What was written, in place of what stands there now; an event that is at another time by now stays there. */
const goOnWith = (before: Draft, written: Written): Draft => {
  const names = isMoved(before, written, WHEN)
    ? (Object.keys(before) as Name[]).filter((name) => !WHEN.includes(name))
    : (Object.keys(before) as Name[])
  const fitting = names.filter((name) => written[name] !== undefined)
  return { ...before, ...Object.fromEntries(fitting.map((name) => [name, written[name]?.now])) }
}

/** An event under edit that waits under its name, should the form be left unsent; null when it has been left. */
export const useKeptDraft = (name: string | null, before: Draft) => {
  const kept = useKept(name)
  const [found, setFound] = useState(kept.read)
  const [draft, setDraft] = useState(found ? goOnWith(before, found) : before)
  const keep = () => kept.keep(writtenOf(before, draft))
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something was written
  useEffect(keep, [draft])
  const settle = () => {
    kept.forget()
    setFound(null)
  }
  const form: KeptForm = {
    again: found === null ? 'no' : isMoved(before, found, WORDS) ? 'moved' : 'yes',
    keep,
    send: kept.send,
    forget: kept.forget,
    settle,
    startOver() {
      setDraft(before)
      settle()
    },
  }
  return { draft, setDraft, form }
}
