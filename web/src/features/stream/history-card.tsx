import { Download, History, Trash2 } from 'lucide-react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/stream'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { describeError } from '../../api/problem.ts'
import { formatDuration } from '../../locales/format.ts'
import { Card, Tag } from '../../ui/card.tsx'
import { Empty } from '../../ui/notice.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { Row, RowList } from '../../ui/rows.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useDates } from '../../ui/time.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { usePendingDeletionIds } from '../../ui/use-undoable-delete.ts'
import { languageName } from './language-name.ts'
import { type Stream, type StreamActions, useStreams } from './use-stream.ts'

const FILES = { vtt: '/api/stream/captions.vtt', srt: '/api/stream/captions.srt' } as const

const nameOf = ({ title, rehearsal }: Stream): string => title || (rehearsal ? t.rehearsal : t.untitled)

const lengthOf = ({ startedAt, stoppedAt }: Stream): string =>
  formatDuration(Math.round((Date.parse(stoppedAt ?? startedAt) - Date.parse(startedAt)) / 60_000))

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
    <Card title={t.pastStreams} about={t.pastStreamsHelp}>
      <RowList
        needsClick
        query={query}
        itemsOf={({ streams }) =>
          streams.filter(({ id, stoppedAt }) => stoppedAt !== null && !pendingIds.has(id))
        }
        empty={<Empty icon={History} title={t.noPastStreams} about={t.noPastStreamsHelp} />}
        label={t.pastStreams}
      >
        {(stream) => (
          <Row
            key={stream.id}
            title={nameOf(stream)}
            tags={stream.rehearsal && <Tag>{t.rehearsal}</Tag>}
            actions={
              <RowMenu
                label={t.moreFor(nameOf(stream))}
                actions={[
                  ...stream.languages.flatMap(({ language }) =>
                    (['vtt', 'srt'] as const).map((kind) => ({
                      label: t.downloadCaptions({ language: languageName(language), format: kind }),
                      icon: Download,
                      onSelect: () => void download(stream, language, kind),
                    })),
                  ),
                  {
                    label: common.remove,
                    icon: Trash2,
                    onSelect: () => actions.removeStream(stream, nameOf(stream)),
                  },
                ]}
              />
            }
          >
            <p className="row-notes">
              <time dateTime={stream.startedAt}>{dateTime(stream.startedAt)}</time>
              <span>{lengthOf(stream)}</span>
              {stream.languages.map(({ language, captions }) => (
                <span key={language}>
                  {t.captionCount({ count: captions, language: languageName(language) })}
                </span>
              ))}
            </p>
          </Row>
        )}
      </RowList>
    </Card>
  )
}
