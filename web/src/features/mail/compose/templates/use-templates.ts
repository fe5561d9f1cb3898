import { useQuery } from '@tanstack/react-query'
import * as t from '#locale/mail-templates'
import { type Shape, unwrap } from '../../../../api/client.ts'
import { useClient } from '../../../../api/context.tsx'
import { useRefetch } from '../../../../api/use-refetch.ts'
import { useNotify } from '../../../../ui/toast.tsx'

export type MailTemplate = Shape<'MailTemplate'>
export type TemplateInput = Pick<MailTemplate, 'name' | 'subject' | 'html'>

const KEY = ['mail-templates']
const PAGE = 200

export const useTemplates = () => {
  const client = useClient()
  return useQuery({
    queryKey: KEY,
    queryFn: async () => {
      const all: MailTemplate[] = []
      let cursor: string | undefined
      do {
        const { mailTemplates, nextCursor } = await unwrap(
          client.GET('/api/mail-templates', {
            params: { query: { limit: PAGE, ...(cursor !== undefined && { cursor }) } },
          }),
        )
        all.push(...mailTemplates)
        cursor = nextCursor ?? undefined
      } while (cursor !== undefined)
      return all
    },
  })
}

/** Saves and removes templates. Throws the API error. */
export const useTemplateActions = () => {
  const client = useClient()
  const notify = useNotify()
  const refresh = useRefetch(KEY)
  return {
    async save(input: TemplateInput, id: number | null): Promise<void> {
      await (id === null
        ? unwrap(client.POST('/api/mail-templates', { body: input }))
        : unwrap(client.PATCH('/api/mail-templates/{id}', { params: { path: { id } }, body: input })))
      await refresh()
      notify(t.saved(input.name))
    },
    async remove({ id, name }: MailTemplate): Promise<void> {
      await unwrap(client.DELETE('/api/mail-templates/{id}', { params: { path: { id } } }))
      await refresh()
      notify(t.removed(name))
    },
  }
}
