import { type Editor, useEditorState } from '@tiptap/react'
import {
  Bold,
  Italic,
  Link2,
  List,
  ListOrdered,
  type LucideIcon,
  RemoveFormatting,
  TextQuote,
  Underline,
} from 'lucide-react'
import { useRef } from 'react'
import * as t from '#locale/rich-text'
import * as common from '#locale/shared-texts'
import { IconButton } from '../../../../ui/button.tsx'
import { TextField } from '../../../../ui/field.tsx'
import { FormPopover } from '../../../../ui/popover.tsx'

interface ToolProps {
  label: string
  keys?: string
  icon: LucideIcon
  isActive?: boolean
  onClick: () => void
}

const Tool = ({ label, keys, icon: Icon, isActive, onClick }: ToolProps) => (
  <IconButton
    icon={Icon}
    label={label}
    title={keys === undefined ? label : `${label} (${keys})`}
    {...(isActive !== undefined && { 'aria-pressed': isActive })}
    // Keeps the selection of the text.
    onMouseDown={(event) => event.preventDefault()}
    onClick={onClick}
  />
)

const toHref = (typed: string): string => {
  const text = typed.trim()
  if (/^(?:https?:\/\/|mailto:|tel:)/i.test(text)) return text
  return /^[^\s@/]+@[^\s@/]+$/.test(text) ? `mailto:${text}` : `https://${text}`
}

const KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : t.control

interface ToolbarProps {
  editor: Editor
  linkOpen: boolean
  onLink: (open: boolean) => void
}

export const Toolbar = ({ editor, linkOpen, onLink }: ToolbarProps) => {
  const linkButton = useRef<HTMLDivElement>(null)
  const active = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      bold: now.isActive('bold'),
      italic: now.isActive('italic'),
      underline: now.isActive('underline'),
      bullets: now.isActive('bulletList'),
      numbers: now.isActive('orderedList'),
      quote: now.isActive('blockquote'),
      link: now.isActive('link'),
    }),
  })
  const chain = () => editor.chain().focus()
  const setLink = (typed: string): void => {
    if (typed.trim() === '') {
      chain().extendMarkRange('link').unsetLink().run()
      return
    }
    const target = toHref(typed)
    if (editor.state.selection.empty && !editor.isActive('link'))
      chain()
        .insertContent({
          type: 'text',
          text: typed.trim(),
          marks: [{ type: 'link', attrs: { href: target } }],
        })
        .run()
    else chain().extendMarkRange('link').setLink({ href: target }).run()
  }
  return (
    <div
      className="rich-text-toolbar"
      role="toolbar"
      aria-label={t.formatting}
      onSubmit={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (linkOpen) event.stopPropagation()
      }}
    >
      <Tool
        label={t.bold}
        keys={`${KEYS}+B`}
        icon={Bold}
        isActive={active.bold}
        onClick={() => chain().toggleBold().run()}
      />
      <Tool
        label={t.italic}
        keys={`${KEYS}+I`}
        icon={Italic}
        isActive={active.italic}
        onClick={() => chain().toggleItalic().run()}
      />
      <Tool
        label={t.underline}
        keys={`${KEYS}+U`}
        icon={Underline}
        isActive={active.underline}
        onClick={() => chain().toggleUnderline().run()}
      />
      <Tool
        label={t.bulletList}
        keys={`${KEYS}+⇧+8`}
        icon={List}
        isActive={active.bullets}
        onClick={() => chain().toggleBulletList().run()}
      />
      <Tool
        label={t.numberedList}
        keys={`${KEYS}+⇧+7`}
        icon={ListOrdered}
        isActive={active.numbers}
        onClick={() => chain().toggleOrderedList().run()}
      />
      <Tool
        label={t.quote}
        keys={`${KEYS}+⇧+B`}
        icon={TextQuote}
        isActive={active.quote}
        onClick={() => chain().toggleBlockquote().run()}
      />
      <div ref={linkButton}>
        <Tool
          label={t.link}
          keys={`${KEYS}+K`}
          icon={Link2}
          isActive={active.link}
          onClick={() => onLink(true)}
        />
      </div>
      <Tool
        label={t.clearFormatting}
        icon={RemoveFormatting}
        onClick={() => chain().unsetAllMarks().clearNodes().run()}
      />
      <FormPopover
        open={linkOpen}
        anchor={linkButton}
        title={t.link}
        action={common.save}
        onClose={() => onLink(false)}
        returnFocusTo={() => {
          // Restores the selection, which the browser loses with the focus.
          editor.view.focus()
          return editor.view.dom
        }}
        onSubmit={(values) => setLink(String(values.get('href') ?? ''))}
      >
        <TextField
          name="href"
          label={t.address}
          hint={t.linkHint}
          defaultValue={(editor.getAttributes('link').href as string | undefined) ?? ''}
          placeholder="https://example.org"
          inputMode="url"
          autoComplete="off"
        />
      </FormPopover>
    </div>
  )
}
