import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { tell } from '../../../api/problem.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { useLeave, useLeavingIds } from '../../../ui/use-leaving.ts'
import { useSettled } from '../../../ui/use-settled.ts'
import { KEYS } from '../use-emails.ts'
import { type MailRule, mailsInWords } from './rule-words.ts'

const LEAVING = 'mail-rules'
const MOST_COUNTED = 99

const rulesKey = [...KEYS.all, 'rules']

export const useRules = () => {
  const client = useClient()
  return usePaged(rulesKey, (page) => unwrap(client.GET('/api/mail-rules', { params: { query: page } })))
}

/** Those that are removed unless that is taken back: they are not shown. */
export const useLeavingRules = (): ReadonlySet<number> => useLeavingIds(LEAVING)

/** How many e-mails of the inbox a search finds, once it is typed; null while nobody knows. */
export const useFitting = (q: string): string | null => {
  const client = useClient()
  const typed = useSettled(q)
  const { data } = useQuery({
    queryKey: [...KEYS.all, 'fitting', typed],
    queryFn: () =>
      unwrap(
        client.GET('/api/emails', {
          params: { query: { q: typed, folder: 'inbox' as const, limit: MOST_COUNTED } },
        }),
      ),
    enabled: typed !== '',
  })
  if (typed !== q || !data) return null
  const { emails, nextCursor } = data
  if (emails.length === 0) return 'No e-mail in your inbox fits so far.'
  const many = nextCursor === null ? mailsInWords(emails.length) : `More than ${mailsInWords(MOST_COUNTED)}`
  return `${many} in your inbox ${emails.length === 1 ? 'fits' : 'fit'}.`
}

/** What a rule would do with the inbox as it is; read anew each time it is asked. */
export const useTrial = (rule: MailRule | null) => {
  const client = useClient()
  return useQuery({
    queryKey: [...rulesKey, 'trial', rule?.id],
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

/** What can be done with rules; each says how it went. */
export const useRuleDeeds = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const leave = useLeave()
  const refresh = () =>
    Promise.all(
      [KEYS.all, ['tasks'], ['tags'], ['activity']].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    )
  const pathOf = ({ id }: Pick<MailRule, 'id'>) => ({ params: { path: { id } } })

  const takeBack = async (id: number) => {
    try {
      await unwrap(client.POST('/api/actions/{id}/undo', { params: { path: { id } } }))
      notify('The e-mails are as they were.')
    } catch (error) {
      notify(tell(error), { failed: true })
    }
    await refresh()
  }

  /** Refused it throws: whoever asked shows why. */
  const run = async (rule: MailRule): Promise<void> => {
    const { changed, more, actionId } = await unwrap(
      client.POST('/api/mail-rules/{id}/run', { ...pathOf(rule), body: {} }),
    )
    await refresh()
    if (actionId === null) notify(`“${rule.name}” has nothing to do in your inbox.`)
    else
      notify(
        `“${rule.name}”: ${mailsInWords(changed)} done.${more ? ' Older ones fit as well: run it again.' : ''}`,
        { undo: () => void takeBack(actionId) },
      )
  }

  return {
    run,

    /** Makes it, or changes the one there is. Refused it throws. */
    async save(rule: MailRule | null, body: Shape<'NewMailRule'>): Promise<void> {
      if (rule) {
        const changed = await unwrap(client.PATCH('/api/mail-rules/{id}', { ...pathOf(rule), body }))
        await refresh()
        return void notify(`“${changed.name}” is saved.`)
      }
      const made = await unwrap(client.POST('/api/mail-rules', { body }))
      await refresh()
      notify(`“${made.name}” is on: e-mails that fit are filed as they arrive.`, {
        offer: {
          label: 'Apply to the inbox',
          accept: () => void run(made).catch((error: unknown) => notify(tell(error), { failed: true })),
        },
      })
    },

    async turn(rule: MailRule, enabled: boolean): Promise<void> {
      try {
        await unwrap(client.PATCH('/api/mail-rules/{id}', { ...pathOf(rule), body: { enabled } }))
        notify(`“${rule.name}” is ${enabled ? 'on' : 'off'}.`)
      } catch (error) {
        notify(tell(error), { failed: true })
      }
      await refresh()
    },

    remove: (rule: MailRule): void =>
      leave({
        kind: LEAVING,
        what: rule.id,
        said: `“${rule.name}” is removed.`,
        back: `“${rule.name}” is back.`,
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
