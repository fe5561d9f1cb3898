import { Ellipsis, ImageOff } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import type { Email } from '../folders.ts'
import { buildDocument, isColoured, measure, remoteImagesIn } from './html-document.ts'
import { splitQuote } from './text-quotes.ts'
import { usePictures } from './use-pictures.ts'

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

/** Whether the page is dark; it may change while a message is open. */
const useDark = (): boolean => {
  const [dark, setDark] = useState(isDark)
  useLayoutEffect(() => {
    const look = () => setDark(isDark())
    const wish = window.matchMedia('(prefers-color-scheme: dark)')
    const watcher = new MutationObserver(look)
    watcher.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    wish.addEventListener('change', look)
    return () => {
      watcher.disconnect()
      wish.removeEventListener('change', look)
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

const QuoteButton = ({ shown, onToggle }: { shown: boolean; onToggle: () => void }) => (
  <button type="button" className="quote-fold" aria-expanded={shown} onClick={onToggle}>
    <Ellipsis size={16} aria-hidden="true" />
    <span className="only-heard">{shown ? 'Hide' : 'Show'} quoted history</span>
  </button>
)

interface HtmlBodyProps {
  html: string
  title: string
}

/**
 * A stranger's page: in a frame that runs nothing, has no origin, and fetches nothing unless it is asked to. Such a
 * frame cannot tell how high it is, so that is measured on a bare copy beside it.
 */
const HtmlBody = ({ html, title }: HtmlBodyProps) => {
  const [loadsImages, setLoadsImages] = useState(false)
  const [showsQuote, setShowsQuote] = useState(false)
  const { element, width } = useWidth()
  const dark = useDark()
  const coloured = useMemo(() => isColoured(html), [html])
  const remoteCount = useMemo(() => remoteImagesIn(html).length, [html])
  const { pictures, isLoading } = usePictures(html, loadsImages)
  const colours = dark && !coloured ? DARK_PAPER : WHITE_PAPER
  const shown = useMemo(
    () => buildDocument(html, { loadsImages: loadsImages && !isLoading, pictures, showsQuote, colours }),
    [html, loadsImages, isLoading, pictures, showsQuote, colours],
  )
  const height = useMemo(() => (width === 0 ? 0 : measure(shown.dummy, width)), [shown, width])
  return (
    <>
      {remoteCount > 0 && !loadsImages && (
        <p className="images-notice">
          <ImageOff size={16} aria-hidden="true" />
          <span>Pictures from elsewhere are not loaded: they would tell the sender that you read this.</span>
          <Button size="small" onClick={() => setLoadsImages(true)}>
            Load images
          </Button>
        </p>
      )}
      <div className="message-paper" data-white={dark && coloured}>
        <div ref={element}>
          {width > 0 && (
            <iframe
              // Another document gets another frame: one that is given a second before the first is there may stay blank.
              key={shown.srcdoc}
              className="message-frame"
              title={title}
              // Neither scripts nor an origin: what is in there can neither run nor reach anything of ours.
              sandbox="allow-popups allow-popups-to-escape-sandbox"
              referrerPolicy="no-referrer"
              srcDoc={shown.srcdoc}
              height={Math.max(height, 24)}
            />
          )}
        </div>
      </div>
      {shown.hasQuote && <QuoteButton shown={showsQuote} onToggle={() => setShowsQuote(!showsQuote)} />}
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
        {own === '' ? <span className="quiet">This message has no text.</span> : withLinks(own)}
      </div>
      {quoted !== '' && (
        <>
          <QuoteButton shown={showsQuote} onToggle={() => setShowsQuote(!showsQuote)} />
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
  /** The reader would rather have it plain. */
  isPlain: boolean
  title: string
}

export const MessageBody = ({ email, isPlain, title }: MessageBodyProps) =>
  email.html === null || isPlain ? (
    <TextBody text={email.text} />
  ) : (
    <HtmlBody html={email.html} title={title} />
  )
