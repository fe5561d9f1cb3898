import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import * as t from '#locale/mail'
import { unwrapVersion, type Versioned } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import type { Email } from '../folders.ts'
import type { MailNavigation } from '../url-state.ts'
import { Composer } from './composer.tsx'
import { continueDraft } from './seeds.ts'

interface DraftEditorProps {
  id: number
  notice: ReactNode
  onDone: () => void
  navigation: MailNavigation
}

const Editor = ({ draft, ...rest }: Omit<DraftEditorProps, 'id'> & { draft: Versioned<Email> }) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: typed text is newer than a refetched draft
  const seed = useMemo(() => continueDraft(draft.value, draft.etag), [])
  return <Composer seed={seed} title={t.draft} {...rest} />
}

/** Opens the latest version of a draft for editing. */
export const DraftEditor = ({ id, ...rest }: DraftEditorProps) => {
  const client = useClient()
  const query = useQuery({
    queryKey: ['draft', id],
    queryFn: () => unwrapVersion(client.GET('/api/emails/{id}', { params: { path: { id } } })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Loaded query={query} lines={6}>
      {(draft) => <Editor draft={draft} {...rest} />}
    </Loaded>
  )
}
