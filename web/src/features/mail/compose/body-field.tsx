import { type RefObject, Suspense, useCallback, useEffect, useRef } from 'react'
import * as t from '#locale/mail-compose'
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

/** Takes the keys until the editor has loaded. Else they would be lost, or run shortcuts of the page. */
const EarlyText = ({ focuses, text }: { focuses: boolean; text: RefObject<string> }) => (
  <textarea
    // biome-ignore lint/a11y/noAutofocus: the editor that replaces it gets the focus too
    autoFocus={focuses}
    className="input composer-text"
    aria-label={t.editorLoading}
    onChange={(event) => {
      text.current = event.target.value
    }}
    onKeyDown={(event) => {
      // The message is not complete yet, so Ctrl+Enter must not send it.
      if (event.key === 'Enter') event.stopPropagation()
    }}
  />
)

/** The text of the message: formatted, or plain in a text area. */
export const BodyField = ({ composer, focuses, area, onSlash }: BodyFieldProps) => {
  const { draft, editor, images, addFiles } = composer
  const { html, text } = draft.fields
  const awaitsFocus = useRef(focuses)
  const earlyText = useRef('')
  const setEditor = useCallback(
    (handle: EditorHandle | null) => {
      editor.current = handle
      if (!handle || !(awaitsFocus.current || earlyText.current !== '')) return
      awaitsFocus.current = !handle.focusStart()
      if (awaitsFocus.current || earlyText.current === '') return
      handle.insertText(earlyText.current)
      earlyText.current = ''
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
    <Suspense fallback={<EarlyText focuses={focuses} text={earlyText} />}>
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
