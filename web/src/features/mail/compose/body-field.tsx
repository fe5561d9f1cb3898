import { type RefObject, Suspense, useCallback, useEffect, useRef } from 'react'
import * as t from '#locale/mail-compose'
import { Skeleton } from '../../../ui/notice.tsx'
import type { EditorHandle } from './rich-text/editor.tsx'
import { RichTextEditor } from './rich-text/lazy.ts'
import type { ComposerState } from './use-composer.ts'

interface BodyFieldProps {
  composer: ComposerState
  /** Set for an answer: the cursor starts above the quote. */
  focuses: boolean
  area: RefObject<HTMLTextAreaElement | null>
  onSlash: () => void
}

/** The text of the message: formatted, or plain in a text area. */
export const BodyField = ({ composer, focuses, area, onSlash }: BodyFieldProps) => {
  const { draft, editor, images, addFiles } = composer
  const { html, text } = draft.fields
  const awaitsFocus = useRef(focuses)
  const setEditor = useCallback(
    (handle: EditorHandle | null) => {
      editor.current = handle
      if (handle && awaitsFocus.current) awaitsFocus.current = !handle.focusStart()
    },
    [editor],
  )
  // Puts the cursor above the quoted text of a reply.
  useEffect(() => {
    if (!awaitsFocus.current || !area.current) return
    awaitsFocus.current = false
    area.current.focus({ preventScroll: true })
    area.current.setSelectionRange(0, 0)
  }, [area])

  if (html === null)
    return (
      <textarea
        ref={area}
        className="input composer-text"
        aria-label={t.text}
        dir="auto"
        rows={12}
        maxLength={1_000_000}
        value={text}
        onChange={(event) => draft.change({ text: event.target.value })}
        onPaste={(event) => {
          const files = [...event.clipboardData.files]
          if (files.length === 0) return
          event.preventDefault()
          addFiles(files)
        }}
      />
    )
  return (
    <Suspense fallback={<Skeleton lines={6} />}>
      <RichTextEditor
        ref={setEditor}
        label={t.text}
        value={html}
        onChange={(changed) => draft.change({ html: changed })}
        loadImage={images.load}
        uploadImage={images.upload}
        onFiles={addFiles}
        onSlash={onSlash}
      />
    </Suspense>
  )
}
