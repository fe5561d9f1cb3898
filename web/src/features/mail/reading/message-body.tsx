import { Ellipsis, ImageOff } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import * as t from '#locale/mail'
import { Button } from '../../../ui/button.tsx'
import type { Email } from '../folders.ts'
import { buildDocument, type DocumentOptions, isColoured, measure, remoteImagesIn } from './html-document.ts'
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

const useWidth = () => {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!element.current) return
    setWidth(element.current.clientWidth)
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    watcher.observe(element.current)
    return () => watcher.disconnect()
  }, [])
  return { element, width }
}

const QuoteButton = ({ isExpanded, onToggle }: { isExpanded: boolean; onToggle: () => void }) => (
  <button type="button" className="quote-fold" aria-expanded={isExpanded} onClick={onToggle}>
    <Ellipsis size={16} aria-hidden="true" />
    <span className="visually-hidden">{isExpanded ? t.hideQuote : t.showQuote}</span>
  </button>
)

/** Fills the shadow root of an element while the page is printed. */
const usePrintedContent = (createContent: () => HTMLElement) => {
  const element = useRef<HTMLDivElement>(null)
  const latest = useRef(createContent)
  latest.current = createContent
  useEffect(() => {
    const host = element.current
    if (!host) return
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
    const fill = () => root.replaceChildren(latest.current())
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

interface HtmlBodyProps {
  html: string
  title: string
}

/**
 * Renders untrusted HTML in a sandboxed iframe without scripts and origin. Remote pictures load only on
 * request. A sandboxed frame cannot report its height, so a bare copy is measured instead.
 */
const HtmlBody = ({ html, title }: HtmlBodyProps) => {
  const [loadsImages, setLoadsImages] = useState(false)
  const [showsQuote, setShowsQuote] = useState(false)
  const { element, width } = useWidth()
  const dark = useDarkMode()
  const coloured = useMemo(() => isColoured(html), [html])
  const remoteCount = useMemo(() => remoteImagesIn(html).length, [html])
  const { pictures, isLoading } = usePictures(html, loadsImages)
  const colours = dark && !coloured ? DARK_PAPER : WHITE_PAPER
  const build = (colours: DocumentOptions['colours']) =>
    buildDocument(html, { loadsImages: loadsImages && !isLoading, pictures, showsQuote, colours })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parameters of `build`
  const messageDocument = useMemo(
    () => build(colours),
    [html, loadsImages, isLoading, pictures, showsQuote, colours],
  )
  const printed = usePrintedContent(() => build(WHITE_PAPER).createPrintCopy())
  const height = useMemo(
    () => (width === 0 ? 0 : measure(messageDocument.measurementCopy, width)),
    [messageDocument, width],
  )
  return (
    <>
      {remoteCount > 0 && !loadsImages && (
        <p className="images-notice">
          <ImageOff size={16} aria-hidden="true" />
          <span>{t.imagesBlocked}</span>
          <Button size="small" onClick={() => setLoadsImages(true)}>
            {t.loadImages}
          </Button>
        </p>
      )}
      <div className="message-paper" data-white={dark && coloured}>
        <div ref={element}>
          {width > 0 && (
            <iframe
              // A new document needs a new frame: replacing `srcdoc` before the first load can leave the
              // frame blank.
              key={messageDocument.srcdoc}
              className="message-frame"
              title={title}
              // No `allow-scripts` and no `allow-same-origin`: the content can neither run code nor reach the
              // console.
              sandbox="allow-popups allow-popups-to-escape-sandbox"
              referrerPolicy="no-referrer"
              srcDoc={messageDocument.srcdoc}
              height={Math.max(height, 24)}
            />
          )}
        </div>
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
    <HtmlBody html={email.html} title={title} />
  )
