import { Fragment, type ReactNode } from 'react'

interface RichTextProps {
  /** A message with tags without attributes: "New here? <link>Create an account</link>". */
  text: string
  /** Renders each tag by its name. */
  tags: Readonly<Record<string, (content: string) => ReactNode>>
}

/** Renders a message that contains a link or another element, so that translators see the whole sentence. */
export const RichText = ({ text, tags }: RichTextProps) => (
  <>
    {text.split(/(<\w+>[^<]*<\/\w+>)/).map((part, index) => {
      const [, name, content] = /^<(\w+)>([^<]*)<\/\w+>$/.exec(part) ?? []
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message do not move.
      return <Fragment key={index}>{name ? tags[name]?.(content ?? '') : part}</Fragment>
    })}
  </>
)
