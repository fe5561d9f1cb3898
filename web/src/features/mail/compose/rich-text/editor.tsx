import { Selection } from '@tiptap/pm/state'
import { type Editor, EditorContent, useEditor } from '@tiptap/react'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { createExtensions, type LoadImage, serialize } from './extensions.ts'
import { Toolbar } from './toolbar.tsx'
import './rich-text.css'

/** Commands for the component around the editor. */
export interface EditorHandle {
  /** Moves the cursor to the beginning, above a quote. Returns false if the editor is not ready. */
  focusStart: () => boolean
  /** Inserts plain text at the cursor. */
  insertText: (text: string) => void
  /** Inserts HTML at the cursor. With `replacesSlash`, the slash before the cursor goes. */
  insertHtml: (html: string, options?: { replacesSlash?: boolean }) => void
  /** Uploads images that could not be uploaded before. */
  uploadImages: () => Promise<void>
}

export interface RichTextEditorProps {
  ref?: Ref<EditorHandle>
  label: string
  value: string
  onChange: (html: string) => void
  loadImage: LoadImage
  /** Stores an image and returns its id. Without it, images stay in the HTML as `data:` URLs. */
  uploadImage?: (image: Blob, name: string) => Promise<string | null>
  /** Called with files that are not images. */
  onFiles?: (files: File[]) => void
  /** Called when the user types a slash in an empty line. */
  onSlash?: () => void
}

const INLINE_IMAGE = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/

const readAsDataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })

const toBlob = async (dataUrl: string): Promise<Blob> => {
  const [head = '', base64 = ''] = dataUrl.split(',', 2)
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return new Blob([bytes], { type: /^data:([^;]+)/.exec(head)?.[1] ?? 'image/png' })
}

/** Replaces the source of an image. Undo skips this step, because the user sees no change. */
const setSource = (editor: Editor, from: string, to: string): void => {
  const { tr, doc } = editor.state
  doc.descendants((node, at) => {
    if (node.type.name === 'inlineImage' && node.attrs.src === from)
      tr.setNodeMarkup(at, undefined, { ...node.attrs, src: to })
  })
  if (tr.docChanged) editor.view.dispatch(tr.setMeta('addToHistory', false))
}

const RichTextEditor = (props: RichTextEditorProps) => {
  const latest = useRef(props)
  latest.current = props
  const [linkOpen, setLinkOpen] = useState(false)
  /** The last text that this component sent, and the last one that it received. */
  const emitted = useRef(props.value)
  const received = useRef(props.value)
  const extensions = useRef(createExtensions((src) => latest.current.loadImage(src)))
  const editorRef = useRef<Editor | null>(null)
  const uploading = useRef(new Set<string>())

  const upload = async (src: string, blob: Blob, name: string): Promise<void> => {
    const editor = editorRef.current
    if (!editor || !latest.current.uploadImage || uploading.current.has(src)) return
    uploading.current.add(src)
    try {
      const id = await latest.current.uploadImage(blob, name)
      if (id !== null && !editor.isDestroyed) setSource(editor, src, `cid:${id}`)
    } finally {
      uploading.current.delete(src)
    }
  }

  /** Inserts images into the text. Other files become attachments. */
  const takeFiles = (files: readonly File[], at: number | null): boolean => {
    if (files.length === 0) return false
    const others = files.filter(({ type }) => !INLINE_IMAGE.test(type))
    if (others.length > 0) latest.current.onFiles?.(others)
    for (const file of files.filter(({ type }) => INLINE_IMAGE.test(type)))
      void readAsDataUrl(file).then((src) => {
        const editor = editorRef.current
        if (!editor || editor.isDestroyed) return
        const image = { type: 'inlineImage', attrs: { src, alt: file.name } }
        if (at === null) editor.chain().focus().insertContent(image).run()
        else editor.chain().focus().insertContentAt(at, image).run()
        void upload(src, file, file.name)
      })
    return true
  }

  const editor = useEditor({
    extensions: extensions.current,
    content: props.value,
    // The content security policy blocks added styles. They are in rich-text.css.
    injectCSS: false,
    immediatelyRender: true,
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': props.label,
        class: 'input rich-text-content',
        dir: 'auto',
      },
      handleKeyDown: (view, event) => {
        const isModified = event.ctrlKey || event.metaKey
        // Ctrl+Enter sends the message. The form around the editor handles it.
        if (event.key === 'Enter' && isModified) return true
        if (event.key.toLowerCase() === 'k' && isModified && !event.shiftKey) {
          event.preventDefault()
          setLinkOpen(true)
          return true
        }
        const { selection } = view.state
        if (event.key === '/' && selection.empty && selection.$from.parent.content.size === 0)
          setTimeout(() => latest.current.onSlash?.(), 0)
        return false
      },
      handlePaste: (_view, event) => {
        const { clipboardData } = event
        // Office programs add a picture of the text that they copy.
        if (!clipboardData || clipboardData.types.includes('text/html')) return false
        return takeFiles([...clipboardData.files], null)
      },
      handleDrop: (view, event, _slice, isMoved) => {
        const files = [...(event.dataTransfer?.files ?? [])]
        if (isMoved || files.length === 0) return false
        event.preventDefault()
        event.stopPropagation()
        return takeFiles(files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? null)
      },
    },
    onUpdate: ({ editor: changed }) => {
      emitted.current = serialize(changed)
      latest.current.onChange(emitted.current)
    },
  })
  editorRef.current = editor

  // Another component changed the text, for example the signature of another sender.
  useEffect(() => {
    const isKnown = props.value === received.current || props.value === emitted.current
    received.current = props.value
    if (editor.isDestroyed || isKnown) return
    emitted.current = props.value
    const { from, to } = editor.state.selection
    editor.commands.setContent(props.value, { emitUpdate: false })
    const end = editor.state.doc.content.size
    editor.commands.setTextSelection({ from: Math.min(from, end), to: Math.min(to, end) })
  }, [editor, props.value])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the callbacks read the latest properties
  useImperativeHandle(
    props.ref,
    () => ({
      // React may mount the component again with an editor that is destroyed. A new one follows.
      focusStart() {
        if (editor.isDestroyed) return false
        editor.view.dispatch(editor.state.tr.setSelection(Selection.atStart(editor.state.doc)))
        // At once. The focus command of the editor waits for the next frame, and typed keys would be lost.
        editor.view.focus()
        return true
      },
      insertText(text) {
        for (const [index, line] of text.split('\n').entries()) {
          if (index > 0) editor.commands.splitBlock()
          if (line !== '') editor.view.dispatch(editor.state.tr.insertText(line))
        }
      },
      insertHtml(html, { replacesSlash = false } = {}) {
        const chain = editor.chain().focus()
        const { from } = editor.state.selection
        const hasSlash = replacesSlash && editor.state.doc.textBetween(Math.max(0, from - 1), from) === '/'
        if (hasSlash) chain.deleteRange({ from: from - 1, to: from })
        chain.insertContent(html).run()
      },
      async uploadImages() {
        const sources = new Map<string, string>()
        editor.state.doc.descendants(({ type, attrs }) => {
          if (type.name === 'inlineImage' && String(attrs.src).startsWith('data:'))
            sources.set(attrs.src as string, attrs.alt as string)
        })
        for (const [src, alt] of sources) await upload(src, await toBlob(src), alt || 'image.png')
      },
    }),
    [editor],
  )

  return (
    <div className="rich-text">
      <EditorContent editor={editor} />
      <Toolbar editor={editor} linkOpen={linkOpen} onLink={setLinkOpen} />
    </div>
  )
}

export default RichTextEditor
