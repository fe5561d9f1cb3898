import { lexer, type Token, type Tokens } from 'marked'
import { Fragment, memo, type ReactNode } from 'react'

/*
 * Answers of models are Markdown. `marked` only splits the text into tokens, and each token becomes an element of React.
 * HTML in an answer stays text, and images become links, because an image would send a request to another server.
 */

const SAFE_LINK = /^(?:https?:\/\/|mailto:)/i

const Anchor = ({ href, children }: { href: string; children: ReactNode }) =>
  SAFE_LINK.test(href) ? (
    <a href={href} target="_blank" rel="noreferrer noopener nofollow">
      {children}
    </a>
  ) : (
    children
  )

/** `marked` escapes the text of some tokens for HTML. React escapes all of it again. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
const decode = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? '')

const renderInline = (tokens: readonly Token[] | undefined): ReactNode =>
  tokens?.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a text do not move
    <Fragment key={index}>{renderToken(token)}</Fragment>
  ))

const renderToken = (token: Token): ReactNode => {
  switch (token.type) {
    case 'strong':
      return <strong>{renderInline(token.tokens)}</strong>
    case 'em':
      return <em>{renderInline(token.tokens)}</em>
    case 'del':
      return <del>{renderInline(token.tokens)}</del>
    case 'codespan':
      return <code>{decode((token as Tokens.Codespan).text)}</code>
    case 'br':
      return <br />
    case 'link':
      return <Anchor href={(token as Tokens.Link).href}>{renderInline(token.tokens)}</Anchor>
    case 'image': {
      const { href, text } = token as Tokens.Image
      return <Anchor href={href}>{text || href}</Anchor>
    }
    case 'escape':
      return decode((token as Tokens.Escape).text)
    case 'text':
      return token.tokens ? renderInline(token.tokens) : decode((token as Tokens.Text).text)
    default:
      return token.raw
  }
}

const renderItem = (item: Tokens.ListItem): ReactNode => (
  <>
    {item.task && (item.checked ? '☑ ' : '☐ ')}
    {renderBlocks(item.tokens)}
  </>
)

const List = ({ list }: { list: Tokens.List }) => {
  const items = list.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the items of a list do not move
    <li key={index}>{renderItem(item)}</li>
  ))
  return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>
}

const Table = ({ table }: { table: Tokens.Table }) => (
  // Scrolls sideways, so it must be reachable with the keyboard.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container needs the focus
  <div className="chat-table" tabIndex={0}>
    <table>
      <thead>
        <tr>
          {table.header.map((cell, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a table do not move
            <th key={index} scope="col">
              {renderInline(cell.tokens)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a table do not move
          <tr key={index}>
            {row.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a table do not move
              <td key={column}>{renderInline(cell.tokens)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const renderBlock = (token: Token): ReactNode => {
  switch (token.type) {
    case 'space':
      return null
    case 'heading':
      // A level of its own would break the order of the headings of the page.
      return <p className="chat-heading">{renderInline(token.tokens)}</p>
    case 'paragraph':
      return <p>{renderInline(token.tokens)}</p>
    case 'blockquote':
      return <blockquote>{renderBlocks(token.tokens ?? [])}</blockquote>
    case 'list':
      return <List list={token as Tokens.List} />
    case 'table':
      return <Table table={token as Tokens.Table} />
    case 'code':
      return (
        <pre>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      )
    case 'hr':
      return <hr />
    case 'text':
      return renderToken(token)
    default:
      return <p>{token.raw.trim()}</p>
  }
}

const renderBlocks = (tokens: readonly Token[]): ReactNode =>
  tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: new blocks are appended, so the others keep their elements
    <Fragment key={index}>{renderBlock(token)}</Fragment>
  ))

/** Renders the text of an answer. Blocks keep their elements while text is appended, so that nothing flickers. */
export const Markdown = memo(({ text }: { text: string }) => (
  <div className="chat-text">{renderBlocks(lexer(text, { gfm: true, breaks: true }))}</div>
))
