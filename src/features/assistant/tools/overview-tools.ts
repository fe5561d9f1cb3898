import type { Briefing } from '../../briefing/briefing.ts'
import type { PrivacyCheckedItem } from './privacy.ts'
import type { ToolDeps } from './services.ts'
import { defineTool, type Tool, type ToolUse } from './tool.ts'

type BriefingContent = Awaited<ReturnType<Briefing['of']>>

export const createOverviewTools = (deps: ToolDeps): Tool[] => {
  const { contracts, dashboard, briefing, tasks, events, privacy } = deps

  /** Returns the ids of private items. */
  const findPrivate = async (kind: 'tasks' | 'events', userId: number, ids: readonly number[]) => {
    const service = { tasks, events }[kind]
    const all: PrivacyCheckedItem[] = []
    for (const id of new Set(ids)) all.push(await service.get(userId, id))
    return privacy[kind](userId, all)
  }

  /** Removes private items for a model. The text and summary mention all items, so they are omitted. */
  const withoutPrivate = async (userId: number, { text: _, summary: __, ...content }: BriefingContent) => {
    const mails = await privacy.emails(
      userId,
      [...(content.waiting ?? []), ...(content.commitments ?? [])].flatMap(({ emailId }) => emailId ?? []),
    )
    const work = await findPrivate(
      'tasks',
      userId,
      [...(content.due ?? []), ...(content.overdue ?? [])].map(({ id }) => id),
    )
    const taken = await findPrivate(
      'events',
      userId,
      (content.events ?? []).map(({ id }) => id),
    )
    // The tags of a deleted email are unknown, so that a promise in it may be private.
    const isOpenMail = ({ emailId }: { emailId: number | null }): boolean =>
      emailId !== null && !mails.has(emailId)
    const isOpenTask = ({ id }: { id: number }): boolean => !work.has(id)
    const isOpenEvent = ({ id }: { id: number }): boolean => !taken.has(id)
    return {
      ...content,
      ...(content.events && { events: content.events.filter(isOpenEvent) }),
      ...(content.conflicts && {
        conflicts: content.conflicts.filter((one) => one.events.every(isOpenEvent)),
      }),
      ...(content.due && { due: content.due.filter(isOpenTask) }),
      ...(content.overdue && { overdue: content.overdue.filter(isOpenTask) }),
      ...(content.waiting && { waiting: content.waiting.filter(isOpenMail) }),
      ...(content.commitments && { commitments: content.commitments.filter(isOpenMail) }),
    }
  }

  const read = async (date: string | undefined, { caller, userId, sendsToModel }: ToolUse) => {
    const content = await briefing.of(caller, date)
    const open = sendsToModel ? await withoutPrivate(userId, content) : content
    const mails = [...(open.waiting ?? []), ...(open.commitments ?? [])].flatMap(
      ({ emailId }) => emailId ?? [],
    )
    return { content: open, mails: [...new Set(mails)] }
  }

  return [
    defineTool(contracts.get_statistics, {
      async run(_input, { caller, userId, sendsToModel }) {
        const figures = await dashboard.read(caller)
        const { events: counted } = figures
        if (!sendsToModel || !counted?.next) return { result: figures }
        const { next } = counted
        const isHidden = (await findPrivate('events', userId, [next.id])).has(next.id)
        // The title may come from an email that becomes private later; `list_events` names its source.
        const open = isHidden ? null : { ...next, title: '' }
        return { result: { ...figures, events: { ...counted, next: open } } }
      },
    }),
    defineTool(contracts.get_briefing, {
      async run({ date }, use) {
        const { content, mails } = await read(date, use)
        // The text mentions all items, so private ones may be among them.
        return { result: content, emails: mails, isPrivate: !use.sendsToModel }
      },
    }),
    defineTool(contracts.find_unanswered, {
      async run(_input, use) {
        const { content } = await read(undefined, use)
        const waiting = content.waiting ?? []
        return { result: { waiting }, emails: waiting.map(({ emailId }) => emailId) }
      },
    }),
  ]
}
