import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, Trash2, Upload } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import * as t from '#locale/account-settings'
import { sections } from '#locale/settings'
import { pictureQuery, useAccountChanged } from '../../../api/account.ts'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { ApiError, describeError } from '../../../api/problem.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { useNotify } from '../../../ui/toast.tsx'

const TYPES = ['image/png', 'image/jpeg', 'image/webp']
const MAX_BYTES = 2 * 1024 * 1024

/** Checks type and size before the upload. Only the API checks the actual content. */
const validatePicture = (file: File): string | null => {
  if (!TYPES.includes(file.type)) return t.wrongPictureType
  if (file.size > MAX_BYTES) return t.pictureTooLarge(Math.round((file.size / 1024 / 1024) * 10) / 10)
  return null
}

const usePictureChanges = () => {
  const client = useClient()
  const changed = useAccountChanged()
  const put = async (picture: Blob): Promise<void> => {
    await unwrap(
      client.PUT('/api/settings/profile/avatar', {
        // The OpenAPI types describe binary bodies as string. The blob is sent unchanged.
        body: picture as unknown as string,
        bodySerializer: (body) => body as unknown as Blob,
        headers: { 'content-type': picture.type },
      }),
    )
    await changed()
  }
  const remove = async (): Promise<void> => {
    await unwrap(client.DELETE('/api/settings/profile/avatar'))
    await changed()
  }
  return { put, remove }
}

export const Picture = ({ name, avatarUrl }: { name: string; avatarUrl: string | null }) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const chooser = useRef<HTMLInputElement>(null)
  const errorId = useId()
  const [preview, setPreview] = useState<File | null>(null)
  const [error, setError] = useState<string | null>(null)
  const { put, remove } = usePictureChanges()
  const fail = (reason: unknown) => notify(describeError(reason), { failed: true })

  const upload = useMutation({
    mutationFn: put,
    onSuccess: () => {
      setPreview(null)
      notify(t.pictureSaved)
    },
    onError: (reason) => {
      setPreview(null)
      setError(
        reason instanceof ApiError && reason.code === 'unsupported_media_type'
          ? t.unreadablePicture
          : describeError(reason),
      )
    },
  })
  const removal = useMutation({
    mutationFn: async () => {
      const before = queries.getQueryData(pictureQuery(client, avatarUrl).queryKey)
      await remove()
      return before
    },
    onSuccess: (before) =>
      notify(t.pictureDeleted, before ? { undo: () => void put(before).catch(fail) } : {}),
    onError: fail,
  })

  const choose = (file: File | undefined) => {
    if (!file) return
    const errorMessage = validatePicture(file)
    setError(errorMessage)
    setPreview(errorMessage === null ? file : null)
    if (errorMessage === null) upload.mutate(file)
    // Resets the input, so that the same file can be selected again.
    if (chooser.current) chooser.current.value = ''
  }

  return (
    <div className="picture">
      <Avatar name={name} avatarUrl={avatarUrl} size="large" preview={preview} />
      <div className="picture-side">
        <div className="form-actions">
          <Button
            busy={upload.isPending}
            onClick={() => chooser.current?.click()}
            aria-describedby={error ? errorId : undefined}
          >
            {!upload.isPending && <Upload size={16} aria-hidden="true" />}
            {avatarUrl === null ? t.uploadPicture : t.changePicture}
          </Button>
          <input
            ref={chooser}
            type="file"
            hidden
            aria-label={sections.profile.cards.picture.label}
            accept={TYPES.join(',')}
            onChange={(event) => choose(event.target.files?.[0])}
          />
          {avatarUrl !== null && (
            <Button kind="quiet" busy={removal.isPending} onClick={() => removal.mutate()}>
              {!removal.isPending && <Trash2 size={16} aria-hidden="true" />}
              {t.deletePicture}
            </Button>
          )}
        </div>
        <div role="alert">
          {error !== null && (
            <p className="field-error" id={errorId}>
              <CircleAlert size={15} aria-hidden="true" />
              {error}
            </p>
          )}
        </div>
      </div>
    </div>
  )
}
