import { Download, History, Trash2 } from 'lucide-react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/stream'
import { unwrapFile } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { formatDuration } from '../../locales/format.ts'
import { Tag } from '../../ui/card.tsx'
import { ListCard } from '../../ui/list-card.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { Row } from '../../ui/rows.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useDates } from '../../ui/time.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import { usePendingDeletionIds } from '../../ui/use-undoable-delete.ts'
import { languageName } from './language-name.ts'
import { type Stream, type StreamActions, useStreams } from './use-stream.ts'

const FILES = { vtt: '/api/stream/captions.vtt', srt: '/api/stream/captions.srt' } as const

const nameOf = ({ title, rehearsal }: Stream): string => title || (rehearsal ? t.rehearsal : t.untitled)

const lengthOf = ({ startedAt, stoppedAt }: Stream): string =>
  formatDuration(Math.round((Date.parse(stoppedAt ?? startedAt) - Date.parse(startedAt)) / 60_000))

export const HistoryCard = ({ actions }: { actions: StreamActions }) => {
  const client = useClient()
  const attempt = useAttempt()
  const { dateTime } = useDates()
  const query = useStreams()
  const pendingIds = usePendingDeletionIds('stream')
  const download = ({ id: streamId }: Stream, language: string, kind: keyof typeof FILES) =>
    attempt(async () => {
      const call = client.GET(FILES[kind], { params: { query: { streamId, language } }, parseAs: 'blob' })
      saveFile(await unwrapFile(call), `stream-${streamId}.${language}.${kind}`)
    })
  return (
    <ListCard
      title={t.pastStreams}
      about={t.pastStreamsHelp}
      needsClick
      query={query}
      itemsOf={({ streams }) =>
        streams.filter(({ id, stoppedAt }) => stoppedAt !== null && !pendingIds.has(id))
      }
      empty={{ icon: History, title: t.noPastStreams, about: t.noPastStreamsHelp }}
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
    </ListCard>
  )
}
