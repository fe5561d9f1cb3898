import { useQuery } from '@tanstack/react-query'
import * as t from '#locale/mail-rules'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { useRefetch } from '../../../api/use-refetch.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import { useUndoActions } from '../../../ui/use-undo-actions.ts'
import { usePendingDeletionIds, useUndoableDelete } from '../../../ui/use-undoable-delete.ts'
import { KEYS } from '../use-emails.ts'
import type { MailRule } from './rule-words.ts'

const DELETION_KIND = 'mail-rules'
const MAX_COUNTED = 99

const rulesKey = [...KEYS.all, 'rules']
/** Queries that a run of a rule may change. */
const changedKeys = [KEYS.all, ['tasks'], ['tags'], ['activity']]

export const useRules = () => {
  const client = useClient()
  return usePaged(rulesKey, (page) => unwrap(client.GET('/api/mail-rules', { params: { query: page } })))
}

/** Ids of rules whose removal can still be undone. */
export const usePendingRuleDeletions = (): ReadonlySet<number> => usePendingDeletionIds(DELETION_KIND)

/** Describes how many inbox emails match a query. Null while loading. */
export const useMatchCount = (q: string): string | null => {
  const client = useClient()
  const typed = useDebouncedValue(q)
  const { data } = useQuery({
    queryKey: [...KEYS.all, 'match-count', typed],
    queryFn: () =>
      unwrap(
        client.GET('/api/emails', {
          params: { query: { q: typed, folder: 'inbox' as const, limit: MAX_COUNTED } },
        }),
      ),
    enabled: typed !== '',
  })
  if (typed !== q || !data) return null
  const { emails, nextCursor } = data
  if (emails.length === 0) return t.noMatches
  return nextCursor === null ? t.matches(emails.length) : t.moreMatches(MAX_COUNTED)
}

/** Dry run of a rule on the current inbox, never cached. */
export const useDryRun = (rule: MailRule | null) => {
  const client = useClient()
  return useQuery({
    queryKey: [...rulesKey, 'dry-run', rule?.id],
    queryFn: () =>
      unwrap(
        client.POST('/api/mail-rules/{id}/run', {
          params: { path: { id: rule?.id as number } },
          body: { dryRun: true },
        }),
      ),
    enabled: rule !== null,
    gcTime: 0,
  })
}

/** Rule actions. Each reports its result in a toast. */
export const useRuleActions = () => {
  const client = useClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const deleteWithUndo = useUndoableDelete()
  const refresh = useRefetch(...changedKeys)
  const undoActions = useUndoActions(...changedKeys)
  const pathOf = ({ id }: Pick<MailRule, 'id'>) => ({ params: { path: { id } } })

  /** Throws when the request fails. */
  const run = async (rule: MailRule): Promise<void> => {
    const { changed, more, actionId } = await unwrap(
      client.POST('/api/mail-rules/{id}/run', { ...pathOf(rule), body: {} }),
    )
    await refresh()
    if (actionId === null) return void notify(t.nothingToDo(rule.name))
    const result = { name: rule.name, count: changed }
    notify(more ? t.ranPartly(result) : t.ran(result), {
      undo: () => void undoActions([actionId], t.reverted),
    })
  }

  return {
    run,

    /** Creates or updates a rule. Throws when the request fails. */
    async save(rule: MailRule | null, body: Shape<'NewMailRule'>): Promise<void> {
      if (rule) {
        const changed = await unwrap(client.PATCH('/api/mail-rules/{id}', { ...pathOf(rule), body }))
        await refresh()
        return void notify(t.saved(changed.name))
      }
      const created = await unwrap(client.POST('/api/mail-rules', { body }))
      await refresh()
      notify(t.created(created.name), {
        offer: {
          label: t.applyToInbox,
          accept: () => void attempt(() => run(created)),
        },
      })
    },

    async turn(rule: MailRule, enabled: boolean): Promise<void> {
      await attempt(async () => {
        await unwrap(client.PATCH('/api/mail-rules/{id}', { ...pathOf(rule), body: { enabled } }))
        notify(enabled ? t.turnedOn(rule.name) : t.turnedOff(rule.name))
      })
      await refresh()
    },

    remove: (rule: MailRule): void =>
      deleteWithUndo({
        kind: DELETION_KIND,
        target: rule.id,
        toastText: t.deleted(rule.name),
        undoneText: t.restored(rule.name),
        async send() {
          try {
            await unwrap(client.DELETE('/api/mail-rules/{id}', { ...pathOf(rule), keepalive: true }))
          } finally {
            await refresh()
          }
        },
      }),
  }
}
