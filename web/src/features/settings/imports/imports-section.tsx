import { FileInput, TriangleAlert, Upload } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import * as t from '#locale/imports'
import { sections } from '#locale/settings'
import * as common from '#locale/shared-texts'
import { toServerPath } from '../../../api/base-path.ts'
import { type Client, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { describeError } from '../../../api/problem.ts'
import { useRefetch } from '../../../api/use-refetch.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { Empty, Notice } from '../../../ui/notice.tsx'
import { type FileImport, ImportRow, importsKey } from './import-row.tsx'
import './imports.css'

const { label, about, cards } = sections.imports

const uploadFile = (client: Client, file: File): Promise<FileImport> =>
  unwrap(
    client.POST('/api/imports', {
      params: { query: { filename: file.name.slice(-255) || 'file' } },
      body: file as unknown as string,
      bodySerializer: (body: unknown) => body as File,
      headers: { 'content-type': 'application/octet-stream' },
    }),
  )

const UploadCard = () => {
  const client = useClient()
  const changed = useRefetch(importsKey)
  const chooser = useRef<HTMLInputElement>(null)
  const [name, setName] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isOver, setIsOver] = useState(false)
  const upload = async (files: readonly File[]) => {
    if (files.length === 0 || name !== null) return
    setFailure(null)
    try {
      // One after another: Google Takeout has several parts of many gigabytes.
      for (const file of files) {
        setName(file.name)
        await uploadFile(client, file)
        await changed()
      }
    } catch (error) {
      setFailure(describeError(error))
    } finally {
      setName(null)
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    void upload([...event.dataTransfer.files])
  }
  return (
    <Card id="file" title={cards.file.label} about={t.uploadAbout}>
      <div role="alert" hidden={failure === null}>
        {failure !== null && (
          <Notice tone="bad" icon={TriangleAlert}>
            {failure}
          </Notice>
        )}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same without a mouse */}
      <div
        className="import-drop"
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        {name === null ? (
          <>
            <Button onClick={() => chooser.current?.click()}>
              <Upload size={16} aria-hidden="true" />
              {t.chooseFile}
            </Button>
            <p className="quiet">{t.dropHere}</p>
            <a href={toServerPath('/help/importing')} target="_blank" rel="noreferrer">
              {t.howToExport}
            </a>
          </>
        ) : (
          <>
            <p role="status">{t.uploading(name)}</p>
            <progress aria-label={t.uploading(name)} />
          </>
        )}
      </div>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label={t.fileToImport}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          // Resets the input, so that the same file can be selected again after a failure.
          event.target.value = ''
          void upload(files)
        }}
      />
    </Card>
  )
}

export const ImportsSection = () => {
  const client = useClient()
  const query = usePaged(importsKey, (page) =>
    unwrap(client.GET('/api/imports', { params: { query: page } })),
  )
  return (
    <Page title={label} within={common.settings} about={about}>
      <UploadCard />
      <Card id="imports" title={cards.imports.label}>
        <LoadedList
          query={query}
          itemsOf={({ imports }) => imports}
          empty={<Empty icon={FileInput} title={t.none} about={t.noneAbout} />}
        >
          {(imports) => (
            <ul className="import-list">
              {imports.map((one) => (
                <ImportRow key={one.id} value={one} />
              ))}
            </ul>
          )}
        </LoadedList>
      </Card>
    </Page>
  )
}
