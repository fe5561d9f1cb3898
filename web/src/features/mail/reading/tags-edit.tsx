import { Plus, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import * as t from '#locale/mail'
import { useTags } from '../../../api/tags.ts'
import type { EmailSummary } from '../folders.ts'
import type { EmailActions } from '../use-email-actions.ts'

interface TagsEditProps {
  email: EmailSummary
  actions: EmailActions
  onTag: (tag: string) => void
}

/** Tags of an email. Each links to all emails with the tag and can be removed. */
export const TagsEdit = ({ email, actions, onTag }: TagsEditProps) => {
  const [isAdding, setIsAdding] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const suggestions = useId()
  const known = useTags()
  const { tags } = email
  const close = () => {
    setIsAdding(false)
    requestAnimationFrame(() => button.current?.focus())
  }
  const add = (typed: string) => {
    const tag = typed.trim().replace(/^#/, '')
    const isNew = tag !== '' && !tags.some((known) => known.toLowerCase() === tag.toLowerCase())
    if (isNew) void actions.emails.setTags(email, [...tags, tag])
  }
  return (
    <div className="tags-edit">
      {tags.map((tag) => (
        <span key={tag} className="tag" data-tone="accent">
          <button
            type="button"
            className="tag-word"
            aria-label={t.showTagged(tag)}
            onClick={() => onTag(tag)}
          >
            #{tag}
          </button>
          <button
            type="button"
            className="tag-off"
            aria-label={t.removeTag(tag)}
            onClick={() =>
              void actions.emails.setTags(
                email,
                tags.filter((each) => each !== tag),
              )
            }
          >
            <X size={13} aria-hidden="true" />
          </button>
        </span>
      ))}
      {isAdding ? (
        <input
          className="input tag-input"
          list={suggestions}
          aria-label={t.newTag}
          placeholder={t.newTag}
          maxLength={50}
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: it replaces the button that was pressed
          autoFocus
          onKeyDown={(event) => {
            if (event.key === 'Escape') close()
            if (event.key !== 'Enter') return
            event.preventDefault()
            add(event.currentTarget.value)
            close()
          }}
          onBlur={(event) => {
            add(event.currentTarget.value)
            setIsAdding(false)
          }}
        />
      ) : (
        <button ref={button} type="button" className="tag tag-add" onClick={() => setIsAdding(true)}>
          <Plus size={13} aria-hidden="true" />
          {t.addTag}
        </button>
      )}
      <datalist id={suggestions}>
        {known
          .filter((tag) => !tags.some((own) => own.toLowerCase() === tag.toLowerCase()))
          .map((tag) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
    </div>
  )
}
