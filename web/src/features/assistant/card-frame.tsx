import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type LucideIcon, Undo2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import * as t from '#locale/assistant'
import * as common from '#locale/shared-texts'
import { isMissing } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import type { AnswerItem } from './items.ts'
import { toToolLabel } from './payload.tsx'
import { useUndo, useUndoneIds } from './undo.ts'

export interface CardProps {
  item: AnswerItem
  /** The card is visible, so it loads the current state of its item. */
  isEnabled: boolean
  onAsk: AskAssistant
}

/** Sends a message about an item. */
export type AskAssistant = (
  text: string,
  about: { type: 'email' | 'event' | 'task' | 'contact'; id: number; title: string },
) => void

/** Whether an element has been visible. Cards above the visible messages load nothing. */
export const useWasVisible = () => {
  const element = useRef<HTMLLIElement>(null)
  const [wasVisible, setWasVisible] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setWasVisible(true)
    })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return { element, wasVisible }
}

/**
 * Loads the current state of an item, for its buttons. `said` is what the answer tells: the state after its change, or
 * the current one.
 */
export const useItem = <T extends object>(item: AnswerItem, isEnabled: boolean, load: () => Promise<T>) => {
  const query = useQuery({
    queryKey: ['assistant-item', item.type, item.id, item.occurrence],
    queryFn: load,
    enabled: isEnabled,
  })
  const data = (query.data ?? item.data) as T
  const said = (item.action === null ? data : { ...data, ...item.data }) as T
  return { data, said, isGone: isMissing(query.error) }
}

/** A field before and after the change of an answer: "Thursday → Friday". */
export const fromTo = (
  before: string | false | null | undefined,
  after: string | false | null | undefined,
) => (before && after && before !== after ? `${before} → ${after}` : after)

interface FrameProps {
  item: AnswerItem
  icon: LucideIcon
  /** Replaces the icon. */
  mark?: ReactNode
  href: string
  title: string
  isGone: boolean
  notes: readonly (string | null | undefined | false)[]
  children?: ReactNode
}

/** The common parts of a card: a link to the item, its facts, its actions, and the undo of the change. */
export const CardFrame = ({ item, icon: Icon, mark, href, title, isGone, notes, children }: FrameProps) => {
  const undone = useUndoneIds()
  const undo = useUndo()
  const { action } = item
  const undoId = action?.undoId ?? null
  const isUndone = undoId !== null && undone.has(undoId)
  const facts = isGone ? [t.cards.gone] : notes.filter((note): note is string => Boolean(note))
  const reasons = item.reasons.flatMap((reason) => t.cards.reasons[reason.code]?.(reason) ?? [])
  return (
    <div className="chat-card-main" data-gone={isGone || isUndone}>
      {mark ?? <Icon size={17} aria-hidden="true" />}
      <div className="chat-card-text">
        {isGone ? <span>{title}</span> : <Link href={href}>{title}</Link>}
        {reasons.length > 0 && <p className="chat-card-reasons">{reasons.join(' · ')}</p>}
        {facts.length > 0 && <p>{facts.join(' · ')}</p>}
        {item.quote !== null && <blockquote>{item.quote}</blockquote>}
        {action && isUndone && <p>{t.actionUndone(toToolLabel(action.tool))}</p>}
        {!isUndone && (
          <div className="chat-card-actions">
            {!isGone && children}
            {action && undoId !== null && (
              <Button
                kind="quiet"
                size="small"
                aria-label={t.undoAction(toToolLabel(action.tool))}
                onClick={() => void undo([undoId])}
              >
                <Undo2 size={14} aria-hidden="true" />
                {common.undo}
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  )
}

interface CardChange {
  /** Announced when the change is done. */
  text: string
  work: () => Promise<unknown>
  undo?: () => Promise<unknown>
}

/** Runs an action of a card, offers its undo, and reports its failure. */
export const useCardAction = () => {
  const queries = useQueryClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const run = async ({ text, work, undo }: CardChange): Promise<void> => {
    await attempt(async () => {
      await work()
      notify(text, undo ? { undo: () => void run({ text: t.undone, work: undo }) } : {})
    })
    await Promise.all(
      ['assistant-item', 'emails', 'tasks', 'calendar', 'stats'].map((key) =>
        queries.invalidateQueries({ queryKey: [key] }),
      ),
    )
  }
  return run
}
