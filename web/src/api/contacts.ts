import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '../ui/use-debounced-value.ts'
import { type Client, ifMatch, type Shape, unwrap, unwrapVersion } from './client.ts'
import { useClient } from './context.tsx'
import { usePaged } from './paged.ts'
import { useRefetch } from './use-refetch.ts'

export type Contact = Shape<'Contact'>
export type Suggestion = Shape<'ContactSuggestion'>
export type ContactInput = Shape<'NewContact'>
export type ImportReport = Shape<'ContactImportReport'>

export const contactsKey = ['contacts'] as const

const PAGE_SIZE = 100

/** The name that lists show. */
export const nameOfContact = ({ name, organization, addresses }: Contact): string =>
  name || organization || addresses[0]?.address || ''

export const useContactList = (q: string, known: boolean) => {
  const client = useClient()
  return usePaged([...contactsKey, 'list', { q, known }], ({ cursor }) =>
    unwrap(
      client.GET('/api/contacts', {
        params: {
          query: {
            limit: PAGE_SIZE,
            ...(q !== '' && { q }),
            ...(known && { known }),
            ...(cursor !== undefined && { cursor }),
          },
        },
      }),
    ),
  )
}

export const contactQuery = (client: Client, id: number) =>
  queryOptions({
    queryKey: [...contactsKey, 'one', id],
    queryFn: () => unwrapVersion(client.GET('/api/contacts/{id}', { params: { path: { id } } })),
  })

export const duplicatesQuery = (client: Client) =>
  queryOptions({
    queryKey: [...contactsKey, 'duplicates'],
    queryFn: () => unwrap(client.GET('/api/contacts/duplicates')),
  })

const SUGGESTIONS = 6

/** Addresses that match the typed text, while the field is in use. */
export const useAddressSuggestions = (typed: string, isOn: boolean): readonly Suggestion[] => {
  const client = useClient()
  const q = useDebouncedValue(typed.trim())
  const isAsked = isOn && q !== ''
  const { data } = useQuery({
    queryKey: [...contactsKey, 'suggest', q],
    queryFn: () =>
      unwrap(client.GET('/api/contacts/suggest', { params: { query: { q, limit: SUGGESTIONS } } })),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return isAsked && typed.trim() !== '' ? (data?.suggestions ?? []) : []
}

const VCARD_TYPE = 'text/vcard'

/** Changes of contacts. Each refetches what shows contacts. */
export const useContactActions = () => {
  const client = useClient()
  const refetch = useRefetch(contactsKey)
  return {
    async create(body: ContactInput): Promise<Contact> {
      const contact = await unwrap(client.POST('/api/contacts', { body }))
      await refetch()
      return contact
    },
    async change(id: number, body: ContactInput, etag: string | null): Promise<Contact> {
      const params = { path: { id } }
      const headers = ifMatch(etag)
      try {
        return await unwrap(client.PATCH('/api/contacts/{id}', { params, body, headers }))
      } finally {
        await refetch()
      }
    },
    async remove(id: number, isUnloading: boolean): Promise<void> {
      await unwrap(client.DELETE('/api/contacts/{id}', { params: { path: { id } }, keepalive: isUnloading }))
      if (!isUnloading) await refetch()
    },
    async merge(id: number, contactIds: number[]): Promise<Shape<'ContactMerge'>> {
      const params = { path: { id } }
      const merged = await unwrap(client.POST('/api/contacts/{id}/merge', { params, body: { contactIds } }))
      await refetch()
      return merged
    },
    async importFile(file: File): Promise<ImportReport> {
      const report = await unwrap(
        client.POST('/api/contacts/import', {
          body: file as unknown as string,
          bodySerializer: (body: unknown) => body as File,
          headers: { 'content-type': VCARD_TYPE },
        }),
      )
      await refetch()
      return report
    },
    exportAll: (): Promise<Blob> =>
      unwrap(client.GET('/api/contacts/export', { parseAs: 'blob' })) as Promise<unknown> as Promise<Blob>,
    exportOne: (id: number): Promise<Blob> =>
      unwrap(
        client.GET('/api/contacts/{id}/vcard', { params: { path: { id } }, parseAs: 'blob' }),
      ) as Promise<unknown> as Promise<Blob>,
  }
}
