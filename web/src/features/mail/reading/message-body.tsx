import { Ellipsis, EyeOff, ImageOff } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import * as t from '#locale/mail'
import { useAccountChanged, usePreferences } from '../../../api/account.ts'
import { ifMatch, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import type { Email } from '../folders.ts'
import { findHiddenText, isReadable } from './hidden-text.ts'
import {
  adaptsToDarkMode,
  buildDocument,
  fitFrame,
  growFrame,
  isColored,
  listPictures,
  type MessageDocument,
  type Palette,
  writeDocument,
  writePrintCopy,
} from './html-document.ts'
import { usePictures } from './use-pictures.ts'

/** Patterns of the line before quoted text. */
const INTRODUCTIONS: readonly RegExp[] = [
  // "On Monday Ana <ana@example.org> wrote:" in the languages of common mail programs, over two lines at
  // most.
  /^(?:On|Am|Le|El|Il|Op|Em|Den|W dniu)\b[^\n]{0,300}(?:\n[^\n]{0,200})?(?:wrote|schrieb|écrit|escribió|scritto|schreef|escreveu|skrev|napisał)[^\n]{0,80}:[ \t]*$/m,
  /^-{2,}\s*(?:Original Message|Ursprüngliche Nachricht|Message d'origine|Mensaje original|Forwarded message|Weitergeleitete Nachricht)\s*-{2,}[ \t]*$/im,
  /^_{10,}\s*\n(?:From|Von|De):/m,
  /^(?:From|Von|De): [^\n]+\n(?:Sent|Gesendet|Envoyé|Date|Enviado): [^\n]+\n(?:To|An|À|Para): /m,
]

/** Start of the quoted lines at the end, which may have no introduction. */
const quotedTail = (text: string): number => {
  const lines = text.split('\n')
  let first = lines.length
  while (first > 0 && /^(?:>|\s*$)/.test(lines[first - 1] ?? '')) first--
  if (!lines.slice(first).some((line) => line.startsWith('>'))) return -1
  return lines.slice(0, first).reduce((length, line) => length + line.length + 1, 0)
}

/** Splits a message into new text and quoted history. A message that is only history is not split. */
const splitQuote = (text: string): { own: string; quoted: string } => {
  const starts = [...INTRODUCTIONS.map((pattern) => text.search(pattern)), quotedTail(text)]
  const at = Math.min(...starts.filter((start) => start >= 0))
  if (!Number.isFinite(at) || text.slice(0, at).trim() === '') return { own: text, quoted: '' }
  return { own: text.slice(0, at).trimEnd(), quoted: text.slice(at).trim() }
}

const WHITE_PAPER = {
  ink: '#1f2428',
  paper: '#ffffff',
  link: '#17607c',
  rule: '#d5d1c7',
  scheme: 'light',
} as const
const DARK_PAPER = {
  ink: '#e7eaec',
  paper: '#1a1e22',
  link: '#79bfda',
  rule: '#3a4149',
  scheme: 'dark',
} as const

const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset
  return theme === 'dark' || (theme !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches)
}

/** Whether the theme is dark, with updates while a message is open. */
const useDarkMode = (): boolean => {
  const [dark, setDark] = useState(isDark)
  useLayoutEffect(() => {
    const update = () => setDark(isDark())
    const colorSchemeQuery = window.matchMedia('(prefers-color-scheme: dark)')
    const watcher = new MutationObserver(update)
    watcher.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    colorSchemeQuery.addEventListener('change', update)
    return () => {
      watcher.disconnect()
      colorSchemeQuery.removeEventListener('change', update)
    }
  }, [])
  return dark
}

const QuoteButton = ({ isExpanded, onToggle }: { isExpanded: boolean; onToggle: () => void }) => (
  <button type="button" className="quote-fold" aria-expanded={isExpanded} onClick={onToggle}>
    <Ellipsis size={16} aria-hidden="true" />
    <span className="visually-hidden">{isExpanded ? t.hideQuote : t.showQuote}</span>
  </button>
)

/** Fills the shadow root of an element while the page is printed. */
const usePrintedContent = (createDocument: () => MessageDocument) => {
  const element = useRef<HTMLDivElement>(null)
  const latest = useRef(createDocument)
  latest.current = createDocument
  useEffect(() => {
    const host = element.current
    if (!host) return
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
    const fill = () => writePrintCopy(root, latest.current())
    const clear = () => root.replaceChildren()
    window.addEventListener('beforeprint', fill)
    window.addEventListener('afterprint', clear)
    return () => {
      window.removeEventListener('beforeprint', fill)
      window.removeEventListener('afterprint', clear)
    }
  }, [])
  return element
}

/** Writes the document into the frame and keeps the frame as high as its content. */
const useFrame = (messageDocument: MessageDocument, onRendered: (frame: Document) => void) => {
  const element = useRef<HTMLIFrameElement>(null)
  const rendered = useRef(onRendered)
  rendered.current = onRendered
  useLayoutEffect(() => {
    const frame = element.current
    if (!frame) return
    writeDocument(frame, messageDocument)
    fitFrame(frame)
    const content = frame.contentDocument
    if (!content) return
    rendered.current(content)
    let width = frame.clientWidth
    let isBounded = true
    const watcher = new ResizeObserver(() => {
      const isResized = frame.clientWidth !== width
      width = frame.clientWidth
      if (isResized) fitFrame(frame)
      else if (isBounded) isBounded = growFrame(frame)
    })
    watcher.observe(frame)
    // Pictures that arrive make the content higher.
    for (const part of [content.documentElement, content.body]) watcher.observe(part)
    return () => watcher.disconnect()
  }, [messageDocument])
  return element
}

/** Loads images once, or always from this sender. */
const useRemoteImages = (sender: string | undefined) => {
  const client = useClient()
  const changed = useAccountChanged()
  const notify = useNotify()
  const attempt = useAttempt()
  const preferences = usePreferences().data
  const [isLoadedOnce, setIsLoadedOnce] = useState(false)
  const { remoteImages = 'never', imageSenders = [] } = preferences?.value ?? {}
  const address = sender?.toLowerCase()
  const isTrusted = address !== undefined && imageSenders.includes(address)
  const trust = async () => {
    setIsLoadedOnce(true)
    if (!preferences || address === undefined) return
    await attempt(async () => {
      await unwrap(
        client.PATCH('/api/settings/preferences', {
          body: { imageSenders: [...imageSenders, address] },
          headers: ifMatch(preferences.etag),
        }),
      )
      notify(t.imagesAlwaysLoaded(address))
    })
    await changed()
  }
  return {
    isAllowed: remoteImages !== 'never',
    isLoaded: remoteImages !== 'never' && (isTrusted || isLoadedOnce),
    load: () => setIsLoadedOnce(true),
    trust: address === undefined ? null : trust,
  }
}

const ImagesNotice = ({ onLoad, onTrust }: { onLoad: () => void; onTrust: (() => void) | null }) => (
  <p className="images-notice">
    <ImageOff size={16} aria-hidden="true" />
    <span>{t.imagesBlocked}</span>
    <Button size="small" onClick={onLoad}>
      {t.loadImages}
    </Button>
    {onTrust && (
      <Button size="small" kind="quiet" onClick={onTrust}>
        {t.alwaysLoadImages}
      </Button>
    )}
  </p>
)

/** Enough to recognise the text. */
const MAX_HIDDEN_TEXT = 140

const HiddenTextNotice = ({ text }: { text: string }) => (
  <Notice icon={EyeOff}>
    {t.hiddenTextNotice(text.length > MAX_HIDDEN_TEXT ? `${text.slice(0, MAX_HIDDEN_TEXT - 1)}…` : text)}
  </Notice>
)

interface HtmlBodyProps {
  html: string
  title: string
  /** Address of the sender. */
  sender: string | undefined
}

/**
 * Renders untrusted HTML in a sandboxed iframe without scripts. Remote pictures load only on request. The frame
 * has the origin of the console, so that the console can measure it and find hidden text.
 */
const HtmlBody = ({ html, title, sender }: HtmlBodyProps) => {
  const [showsQuote, setShowsQuote] = useState(false)
  const [hiddenText, setHiddenText] = useState<string | null>(null)
  const [isDarkRejected, setIsDarkRejected] = useState(false)
  const dark = useDarkMode()
  const colored = useMemo(() => isColored(html), [html])
  const adapts = useMemo(() => adaptsToDarkMode(html), [html])
  const addresses = useMemo(() => listPictures(html), [html])
  const pictures = usePictures(addresses.own)
  const images = useRemoteImages(sender)
  const isDarkPaper = dark && (!colored || (adapts && !isDarkRejected))
  const colors = isDarkPaper ? DARK_PAPER : WHITE_PAPER
  const build = (colors: Palette) =>
    buildDocument(html, { loadsImages: images.isLoaded, pictures, showsQuote, colors })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parameters of `build`
  const messageDocument = useMemo(() => build(colors), [html, images.isLoaded, pictures, showsQuote, colors])
  const printed = usePrintedContent(() => build(WHITE_PAPER))
  const frame = useFrame(messageDocument, (rendered) => {
    setHiddenText(findHiddenText(rendered))
    // The message declares colors for dark mode, but its text cannot be read on them.
    if (isDarkPaper && colored && !isReadable(rendered)) setIsDarkRejected(true)
  })
  return (
    <>
      {addresses.remote.length > 0 && images.isAllowed && !images.isLoaded && (
        <ImagesNotice onLoad={images.load} onTrust={images.trust && (() => void images.trust?.())} />
      )}
      {hiddenText !== null && <HiddenTextNotice text={hiddenText} />}
      <div className="message-paper" data-white={dark && !isDarkPaper}>
        <iframe
          // A new document needs a new frame, because an old one keeps its policy and blocks the images.
          key={messageDocument.html}
          ref={frame}
          className="message-frame"
          title={title}
          // No `allow-scripts`: the content cannot run code. Without it, `allow-same-origin` gives the content
          // no access to the console.
          sandbox="allow-popups allow-popups-to-escape-sandbox allow-same-origin"
          referrerPolicy="no-referrer"
          data-scheme={colors.scheme}
        />
      </div>
      <div ref={printed} className="print-only" />
      {messageDocument.hasQuote && (
        <QuoteButton isExpanded={showsQuote} onToggle={() => setShowsQuote(!showsQuote)} />
      )}
    </>
  )
}

const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}]/g

const withLinks = (text: string): ReactNode[] => {
  const parts: ReactNode[] = []
  let at = 0
  for (const match of text.matchAll(URL_IN_TEXT)) {
    parts.push(
      text.slice(at, match.index),
      <a key={match.index} href={match[0]} target="_blank" rel="noopener noreferrer nofollow">
        {match[0]}
      </a>,
    )
    at = match.index + match[0].length
  }
  return [...parts, text.slice(at)]
}

const TextBody = ({ text }: { text: string }) => {
  const [showsQuote, setShowsQuote] = useState(false)
  const { own, quoted } = useMemo(() => splitQuote(text), [text])
  return (
    <>
      <div className="message-text" dir="auto">
        {own === '' ? <span className="quiet">{t.noText}</span> : withLinks(own)}
      </div>
      {quoted !== '' && (
        <>
          <QuoteButton isExpanded={showsQuote} onToggle={() => setShowsQuote(!showsQuote)} />
          {showsQuote && (
            <div className="message-text message-quote" dir="auto">
              {withLinks(quoted)}
            </div>
          )}
        </>
      )}
    </>
  )
}

interface MessageBodyProps {
  email: Email
  /** The reader prefers plain text. */
  isPlain: boolean
  title: string
}

export const MessageBody = ({ email, isPlain, title }: MessageBodyProps) =>
  email.html === null || isPlain ? (
    <TextBody text={email.text} />
  ) : (
    <HtmlBody html={email.html} title={title} sender={email.from?.address} />
  )
