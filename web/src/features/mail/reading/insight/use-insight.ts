import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as t from '#locale/mail'
import { type Shape, unwrap } from '../../../../api/client.ts'
import { useClient } from '../../../../api/context.tsx'
import { useNotify } from '../../../../ui/toast.tsx'
import { useAttempt } from '../../../../ui/use-attempt.ts'
import type { Email } from '../../folders.ts'

export type Findings = Shape<'EmailIntelligence'>
export type ActionItem = Findings['actionItems'][number]
export type FoundMeeting = Findings['meetings'][number]

/** Sent mail and drafts are not analysed. */
export const isFromOthers = ({ folder }: Email): boolean => folder !== 'sent' && folder !== 'drafts'

/** Loads the findings about an email. The service analyses the text locally and stores nothing. */
export const useFindings = (email: Email) => {
  const client = useClient()
  return useQuery({
    queryKey: ['email-findings', email.id],
    queryFn: ({ signal }) =>
      unwrap(client.POST('/api/ai/email-intelligence', { body: { emailId: email.id }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

/** Runs a create action once per finding and offers to undo it. */
export const useCreateOnce = () => {
  const notify = useNotify()
  const attempt = useAttempt()
  const [created, setCreated] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState<string | null>(null)
  const mark = (key: string, isCreated: boolean) =>
    setCreated((before) => {
      const after = new Set(before)
      isCreated ? after.add(key) : after.delete(key)
      return after
    })
  const create = async (
    key: string,
    work: () => Promise<{ toastText: string; undo?: () => Promise<unknown> }>,
  ) => {
    setBusy(key)
    await attempt(async () => {
      const { toastText, undo } = await work()
      mark(key, true)
      const revert = () =>
        attempt(async () => {
          await undo?.()
          mark(key, false)
          notify(t.undone)
        })
      notify(toastText, undo ? { undo: () => void revert() } : {})
    })
    setBusy(null)
  }
  return { create, isCreated: (key: string) => created.has(key), isBusy: (key: string) => busy === key }
}

/** Creates tasks and events from an email. */
export const useInsightActions = (email: Email) => {
  const client = useClient()
  const queries = useQueryClient()
  const { create, isCreated, isBusy } = useCreateOnce()
  const changed = (...key: string[]) => queries.invalidateQueries({ queryKey: key })
  return {
    isCreated,
    isBusy,
    addTask: (key: string, { title, dueAt, dueDay }: ActionItem) =>
      create(key, async () => {
        const body = {
          title: title.slice(0, 500),
          emailId: email.id,
          ...(dueDay ? { dueDay } : { dueAt }),
        }
        const { id } = await unwrap(client.POST('/api/tasks', { body }))
        void changed('tasks')
        return {
          toastText: t.taskAdded(title),
          async undo() {
            await unwrap(client.DELETE('/api/tasks/{id}', { params: { path: { id } } }))
            await changed('tasks')
          },
        }
      }),
    addEvent: (key: string, meeting: FoundMeeting) =>
      create(key, async () => {
        const { title, actionId } = await unwrap(
          client.POST('/api/calendar/events/from-email', { body: { meeting, emailId: email.id } }),
        )
        void changed('calendar')
        if (actionId === null) return { toastText: t.eventExists(title) }
        return {
          toastText: t.eventAdded(title),
          async undo() {
            await unwrap(client.POST('/api/actions/{id}/undo', { params: { path: { id: actionId } } }))
            await changed('calendar')
          },
        }
      }),
  }
}
