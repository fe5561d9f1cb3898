import { Download, History, Trash2 } from 'lucide-react'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { describeError } from '../../api/problem.ts'
import { Card, Tag } from '../../ui/card.tsx'
import { LoadedList } from '../../ui/loaded.tsx'
import { Empty } from '../../ui/notice.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useDates } from '../../ui/time.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { usePendingDeletionIds } from '../../ui/use-undoable-delete.ts'
import { type Stream, type StreamActions, useStreams } from './use-stream.ts'

const FILES = { vtt: '/api/stream/captions.vtt', srt: '/api/stream/captions.srt' } as const

const nameOf = ({ title, rehearsal }: Stream): string => title || (rehearsal ? 'Rehearsal' : 'Untitled')

const lengthOf = ({ startedAt, stoppedAt }: Stream): string => {
  const minutes = Math.round((Date.parse(stoppedAt ?? startedAt) - Date.parse(startedAt)) / 60_000)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export const HistoryCard = ({ actions }: { actions: StreamActions }) => {
  const client = useClient()
  const notify = useNotify()
  const { dateTime } = useDates()
  const query = useStreams()
  const pendingIds = usePendingDeletionIds('stream')
  const download = async ({ id: streamId }: Stream, language: string, kind: keyof typeof FILES) => {
    try {
      const content = await unwrap(
        client.GET(FILES[kind], { params: { query: { streamId, language } }, parseAs: 'blob' }),
      )
      saveFile(content as unknown as Blob, `stream-${streamId}.${language}.${kind}`)
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
  return (
    <Card title="Past streams" about="Every stream with its captions, as files for players and editors.">
      <LoadedList
        needsClick
        query={query}
        itemsOf={({ streams }) =>
          streams.filter(({ id, stoppedAt }) => stoppedAt !== null && !pendingIds.has(id))
        }
        empty={
          <Empty icon={History} title="No streams yet">
            <p>When one has ended, you find it here.</p>
          </Empty>
        }
      >
        {(streams) => (
          <ul className="rows" aria-label="Past streams">
            {streams.map((stream) => (
              <li key={stream.id}>
                <div className="row-main">
                  <p className="row-title">
                    {nameOf(stream)}
                    {stream.rehearsal && <Tag>rehearsal</Tag>}
                  </p>
                  <p className="row-notes">
                    <time dateTime={stream.startedAt}>{dateTime(stream.startedAt)}</time>
                    <span>{lengthOf(stream)}</span>
                    {stream.languages.map(({ language, captions }) => (
                      <span key={language}>
                        {captions} in {language}
                      </span>
                    ))}
                  </p>
                </div>
                <RowMenu
                  label={`More for ${nameOf(stream)}`}
                  actions={[
                    ...stream.languages.flatMap(({ language }) =>
                      (['vtt', 'srt'] as const).map((kind) => ({
                        label: `Captions in ${language}, .${kind}`,
                        icon: Download,
                        onSelect: () => void download(stream, language, kind),
                      })),
                    ),
                    {
                      label: 'Delete',
                      icon: Trash2,
                      onSelect: () => actions.removeStream(stream, nameOf(stream)),
                    },
                  ]}
                />
              </li>
            ))}
          </ul>
        )}
      </LoadedList>
    </Card>
  )
}
